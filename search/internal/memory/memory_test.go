package memory

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"
)

const mebibyte = 1 << 20

// entry represents the entry of a table.
type entry struct {
	check, data atomic.Uint64
	turns       [2]uint32
}

// TestClear checks that a new and a cleared block are zero, whether all, some or none
// of it was written.
func TestClear(t *testing.T) {
	for name, step := range map[string]int{"all": 1, "a little": 100_000, "nothing": 1 << 30} {
		b, err := New[entry](500_000)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 3 {
			values := b.Values()
			if len(values) != 500_000 {
				t.Fatalf("%d values", len(values))
			}
			for i := range values {
				if values[i].check.Load() != 0 || values[i].data.Load() != 0 || values[i].turns != [2]uint32{} {
					t.Fatalf("%s written, round %d: value %d is not zero", name, round, i)
				}
			}
			for i := step - 1; i < len(values); i += step {
				values[i].data.Store(uint64(i))
				values[i].turns[1] = 7
			}
			b.Clear()
		}
		b.Free()
	}
}

// TestSmallStays checks that a small block is cleared in place, and that a large and
// hardly used one gets new pages.
func TestSmallStays(t *testing.T) {
	for size, stays := range map[int]bool{4 * mebibyte: true, smallRegion: true, 64 * mebibyte: false} {
		b, err := New[byte](size)
		if err != nil {
			t.Fatal(err)
		}
		b.Values()[size/2] = 1
		before := b.region.pages
		b.Clear()
		if b.Values()[size/2] != 0 {
			t.Errorf("%d bytes are not cleared", size)
		}
		if stayed := unsafe.SliceData(before) == unsafe.SliceData(b.region.pages); stayed != stays {
			t.Errorf("%d bytes stay where they are: %t, want %t", size, stayed, stays)
		}
		b.Free()
	}
}

// TestFree checks that a freed block is empty and safe to use.
func TestFree(t *testing.T) {
	b, err := New[uint64](1000)
	if err != nil {
		t.Fatal(err)
	}
	b.Free()
	b.Free()
	b.Clear()
	if b.Values() != nil {
		t.Errorf("%d values after Free", len(b.Values()))
	}
}

// TestImpossibleSizes checks the errors for impossible sizes.
func TestImpossibleSizes(t *testing.T) {
	try := func(_ any, err error) error { return err }
	for _, c := range []struct {
		err  error
		says string
	}{
		{try(New[byte](0)), "0 values"},
		{try(New[struct{}](3)), "3 values of 0 bytes"},
		{try(New[entry](math.MaxInt)), "cannot allocate"},
		{try(New[byte](math.MaxInt)), "memory"}, // rejected by the machine or by its operating system
	} {
		if strconv.IntSize == 32 && c.says == "memory" {
			continue // every size is possible here
		}
		if c.err == nil || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("error %v does not say %q", c.err, c.says)
		}
	}
}

// TestAtMost checks that a smaller block replaces an impossible one.
func TestAtMost(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("a 32-bit system may grant every size")
	}
	for _, n := range []int{math.MaxInt, 1000, 1, 0} {
		b := AtMost[entry](n)
		values := b.Values()
		if len(values) == 0 || len(values) > max(n, 1) || n == 1000 && len(values) != n {
			t.Errorf("%d values, want at most %d", len(values), n)
		}
		values[len(values)-1].turns[0] = 1
		if n < 1<<20 {
			b.Clear()
			if b.Values()[len(values)-1].turns[0] != 0 {
				t.Errorf("at most %d values: not cleared", n)
			}
		}
		b.Free()
		if b.Values() != nil {
			t.Errorf("at most %d values: %d after Free", n, len(b.Values()))
		}
	}
}

// TestOutsideTheHeap checks that the collector does not count a block.
func TestOutsideTheHeap(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("this system has no memory outside the heap")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b, err := New[uint64](64 * mebibyte / 8)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Free()
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > mebibyte {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
}

// inMemory returns the resident and the virtual memory of this process in bytes; see
// proc_pid_statm(5).
func inMemory(t *testing.T) (resident, promised int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is known only on Linux")
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(text))
	promised, err = strconv.Atoi(words[0])
	if err != nil {
		t.Fatal(err)
	}
	if resident, err = strconv.Atoi(words[1]); err != nil {
		t.Fatal(err)
	}
	return resident * os.Getpagesize(), promised * os.Getpagesize()
}

