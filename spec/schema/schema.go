// Package schema holds the CUE schema of the language, one file per word. A spec imports it as Path; the files are inside the binary, so that a tool and
// its schema cannot differ.
package schema

import "embed"

// Path is the import path under which a spec refers to the schema.
const Path = "github.com/streamwright/streamwright/spec"

// Files are the files of the schema, package spec.
//
//go:embed *.cue
var Files embed.FS
