package memory

import (
	"math"
	"os"
	"testing"
)

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
