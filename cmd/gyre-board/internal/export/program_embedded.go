//go:build embedded

package export

import (
	"context"
	_ "embed"
	"io/fs"
)

// .ci/program builds the program.
//
//go:embed program/program.wasm
var program []byte

// ReadProgram returns the embedded program, the board's program for WebAssembly.
func ReadProgram(context.Context, string) ([]byte, error) { return program, nil }

// Bundle returns the page, which is bundled.
func Bundle(_ context.Context, page fs.FS, _ string) (fs.FS, error) { return page, nil }
