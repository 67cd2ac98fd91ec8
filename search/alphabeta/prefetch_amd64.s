//go:build !purego

#include "textflag.h"

// func prefetch(line *bucket)
TEXT ·prefetch(SB), NOSPLIT, $0-8
	MOVQ line+0(FP), AX
	PREFETCHT0 (AX)
	RET
