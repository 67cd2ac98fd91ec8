package sample

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"gyre/position"
)

// randomGame returns a game of random turns and scores.
func randomGame(number uint32, rules position.Rules) *Game {
	rng := rand.New(rand.NewPCG(7, uint64(number)))
	g := &Game{Number: number}
	p := position.Start(rules)
	for ply := 0; !p.Over(); ply++ {
		g.Samples = append(g.Samples, Sample{
			Position: p, Score: int16(rng.IntN(2*MaxScore+1) - MaxScore), Result: int8(rng.IntN(3) - 1),
			Ply: uint8(ply), Game: number,
		})
		turns := p.Turns(nil)
		p = p.After(turns[rng.IntN(len(turns))])
	}
	return g
}

// TestSampleRoundTrip encodes and decodes the positions of random games.
func TestSampleRoundTrip(t *testing.T) {
	for number := range uint32(20) {
		for _, s := range randomGame(number, position.Rules(number%2)).Samples {
			record := s.Append(nil)
			if len(record) != Size {
				t.Fatalf("%d bytes, want %d", len(record), Size)
			}
			got, err := Decode(record)
			if diff := cmp.Diff(s, got); diff != "" || err != nil {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
		}
	}
}

// TestInvalidSamples changes one field of an encoded sample.
func TestInvalidSamples(t *testing.T) {
	good := randomGame(3, position.Standard).Samples[15]
	over := position.Start(position.Standard)
	for !over.Over() {
		over = over.After(over.Turns(nil)[0])
	}
	for _, test := range []struct {
		want   string
		change func(record []byte)
	}{
		{"points: word 0", func(b []byte) { binary.LittleEndian.PutUint64(b, 1<<64-1) }},
		{"points: the last word", func(b []byte) { binary.LittleEndian.PutUint16(b[24:], 625) }},
		{"board: ", func(b []byte) { binary.LittleEndian.PutUint64(b[8:], 5*5*5*5*5*5-1) }},
		{"score: ", func(b []byte) { b[stateAt] |= 15 << removedShift }},
		{"result 2", func(b []byte) { b[stateAt] |= 3 << resultShift }},
		{"score 20001", func(b []byte) { binary.LittleEndian.PutUint16(b[scoreAt:], 20001) }},
		{"score -32768", func(b []byte) { binary.LittleEndian.PutUint16(b[scoreAt:], 1<<15) }},
		{"the game is over", func(b []byte) { copy(b, (&Sample{Position: over}).Append(nil)) }},
	} {
		record := good.Append(nil)
		test.change(record)
		if s, err := Decode(record); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v, want %q", &s.Position, err, test.want)
		}
	}
	if _, err := Decode(make([]byte, Size-1)); err == nil {
		t.Error("a truncated sample was accepted")
	}
}

// FuzzDecode decodes arbitrary bytes. Encoding the result must reproduce them.
func FuzzDecode(f *testing.F) {
	for _, s := range randomGame(1, position.Standard).Samples {
		f.Add(s.Append(nil))
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		s, err := Decode(record)
		if err != nil {
			return
		}
		if again := s.Append(nil); !bytes.Equal(again, record) {
			t.Errorf("%x was written as %x", record, again)
		}
	})
}

// block returns a block with arbitrary records and a valid checksum.
func block(number uint32, records []byte) []byte {
	b := append([]byte(mark), make([]byte, 8)...)
	b = binary.LittleEndian.AppendUint32(b, number)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(records)))
	b = append(b, records...)
	binary.LittleEndian.PutUint64(b[checksumAt:], xxh3.Hash(b[numberAt:]))
	return b
}

func BenchmarkDecode(b *testing.B) {
	record := randomGame(3, position.Standard).Samples[40].Append(nil)
	for b.Loop() {
		if _, err := Decode(record); err != nil {
			b.Fatal(err)
		}
	}
}
