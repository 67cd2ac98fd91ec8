//go:build embedded

package export

import (
	"context"
	_ "embed"
)

// .ci/program builds the program.
//
//go:embed program/program.wasm
var program []byte

// ReadProgram returns the embedded program, the board's program for WebAssembly.
func ReadProgram(context.Context) ([]byte, error) { return program, nil }
