package resources

import (
	"errors"
	"math"
	"testing"
)

// TestDisk asks disks of several sizes for room, and for the share of a user, which others change by nothing that they store.
func TestDisk(t *testing.T) {
	const mib = 1 << 20
	for _, test := range []struct {
		name        string
		free, total uint64
		err         error // of the system
		size        int64
		room, full  bool
	}{
		{"an empty disk", 1 << 40, 1 << 40, nil, 8 << 30, true, false},
		{"just enough", 256 * mib, 1 << 40, nil, 0, true, false},
		{"a byte too much", 256 * mib, 1 << 40, nil, 1, false, false},
		{"a file without end", 1 << 40, 1 << 40, nil, math.MaxInt64, false, false},
		{"a negative size", 1 << 40, 1 << 40, nil, -1, true, false},
		{"nearly full", 32 * mib, 1 << 40, nil, 0, false, false},
		{"full", 32*mib - 1, 1 << 40, nil, 0, false, true},
		{"a small disk", 5 * mib, 100 * mib, nil, 0, true, false},
		{"a small disk that is full", 0, 100 * mib, nil, 0, false, true},
		{"a disk without a size", 0, 0, nil, 1, true, false},
		{"an unknown disk", 0, 0, errors.New("unknown"), 1, true, false},
	} {
		d := Disk{Space: func(string) (uint64, uint64, error) { return test.free, test.total, test.err }}
		if room, full := d.Room(test.size), d.Full(); (room == nil) != test.room || (full != nil) != test.full {
			t.Errorf("%s: %v, %v", test.name, room, full)
		}
		want := int64(math.MaxInt64)
		if test.err == nil && test.total > 0 {
			want = int64(max(test.free, min(256*mib, test.total/20))-min(256*mib, test.total/20)) / 4
		}
		if share := d.Share(0); share != want {
			t.Errorf("%s: a share of %d bytes, not %d", test.name, share, want)
		}
		for _, stored := range []uint64{1, test.free / 2, test.free} {
			d.Space = func(string) (uint64, uint64, error) { return test.free - min(stored, test.free), test.total, test.err }
			if share := d.Share(int64(min(stored, test.free))); share != want {
				t.Errorf("%s: a share of %d bytes while %d are stored", test.name, share, stored)
			}
		}
	}
	if free, total, err := Space(t.TempDir()); err != nil || free > total || total == 0 {
		t.Errorf("%d of %d bytes are free, %v", free, total, err)
	}
}
