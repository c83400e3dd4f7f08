package golden

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandsOfREADMEs runs what the README of the project and those of the examples tell a reader to run in a clone: lines of code that call the command. Each must succeed, and what it would write
// to a file with ">" must be what that file has.
func TestCommandsOfREADMEs(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "streamwright")
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/streamwright").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	readmes, err := filepath.Glob("../examples/*/README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, readme := range append(readmes, "../README.md") {
		text, err := os.ReadFile(readme)
		if err != nil {
			t.Fatal(err)
		}
		dir := root
		for _, line := range strings.Split(string(text), "\n") {
			code, isCode := strings.CutPrefix(line, "    ")
			if !isCode {
				dir = root // another block
				continue
			}
			if to, ok := strings.CutPrefix(code, "cd "); ok {
				dir = filepath.Join(dir, to)
			}
			at := strings.Index(code, "cmd/streamwright ")
			if at < 0 || !strings.HasPrefix(code, "go run ") {
				continue
			}
			arguments, _, _ := strings.Cut(code[at+len("cmd/streamwright "):], " #")
			arguments, file, writes := strings.Cut(arguments, ">")
			cmd := exec.Command(bin, strings.Fields(arguments)...)
			cmd.Dir = dir
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Run(); err != nil {
				t.Errorf("%s: %s: %v\n%s", readme, code, err, errs.Bytes())
				continue
			}
			commands++
			if writes {
				want, err := os.ReadFile(filepath.Join(dir, strings.TrimSpace(file)))
				if err != nil {
					t.Error(err)
				} else if !bytes.Equal(out.Bytes(), want) {
					t.Errorf("%s: %s writes something else than what is in the file", readme, code)
				}
			}
		}
	}
	if commands < 7 {
		t.Errorf("only %d commands were found: this test looks for them in the wrong way", commands)
	}
}
