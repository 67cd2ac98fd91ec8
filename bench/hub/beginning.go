package hub

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// begin sends the match and its files to the hub.
func (d *dealer) begin(ctx context.Context) error {
	if d.key == "" { // files may change later, and the match does not
		spec, blobs, err := d.of.spec()
		if err != nil {
			return err
		}
		if d.key, d.text, err = spec.key(); err != nil {
			return err
		}
		d.blobs, d.needs = blobs, spec.needs()
	}
	if err := d.hub.ensure(ctx); err != nil {
		return d.wrong(err)
	}
	for _, b := range d.blobs {
		if err := d.hub.putBlob(ctx, b, false); err != nil {
			return d.wrong(err)
		}
	}
	matches, err := d.hub.js.KeyValue(ctx, matchesBucket)
	if err == nil {
		_, err = matches.Create(ctx, d.key, d.text)
		if errors.Is(err, jetstream.ErrKeyExists) {
			err = nil
		}
	}
	if err == nil {
		_, err = d.hub.js.CreateOrUpdateConsumer(ctx, jobsStream, jetstream.ConsumerConfig{
			Durable: d.key, FilterSubject: jobsOf(d.key), AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: d.settings.Silent, MaxAckPending: -1, InactiveThreshold: idleFor,
		})
	}
	if err == nil {
		err = d.report(ctx)
	}
	if err == nil {
		err = d.look(ctx)
	}
	return d.wrong(err)
}

// wrong names the hub in an error.
func (d *dealer) wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("hub %s: %w", d.hub.url, err)
}

// restore makes what the hub may have lost while the connection was broken. Jobs that
// it has kept it does not take again.
func (d *dealer) restore(ctx context.Context) {
	d.woken = time.Now()
	err := d.begin(ctx)
	if d.broken = err != nil; d.broken { // done again at the next tick
		if ctx.Err() == nil {
			d.warn(err)
		}
		return
	}
	for _, u := range d.window.open {
		u.out = false
	}
	for _, c := range d.twice {
		c.unit.out = false
	}
	d.sendAll(ctx)
}

// healEvery is how often the hub is sent at most what it has lost.
const healEvery = 5 * time.Second

// heal sends the hub anew what a worker did not find there whole: its store may have been
// damaged.
func (d *dealer) heal(ctx context.Context, lacks string) {
	if time.Since(d.healed[lacks]) < healEvery {
		return
	}
	d.healed[lacks] = time.Now()
	err := d.begin(ctx)
	for _, b := range d.blobs {
		if b.SHA256 == lacks && err == nil {
			err = d.wrong(d.hub.putBlob(ctx, b, true))
		}
	}
	if err != nil && ctx.Err() == nil {
		d.warn(err)
	}
}

// leave takes back what no worker has begun, and tells the hub that the match is not
// played any more.
func (d *dealer) leave(whole bool) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	if !d.hub.conn.IsConnected() {
		return // what nobody renews goes by itself
	}
	// What fails here goes by itself too, later.
	if running, err := d.hub.js.KeyValue(ctx, runningBucket); err == nil {
		_ = running.Delete(ctx, d.key)
	}
	if whole {
		_ = d.hub.js.DeleteConsumer(ctx, jobsStream, d.key)
		_ = d.forget(ctx)
	}
	if stream, err := d.hub.js.Stream(ctx, jobsStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(jobsOf(d.key)))
	}
}
