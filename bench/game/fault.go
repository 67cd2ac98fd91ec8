package game

import (
	"errors"

	"gyre/protocol"
)

// faultReasons are the reasons for which an engine loses by its failure. One
// that gave a turn too late has not failed: it forfeits by the clock.
var faultReasons = map[protocol.FailureKind]Reason{
	protocol.CannotStart:   StartFailure,
	protocol.NoHandshake:   StartFailure,
	protocol.Died:          Disconnect,
	protocol.ClosedOutput:  Disconnect,
	protocol.Closed:        Disconnect,
	protocol.NoAnswer:      Stall,
	protocol.SearchTimeout: Stall,
	protocol.IllegalTurn:   IllegalTurn,
	protocol.Garbage:       ProtocolError,
}

// faultOf returns the reason for which an engine loses that failed with err. It
// returns false for an error that is not the engine's doing.
func faultOf(err error) (Reason, bool) {
	failure, ok := errors.AsType[*protocol.Failure](err)
	if !ok {
		return Unfinished, false
	}
	reason, known := faultReasons[failure.Kind]
	return reason, known
}
