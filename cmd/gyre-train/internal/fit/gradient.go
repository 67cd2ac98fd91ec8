package fit

import "sync"

// shards is in how many parts a batch is computed. Their sums are added up in
// order, so that the result does not depend on the number of threads.
const shards = 4

// shard is what one part of a batch comes to.
type shard struct {
	gradient values
	loss     Loss
}

// machine computes losses and gradients.
type machine struct {
	aim     aim
	threads int
	shards  [shards]shard
}

// gradient returns the gradient of the mean loss of some examples by the values,
// and adds their losses.
func (c *machine) gradient(v *values, examples []record, loss *Loss) *values {
	c.each(examples, func(s *shard, e *Example) {
		logit, target := v.logit(&e.Features), c.aim.target(e)
		s.loss.add(e.phase(), crossEntropy(logit, target))
		s.gradient.accumulate(&e.Features, (sigmoid(logit)-target)/float64(len(examples)))
	})
	for i := range c.shards {
		loss.merge(&c.shards[i].loss)
		if i > 0 {
			c.shards[0].gradient.add(&c.shards[i].gradient)
		}
	}
	return &c.shards[0].gradient
}

// measure adds the losses of some examples.
func (c *machine) measure(v *values, examples []record, loss *Loss) {
	c.each(examples, func(s *shard, e *Example) {
		s.loss.add(e.phase(), crossEntropy(v.logit(&e.Features), c.aim.target(e)))
	})
	for i := range c.shards {
		loss.merge(&c.shards[i].loss)
	}
}

// each visits all examples, each with the shard that it belongs to. The shards
// are empty before.
func (c *machine) each(examples []record, visit func(s *shard, e *Example)) {
	var workers sync.WaitGroup
	for worker := range min(c.threads, shards) {
		workers.Go(func() {
			var e Example
			for i := worker; i < shards; i += c.threads {
				s := &c.shards[i]
				*s = shard{}
				for at := i * len(examples) / shards; at < (i+1)*len(examples)/shards; at++ {
					e.unpack(&examples[at])
					visit(s, &e)
				}
			}
		})
	}
	workers.Wait()
}
