package analysis

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// field is a field of an object. The value is JSON text.
type field struct{ name, value string }

// fieldsOf returns the fields of a JSON object (RFC 8259), in their order. The error
// names the byte at which the text is invalid.
func fieldsOf(text string) (fields []field, err error) {
	if begin := strings.TrimLeft(text, " \t\r\n"); !strings.HasPrefix(begin, "{") {
		return nil, fmt.Errorf("byte %d: an object begins with {", len(text)-len(begin)+1)
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal([]byte(text), new(json.RawMessage))); ok {
		return nil, fmt.Errorf("byte %d: %w", syntax.Offset, syntax)
	}
	// The text is a valid object, so the decoder returns no error.
	d := json.NewDecoder(strings.NewReader(text))
	_, _ = d.Token()
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		_ = d.Decode(&value)
		fields = append(fields, field{name.(string), string(value)})
	}
	return fields, nil
}

// items returns the values of a valid array, as JSON text.
func items(value string) (list []json.RawMessage) {
	_ = json.Unmarshal([]byte(value), &list) // a valid array
	return list
}

// unquote returns the text of a valid JSON string. Invalid bytes and unpaired surrogates
// each become U+FFFD.
func unquote(quoted string) (text string) {
	_ = json.Unmarshal([]byte(quoted), &text) // a valid string
	return text
}

// jsonOf returns a value as JSON. The value must be of a type that can be encoded.
func jsonOf(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
