package plaintext_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"gyre/position/plaintext"
	"gyre/position/plaintext/plaintexttest"
)

// stream decodes a text that arrives byte by byte.
func stream(content string) (string, error) {
	text, err := io.ReadAll(plaintext.NewReader(iotest.OneByteReader(strings.NewReader(content))))
	return string(text), err
}

func TestForms(t *testing.T) {
	const sample = "a\n\n" + plaintexttest.Name + "\nb\n"
	t.Run("Decode", func(t *testing.T) { plaintexttest.Run(t, sample, plaintext.Decode) })
	t.Run("NewReader", func(t *testing.T) { plaintexttest.Run(t, sample, stream) })
}

// TestNamedEncodings decodes texts that name their encoding, rightly or not.
func TestNamedEncodings(t *testing.T) {
	for _, test := range []struct{ content, want string }{
		{"CA[ISO-8859-1]Zo\xeb", "CA[ISO-8859-1]Zoë"},
		{"CA[ISO-8859-1]Zoë", "CA[ISO-8859-1]Zoë"}, // it is UTF-8 all the same
		{"CA[ISO-8859-1]\x80\xff", "CA[ISO-8859-1]€ÿ"},
		{"CA[UTF-8]Zo\xeb", "CA[UTF-8]Zoë"},
		{"CA[iso-8859-2]\xa3ukasz", "CA[iso-8859-2]Łukasz"},
		{"CA[windows-1250]\xa3ukasz \x9c", "CA[windows-1250]Łukasz ś"},
		{"CA[cp1250]\xa3\xc4\x85", "CA[cp1250]ŁÄ…"}, // no byte of a named encoding is UTF-8
		{"XCA[cp1250];CA[ISO-8859-2]\xb1", "XCA[cp1250];CA[ISO-8859-2]ą"},
		{"CA[Windows-1251]\xc8\xe2\xe0\xed", "CA[Windows-1251]Иван"},
		{"CA[KOI8-R]\xe9\xd7\xc1\xce", "CA[KOI8-R]Иван"},
		{"CA[nonsense]Zo\xeb", "CA[nonsense]Zoë"},
		{"CA[Shift_JIS]表", "CA[Shift_JIS]表"}, // it is UTF-8
		{"CA[\xeb", "CA[ë"},
		{"ą \xeb", "ą ë"},
	} {
		if got, err := plaintext.Decode(test.content); err != nil || got != test.want {
			t.Errorf("%q is %q, %v, want %q", test.content, got, err, test.want)
		}
	}
}

// TestManyBytes checks that a byte of a character is not read as a bracket or a backslash: 表 is
// "\x95\\" in Shift_JIS.
func TestManyBytes(t *testing.T) {
	for name, characters := range map[string]string{
		"Shift_JIS": "\x95\\ \xb1] \x83]", "sjis": "\x97[ \xe0] [", "EUC-JP": "\xc9\xbd \xa1\xa1", "GBK": "\x81\\ \xb0[", "gb18030": "\x810\x810 \xd7\xd6",
		"Big5": "\xa5\\ \xb3]", "euc-kr": "\xb0\xa1", "cp936": "\x81] \x81",
	} {
		got, err := plaintext.Decode("(;CA[" + name + "]C[" + characters + "\n])")
		inside := strings.TrimSuffix(strings.TrimPrefix(got, "(;CA["+name+"]C["), "\n])")
		want := map[string]string{"Shift_JIS": "\ufffd \ufffd] \ufffd", "sjis": "\ufffd \ufffd [", "gb18030": "\ufffd\ufffd \ufffd", "euc-kr": "\ufffd", "EUC-JP": "\ufffd \ufffd"}[name]
		if want == "" {
			want = "\ufffd \ufffd"
		}
		if err != nil || inside != want {
			t.Errorf("%s: %q, %v, want %q", name, inside, err, want)
		}
	}
}

// TestIn checks that an error names the file and the line, and keeps its cause.
func TestIn(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{&plaintext.LineError{Line: 3, Err: io.ErrUnexpectedEOF}, "a/b.txt:3: unexpected EOF"},
		{io.ErrUnexpectedEOF, "a/b.txt: unexpected EOF"},
	} {
		if err := plaintext.In("a/b.txt", test.err); err.Error() != test.want || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// TestReaderDoesNotWait checks that a line can be read as soon as it has come.
func TestReaderDoesNotWait(t *testing.T) {
	in, out := io.Pipe()
	r := plaintext.NewReader(in)
	for _, line := range []string{"P\n", "\n", "ë\r"} {
		go func() { _, _ = out.Write([]byte(line)) }() // the pipe is never closed
		b := make([]byte, 10)
		var got string
		for !strings.HasSuffix(got, "\n") {
			n, err := r.Read(b)
			if err != nil {
				t.Fatal(err)
			}
			got += string(b[:n])
		}
		if want := strings.ReplaceAll(line, "\r", "\n"); got != want {
			t.Errorf("read %q, want %q", got, want)
		}
	}
}

// TestReaderKeepsErrors checks that the error of a stream follows what came before it.
func TestReaderKeepsErrors(t *testing.T) {
	wrong := errors.New("unplugged")
	for _, content := range []string{"", "\xef", "\xff", "a\n"} {
		got, err := io.ReadAll(plaintext.NewReader(io.MultiReader(strings.NewReader(content), iotest.ErrReader(wrong))))
		if !errors.Is(err, wrong) || content == "a\n" && string(got) != content {
			t.Errorf("%q: read %q, %v", content, got, err)
		}
	}
}

// FuzzDecode checks that a decoded text is UTF-8 and stays the same, and that UTF-8 is read alike as
// a whole and as a stream.
func FuzzDecode(f *testing.F) {
	for _, content := range []string{"a\r\n\rb", "\ufeffë", "CA[ISO-8859-2]\xb1", "\xff\xfe", "\xe2\x82", "\x1f"} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) {
		text, err := plaintext.Decode(content)
		streamed, err2 := stream(content)
		if (err == nil) != (err2 == nil) || utf8.ValidString(content) && text != streamed {
			t.Errorf("%q, %v, and as a stream %q, %v", text, err, streamed, err2)
		}
		if err != nil {
			if _, ok := errors.AsType[*plaintext.Error](err); !ok {
				t.Errorf("the error is %v", err)
			}
			return
		}
		if !utf8.ValidString(text) || !utf8.ValidString(streamed) || strings.Contains(text, "\r") {
			t.Errorf("%q is decoded to %q and %q", content, text, streamed)
		}
	})
}

// TestVisible removes the characters that nobody sees, among them all that change the direction of
// text. Python and the page pass the same table.
func TestVisible(t *testing.T) {
	var table [][3]string
	content, err := os.ReadFile("testdata/invisible.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &table); err != nil {
		t.Fatal(err)
	}
	for _, test := range table {
		if got := plaintext.Visible(test[1]); got != test[2] {
			t.Errorf("%s: %+q becomes %+q, want %+q", test[0], test[1], got, test[2])
		}
	}
	for c := range rune(unicode.MaxRune) {
		if got := plaintext.Visible(string(c)); unicode.Is(unicode.Bidi_Control, c) && got != "" {
			t.Errorf("%U stays", c)
		} else if unicode.IsPrint(c) && got != string(c) {
			t.Errorf("%U becomes %+q", c, got)
		}
	}
}
