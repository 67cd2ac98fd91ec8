//go:build embedded

package export

import (
	"context"
	_ "embed"
)

// .ci/program builds both files.
var (
	//go:embed program/program.wasm
	wasm []byte
	//go:embed program/wasm_exec.js
	exec []byte
)

// ReadProgram returns the embedded program.
func ReadProgram(context.Context) (Program, error) { return Program{Wasm: wasm, Exec: exec}, nil }
