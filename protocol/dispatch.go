package protocol

// take does with an input what can be done at once, and has the rest wait.
//
// While something runs, `isready`, `stop`, `ponderhit` and `quit` act at once.
// So does a command that only reads, as long as nothing waits before it. All
// else waits its turn, so that commands take effect in the order in which they
// came.
func (s *Server) take(in input) {
	if in.err == nil && in.skipped.Count > 0 {
		s.out.note(in.skipped.String())
	}
	for _, adjusted := range in.skipped.Adjusted {
		s.out.note(adjusted)
	}
	if in.err != nil {
		s.fault(in.err)
		if _, search := in.command.(Go); !search {
			return
		}
	}
	switch in.command.(type) {
	case nil:
	case IsReady:
		s.out.line("readyok")
	case Stop:
		s.stop()
	case PonderHit:
		s.raise((*signals).ponderHit)
	case Quit:
		s.quit()
	default:
		s.runOrWait(in)
	}
}

// runOrWait runs an input now, or puts it in the queue.
func (s *Server) runOrWait(in input) {
	e := entry{command: in.command, refused: in.err != nil, size: in.size, signals: newSignals()}
	idle := s.running == nil || readsOnly(in.command)
	if idle && s.waiting.empty() {
		s.run(e)
		return
	}
	if !s.waiting.add(e) {
		s.fault(refuse(in.command.word(), "", "too much waits for the search to end"))
		return
	}
	if s.running.held() {
		s.out.note(in.command.word() + " waits until the search is stopped")
	}
}

// readsOnly reports whether a command needs nothing but what the server holds.
func readsOnly(command Command) bool {
	switch command.(type) {
	case Handshake, Query, Draw, Help:
		return true
	}
	return false
}

// runWaiting runs what waits, in order, until something takes time again.
func (s *Server) runWaiting() {
	for s.running == nil {
		e, ok := s.waiting.next()
		if !ok {
			return
		}
		s.run(e)
	}
}

// run runs one command. Nothing else runs, unless it only reads.
func (s *Server) run(e entry) {
	switch c := e.command.(type) {
	case Handshake:
		s.shakeHands(c)
	case SetOption:
		s.setOption(c)
	case NewGame:
		s.engine.NewGame()
	case SetPosition:
		s.setPosition(c)
	case PlayTurns:
		s.playTurns(c)
	case Go:
		s.search(c, e)
	case Query:
		s.query(c)
	case Draw:
		s.draw()
	case Eval:
		s.out.line(s.engine.Evaluate(&s.current))
	case Help:
		s.help()
	case Bench:
		s.bench(c, e.signals)
	case CountTurns:
		s.count(c, e.signals)
	}
}

// stop ends what runs, and those of the waiting searches that would not end by
// themselves. A second stop, when what runs was stopped before, ends all that
// waits: a client that says stop never waits in vain.
func (s *Server) stop() {
	all := s.running != nil && s.running.signals.stopped()
	s.waiting.each(func(e entry) {
		if search, ok := e.command.(Go); all || ok && search.openEnded() {
			e.signals.stop()
		}
	})
	if s.running != nil {
		s.running.signals.stop()
	}
	s.release()
}

// raise gives a signal to everything that runs or waits.
func (s *Server) raise(signal func(*signals)) {
	if s.running != nil {
		signal(s.running.signals)
	}
	s.waiting.each(func(e entry) { signal(e.signals) })
	s.release()
}

// endInput is the end of input: whatever waits is still run, and nothing is
// held back for a client that can say nothing more.
func (s *Server) endInput() {
	s.ending, s.closed = true, true
	if s.running.held() {
		s.running.signals.stop()
	}
	s.release()
}

// quit stops what runs and drops what waits; each search still gets its answer.
func (s *Server) quit() {
	s.ending, s.closed, s.quitting = true, true, true
	s.raise(func(signals *signals) { signals.stop() })
	s.waiting.drop()
}

// fault tells the client of an error.
func (s *Server) fault(err error) {
	if s.refused == nil {
		s.refused = err
	}
	s.out.fault(err)
}
