package main

import (
	"fmt"
	"runtime/debug"
)

var versionCommand = command{
	name:     "version",
	does:     "print the version",
	about:    "The version of the module and, when it was built in its repository, the commit; and the Go that built it.",
	examples: "streamwright version",
	run: func(c *call) int {
		if len(c.args) > 0 || len(c.pass) > 0 {
			return c.usage("takes no arguments")
		}
		info, ok := debug.ReadBuildInfo()
		if !ok {
			return c.fail(failed, fmt.Errorf("this binary has no build information"))
		}
		fmt.Fprintln(c.stdout, versionLine(info))
		return done
	},
}

// versionLine is for example "streamwright v0.3.0 (commit 1a2b3c4d5e6f of 2026-05-01T10:00:00Z, changed), go1.26.0 linux/amd64".
func versionLine(info *debug.BuildInfo) string {
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	line := "streamwright " + info.Main.Version
	if info.Main.Version == "" {
		line = "streamwright (devel)"
	}
	if commit := set["vcs.revision"]; commit != "" {
		line += fmt.Sprintf(" (commit %.12s of %s", commit, set["vcs.time"])
		if set["vcs.modified"] == "true" {
			line += ", changed"
		}
		line += ")"
	}
	return fmt.Sprintf("%s, %s %s/%s", line, info.GoVersion, set["GOOS"], set["GOARCH"])
}
