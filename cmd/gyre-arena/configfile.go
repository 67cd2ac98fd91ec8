package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/shellwords"
)

// configHelp explains the flag -config.
const configHelp = "`FILE` of TOML, or of JSON if it ends in .json, with the flags by name; tables [[engine]] and [each] hold what SPEC does. What the command line gives counts instead"

// applyConfig sets flags from a file, those apart that the command line gave.
func applyConfig(flags *flag.FlagSet, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	values := map[string]any{}
	if filepath.Ext(path) == ".json" {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		err = decoder.Decode(&values)
	} else {
		err = toml.Unmarshal(text, &values)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	set := commandline.Given(flags)
	for _, name := range sortedKeys(values) {
		if flags.Lookup(name) == nil || name == "config" {
			return fmt.Errorf("%s: no flag is called %q", path, name)
		}
		if set[name] {
			continue
		}
		if err := applyValue(flags, name, values[name]); err != nil {
			return fmt.Errorf("%s: %s: %w", path, name, err)
		}
	}
	return nil
}

// applyValue sets one flag, several times for a list of tables or texts of a
// flag that may be given again.
func applyValue(flags *flag.FlagSet, name string, value any) error {
	_, again := flags.Lookup(name).Value.(repeatable)
	list, isList := value.([]any)
	if tables, ok := value.([]map[string]any); ok {
		for _, table := range tables {
			list = append(list, table)
		}
		isList = true
	}
	if !isList || !again {
		return flags.Set(name, configText(value))
	}
	for _, one := range list {
		if err := flags.Set(name, configText(one)); err != nil {
			return err
		}
	}
	return nil
}

// repeatable is a flag.Value that may be given several times.
type repeatable interface {
	flag.Value
	words() []string // the texts given
}

// configText writes a value as the command line would have it.
func configText(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return shellwords.Join(tableWords("", v))
	case []any:
		var parts []string
		for _, one := range v {
			parts = append(parts, configText(one))
		}
		return strings.Join(parts, ",")
	}
	return fmt.Sprint(value)
}

// tableWords writes a table as words KEY=VALUE, tables in it as KEY.KEY=VALUE.
func tableWords(prefix string, table map[string]any) []string {
	var words []string
	for _, key := range sortedKeys(table) {
		if inner, ok := table[key].(map[string]any); ok {
			words = append(words, tableWords(prefix+key+".", inner)...)
			continue
		}
		words = append(words, prefix+key+"="+configText(table[key]))
	}
	return words
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