// TestUntouchedStaysUntouched checks that a new block and clearing a hardly used
// block take no physical memory, and that Free frees everything.
func TestUntouchedStaysUntouched(t *testing.T) {
	const size = 256 * mebibyte
	before, _ := inMemory(t)
	b, err := New[byte](size)
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string, most int) {
		t.Helper()
		if now, _ := inMemory(t); now-before > most {
			t.Errorf("%s: %d MiB more in memory", when, (now-before)/mebibyte)
		}
	}
	b.Clear()
	check("cleared when new", size/16)
	for i := 0; i < size; i += size / 100 {
		b.Values()[i] = 1
	}
	b.Clear()
	check("cleared when hardly used", size/16)
	for i := 0; i < size; i += os.Getpagesize() {
		b.Values()[i] = 1
	}
	if now, _ := inMemory(t); now-before < size/2 {
		t.Errorf("a block written to takes only %d MiB", (now-before)/mebibyte)
	}
	b.Free()
	check("freed", size/16)
}

// TestLostBlock checks that an unreachable block is freed.
func TestLostBlock(t *testing.T) {
	const size = 1 << 30
	_, before := inMemory(t)
	if _, err := New[byte](size); err != nil {
		t.Skip("no memory for it:", err)
	}
	for range 1000 {
		runtime.GC()
		runtime.Gosched() // to the goroutine that frees it
		if _, now := inMemory(t); now-before < size/2 {
			return
		}
	}
	t.Fatal("the block is still there")
}

// BenchmarkClear clears blocks with different numbers of written pages.
func BenchmarkClear(b *testing.B) {
	for _, size := range []int{4, 8, 16, 64} {
		for _, written := range []int{30, 300} {
			b.Run(fmt.Sprintf("%dMiB/%d", size, written), func(b *testing.B) {
				block, err := New[byte](size * mebibyte)
				if err != nil {
					b.Fatal(err)
				}
				defer block.Free()
				for b.Loop() {
					for i := range written {
						block.Values()[i*len(block.Values())/written]++
					}
					block.Clear()
				}
			})
		}
	}
}

func TestMachine(t *testing.T) {
	const meminfo = "MemTotal:       24684084 kB\nMemFree:        22294152 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  uint64
	}{
		"nothing known": {nil, math.MaxUint64},
		"no groups":     {map[string]string{"/proc/meminfo": meminfo}, 24684084 << 10},
		"version 2, a limit above the group": {map[string]string{
			"/proc/meminfo":                                        meminfo,
			"/proc/self/cgroup":                                    "0::/user.slice/user-1000.slice\n",
			"/sys/fs/cgroup/user.slice/memory.max":                 "1073741824\n",
			"/sys/fs/cgroup/user.slice/user-1000.slice/memory.max": "max\n",
		}, 1 << 30},
		"version 2, in a container": {map[string]string{
			"/proc/meminfo":             meminfo,
			"/proc/self/cgroup":         "0::/../../other\n",
			"/sys/fs/cgroup/memory.max": "536870912\n",
		}, 1 << 29},
		"version 1": {map[string]string{
			"/proc/meminfo":     meminfo,
			"/proc/self/cgroup": "5:devices:/\n4:other,memory:/a/b\n0::/\n",
			"/sys/fs/cgroup/memory/memory.limit_in_bytes":     "9223372036854771712\n",
			"/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "2147483648\n",
		}, 1 << 31},
		"more than the machine": {map[string]string{
			"/proc/meminfo":             meminfo,
			"/proc/self/cgroup":         "0::/\n",
			"/sys/fs/cgroup/memory.max": "1099511627776\n",
		}, 24684084 << 10},
		"damaged": {map[string]string{
			"/proc/meminfo":             "MemTotal: lots",
			"/proc/self/cgroup":         "0\n::\n0::/x\n",
			"/sys/fs/cgroup/memory.max": "",
		}, math.MaxUint64},
	} {
		readFile := func(path string) ([]byte, error) {
			if text, found := c.files[path]; found {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		}
		if got := machine(readFile); got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, got, c.want)
		}
	}
}
