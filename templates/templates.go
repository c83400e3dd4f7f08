// Package templates holds the skeletons of generated code: one small package per algorithm, written as ordinary Go over the placeholders that its slots.go
// declares, compiled and tested as it stands. gen/emit specialises a copy of their text.
package templates

import "embed"

// Skeletons are the sources of the skeletons: <name>/<name>.go and <name>/slots.go.
//
//go:embed */*.go
var Skeletons embed.FS

// Files are whole files of fixed shape, without logic: files/init is what streamwright init writes, files/run what streamwright run builds beside the generated
// code. Those that end in .tmpl are texts for package text/template.
//
//go:embed files
var Files embed.FS
