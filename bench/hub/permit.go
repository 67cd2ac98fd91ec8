package hub

import "github.com/nats-io/nats-server/v2/server"

// inboxOf is where answers to a worker go, which no other worker hears.
func inboxOf(name string) string { return "_INBOX_" + name }

// permissions returns what the holder of a key may do; nil for everything. A worker
// takes jobs and acknowledges them, reads matches, blobs and what is held against it,
// and writes results and its presence under its own name. One that is barred may only
// read what is held against it.
func permissions(k Key, barred bool) *server.Permissions {
	if k.Role == ForMatch {
		return nil
	}
	publish := []string{
		"$JS.API.INFO",
		"$JS.API.STREAM.INFO.KV_" + matchesBucket, "$JS.API.STREAM.INFO.KV_" + faultsBucket,
		"$JS.API.DIRECT.GET.KV_" + matchesBucket + ".>",
		"$JS.API.DIRECT.GET.KV_" + faultsBucket + ".$KV." + faultsBucket + "." + k.Name,
	}
	if !barred {
		publish = append(publish, workerSubjects(k.Name)...)
	}
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: []string{inboxOf(k.Name) + ".>"}},
	}
}

// workerSubjects are those that a worker needs for its work.
func workerSubjects(name string) []string {
	return []string{
		"$JS.API.STREAM.INFO.KV_" + runningBucket, "$JS.API.STREAM.INFO.KV_" + workersBucket,
		"$JS.API.STREAM.INFO.OBJ_" + blobsBucket,
		"$JS.API.DIRECT.GET.OBJ_" + blobsBucket + ".>",
		"$JS.API.CONSUMER.CREATE.KV_" + runningBucket + ".>",
		"$JS.API.CONSUMER.CREATE.OBJ_" + blobsBucket + ".>",
		"$JS.API.CONSUMER.DELETE.KV_" + runningBucket + ".>",
		"$JS.API.CONSUMER.DELETE.OBJ_" + blobsBucket + ".>",
		"$JS.FC.>",
		"$JS.API.CONSUMER.INFO." + jobsStream + ".*",
		"$JS.API.CONSUMER.MSG.NEXT." + jobsStream + ".*",
		"$JS.ACK." + jobsStream + ".>",
		resultSubjects(name),
		"$KV." + workersBucket + "." + name,
	}
}

// resultSubjects are those of all results of a worker.
func resultSubjects(worker string) string { return "gyre.result.*.*.*." + worker }
