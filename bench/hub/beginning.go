package hub

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// begin sends the match and its files to the hub.
func (c *Crew) begin(ctx context.Context) error {
	spec, blobs, err := newSpec(c.match, c.Programs, c.Client)
	if err != nil {
		return err
	}
	var text []byte
	if c.key, text, err = spec.key(); err != nil {
		return err
	}
	if err := ensure(ctx, c.Hub.js); err != nil {
		return c.wrong(err)
	}
	for _, b := range blobs {
		if err := c.Hub.putBlob(ctx, b); err != nil {
			return c.wrong(err)
		}
	}
	matches, err := c.Hub.js.KeyValue(ctx, matchesBucket)
	if err == nil {
		_, err = matches.Create(ctx, c.key, text)
		if errors.Is(err, jetstream.ErrKeyExists) {
			err = nil
		}
	}
	if err == nil {
		_, err = c.Hub.js.CreateOrUpdateConsumer(ctx, jobsStream, jetstream.ConsumerConfig{
			Durable: c.key, FilterSubject: jobsOf(c.key), AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: c.Settings.Silent, MaxAckPending: -1, InactiveThreshold: idleFor,
		})
	}
	if err == nil {
		err = c.learnFaults(ctx)
	}
	if err == nil {
		err = c.report(ctx)
	}
	if err == nil {
		err = c.look(ctx)
	}
	return c.wrong(err)
}

// wrong names the hub in an error.
func (c *Crew) wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("hub %s: %w", c.Hub.url, err)
}

// restore makes what the hub may have lost while the connection was broken. Jobs that
// it has kept it does not take again.
func (c *Crew) restore(ctx context.Context) {
	err := c.begin(ctx)
	if c.broken = err != nil; c.broken { // done again at the next tick
		if ctx.Err() == nil {
			c.warn(err)
		}
		return
	}
	for _, p := range c.window.pairs {
		p.out = false
	}
	for _, p := range c.window.unsent() {
		c.send(ctx, p)
	}
}

// leave takes back what no worker has begun, and tells the hub that the match is not
// played any more.
func (c *Crew) leave(whole bool) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	if !c.Hub.conn.IsConnected() {
		return // what nobody renews goes by itself
	}
	// What fails here goes by itself too, later.
	if running, err := c.Hub.js.KeyValue(ctx, runningBucket); err == nil {
		_ = running.Delete(ctx, c.key)
	}
	if whole {
		_ = c.Hub.js.DeleteConsumer(ctx, jobsStream, c.key)
		_ = c.forget(ctx)
	}
	if stream, err := c.Hub.js.Stream(ctx, jobsStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(jobsOf(c.key)))
	}
}
