module github.com/streamwright/streamwright

go 1.26.0
