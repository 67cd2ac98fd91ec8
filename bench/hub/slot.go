package hub

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/match"
)

// slot plays one game at a time. Its engines stay from job to job of a match.
type slot struct {
	worker *Worker
	number int           // from 0
	key    string        // of the match that its engines are of
	plays  *match.Worker // nil for none
	turn   int           // which of several matches is next

	consumers map[string]jetstream.Consumer // by match
}

// jobWait is how long a slot waits for a job of one match before it asks for one of
// another.
const jobWait = time.Second

// ackWithin is how long a slot waits until the hub has taken an acknowledgement. A hub
// that has lost its store since it gave the job says nothing to it.
const ackWithin = 5 * time.Second

// run takes jobs of all matches in turn until ctx is done.
func (s *slot) run(ctx context.Context) {
	defer s.free()
	for ctx.Err() == nil {
		keys, changed := s.worker.open(s.number)
		if !slices.Contains(keys, s.key) {
			s.free()
		}
		maps.DeleteFunc(s.consumers, func(key string, _ jetstream.Consumer) bool { return !slices.Contains(keys, key) })
		if len(keys) == 0 {
			select {
			case <-changed:
			case <-time.After(s.worker.Beat): // what was not there may be there now
			case <-ctx.Done():
			}
			continue
		}
		s.turn++
		if !s.next(ctx, keys[s.turn%len(keys)]) {
			select { // the hub is away, or the match was not yet made there
			case <-changed:
			case <-time.After(backAfter):
			case <-ctx.Done():
			}
		}
	}
}

// next takes a job of a match, if one comes soon, and plays it. It tells whether the hub
// could be asked.
func (s *slot) next(ctx context.Context, key string) bool {
	consumer, err := s.consumers[key], error(nil)
	if consumer == nil {
		asking, stop := s.worker.Hub.whole(ctx)
		defer stop()
		if consumer, err = s.worker.Hub.js.Consumer(asking, jobsStream, key); err != nil {
			return false
		}
		if s.consumers == nil {
			s.consumers = map[string]jetstream.Consumer{}
		}
		s.consumers[key] = consumer
	}
	msg, err := nextJob(ctx, consumer)
	if err != nil {
		s.consumers = nil
		return false
	}
	if msg == nil {
		return true
	}
	renew := max(consumer.CachedInfo().Config.AckWait/4, 10*time.Millisecond)
	playing, broken := context.WithCancel(ctx)
	defer broken()
	go func() {
		tick := time.NewTicker(renew)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = msg.InProgress() // without it the job goes to another, and both results are good
			case <-playing.Done():
				return
			}
		}
	}()
	s.play(playing, key, msg)
	return true
}

// nextJob returns a job of a match; nil if none comes in time, or ctx is done. It listens a
// second longer than the hub looks for one: what comes to nobody is handed out again only when
// it has been silent for a while. So a job that comes after ctx is done is given back.
func nextJob(ctx context.Context, consumer jetstream.Consumer) (jetstream.Msg, error) {
	batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(jobWait))
	if err != nil {
		return nil, err
	}
	select {
	case msg := <-batch.Messages():
		if msg == nil {
			return nil, batch.Error()
		}
		return msg, nil
	case <-ctx.Done():
		go func() {
			if msg := <-batch.Messages(); msg != nil {
				_ = msg.Nak() // without it the hub waits, and hands it out too
			}
		}()
		return nil, nil
	}
}

// play plays a job, and publishes what came of it before the job is acknowledged.
func (s *slot) play(ctx context.Context, key string, msg jetstream.Msg) {
	w := s.worker
	from, err := parseSubject(msg.Subject())
	if err != nil || from.match != key {
		_ = msg.Term() // no job at all
		return
	}
	var job jobMessage
	if json.Unmarshal(msg.Data(), &job) == nil && job.NotBy == w.Name {
		_ = msg.NakWithDelay(jobWait) // another takes it meanwhile
		return
	}
	w.count(1, 0, key)
	defer w.count(-1, 0, key)
	result, err := s.games(ctx, key, msg.Data())
	if err != nil { // ctx is done, or there are too many slots
		_ = msg.Nak() // without it the hub waits, and hands it out too
		return
	}
	text, err := json.Marshal(result)
	if err != nil {
		w.Warn(err)
		return
	}
	subject := resultSubject(key, from.unit, from.attempt, w.Name)
	for {
		sending, stop := w.Hub.whole(ctx)
		_, err := w.Hub.js.Publish(sending, subject, text)
		stop()
		if err == nil || isRefusedAgain(err) {
			break
		}
		select {
		case <-time.After(backAfter):
		case <-ctx.Done():
			return // the hub has neither, and hands the job out again
		}
	}
	acking, stop := context.WithTimeout(ctx, ackWithin)
	defer stop()
	_ = msg.DoubleAck(acking) // without it the pair is played twice, and one result is taken
	if result.Refused == "" {
		w.count(0, 1, key)
	}
}

// games plays the games of a job. An error says that ctx is done, or the slot one too many.
func (s *slot) games(ctx context.Context, key string, text []byte) (*resultMessage, error) {
	result := &resultMessage{Version: Version, Worker: s.worker.Name, System: system}
	made, why, err := s.worker.prepare(ctx, key, text)
	if err != nil {
		return nil, err
	}
	if why != nil {
		result.Refused = why.Error()
		if lack, ok := errors.AsType[*lackError](why); ok {
			result.Lacks = lack.lacks
		}
		return result, nil
	}
	s.worker.playing.RLock()
	defer s.worker.playing.RUnlock()
	if s.worker.crowds(s.number) { // perhaps by what was measured until now
		return nil, errCrowded
	}
	result.Speed = made.speed
	if made.ranges != nil {
		result.Output, err = made.ranges.run(ctx, text)
		return result, s.gaveUp(ctx, made, result, err)
	}
	jobs, err := parseJob(text, len(made.match.Engines))
	if err != nil {
		result.Refused = err.Error()
		return result, nil
	}
	if s.key != key || s.plays == nil {
		s.free()
		s.key, s.plays = key, made.match.NewWorker(s.worker.Warn)
	}
	for _, j := range jobs {
		line, err := s.plays.Play(ctx, j)
		if err != nil || ctx.Err() != nil {
			return result, s.gaveUp(ctx, made, result, err)
		}
		result.Games = append(result.Games, line)
	}
	return result, nil
}

// gaveUp makes a result tell that its match cannot be played here, if there is an error.
// The one that it returns is ctx's cause.
func (s *slot) gaveUp(ctx context.Context, made *preparation, result *resultMessage, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		made.refuse(err, s.worker.Beat)
		result.Games, result.Output, result.Refused = nil, nil, err.Error()
	}
	return nil
}

// free ends the slot's engines.
func (s *slot) free() {
	if s.plays != nil {
		s.plays.Close()
		s.plays, s.key = nil, ""
	}
}
