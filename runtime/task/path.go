package task

import (
	"fmt"
	"os"
	"strings"
)

// Expand replaces ${NAME} in path by the value of the environment variable, and ${NAME:-default} by default if the variable is unset or empty. Any other $ stays.
// A variable without a default that is unset or empty, and a ${ that is neither form, are errors.
func Expand(path string) (string, error) {
	var out strings.Builder
	rest := path
	for {
		before, after, found := strings.Cut(rest, "${")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		inside, behind, closed := strings.Cut(after, "}")
		name, fallback, hasDefault := strings.Cut(inside, ":-")
		if !closed || !variable(name) {
			return "", fmt.Errorf("%s: ${ must be ${NAME} or ${NAME:-default}, NAME of letters, digits and _", path)
		}
		value, set := os.LookupEnv(name)
		switch {
		case hasDefault && value == "":
			value = fallback
		case !set:
			return "", fmt.Errorf("%s: the environment variable %s is not set; set it, or give a default in the spec: ${%s:-default}", path, name, name)
		case value == "" && !hasDefault:
			return "", fmt.Errorf("%s: the environment variable %s is set but empty; give it a value, or write ${%s:-} in the spec if it may be empty", path, name, name)
		}
		out.WriteString(value)
		rest = behind
	}
}

// expanded adds to an error about a path how the spec has it, where variables have made another one of it.
func expanded(err error, written, path string) error {
	if err == nil || written == path {
		return err
	}
	return fmt.Errorf("%w; in the spec the path is %s", err, written)
}

func variable(name string) bool {
	for i, c := range []byte(name) {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
