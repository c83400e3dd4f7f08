package main

import (
	"io"
	"strings"

	"github.com/bytedance/sonic"
	jsonexp "github.com/go-json-experiment/json"
	gojson "github.com/goccy/go-json"
	"github.com/minio/simdjson-go"
	"github.com/valyala/fastjson"

	"github.com/streamwright/streamwright/golden/bench/naive"
)

var jsonv2 = naive.JSON{
	Decode:  func(line []byte, l *naive.Line) error { return jsonexp.Unmarshal(line, l) },
	Encoder: func(w io.Writer) naive.Encoder { return jsonv2Encoder{w} },
}

type jsonv2Encoder struct{ w io.Writer }

func (e jsonv2Encoder) Encode(v any) error {
	if err := jsonexp.MarshalWrite(e.w, v); err != nil {
		return err
	}
	_, err := io.WriteString(e.w, "\n")
	return err
}

var sonicJSON = naive.JSON{
	Decode:  func(line []byte, l *naive.Line) error { return sonic.Unmarshal(line, l) },
	Encoder: func(w io.Writer) naive.Encoder { return sonic.ConfigDefault.NewEncoder(w) },
}

var goccy = naive.JSON{
	Decode:  func(line []byte, l *naive.Line) error { return gojson.Unmarshal(line, l) },
	Encoder: goccyEncoder,
}

func goccyEncoder(w io.Writer) naive.Encoder {
	e := gojson.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// fast finds the members in a tree that is used again for each record.
func fast() naive.JSON {
	var p fastjson.Parser
	return naive.JSON{
		Decode: func(line []byte, l *naive.Line) error {
			v, err := p.ParseBytes(line)
			if err != nil {
				return err
			}
			l.ID = string(v.GetStringBytes("id"))
			l.User = string(v.GetStringBytes("user"))
			l.Type = string(v.GetStringBytes("type"))
			l.Amount = v.GetFloat64("amount")
			l.At = string(v.GetStringBytes("at"))
			return nil
		},
		Encoder: goccyEncoder,
	}
}

// simd reads each record by itself. The library is made for blocks of many; its tape is used again.
func simd() naive.JSON {
	var tape *simdjson.ParsedJson
	return naive.JSON{
		Decode: func(line []byte, l *naive.Line) (err error) {
			if tape, err = simdjson.Parse(line, tape, simdjson.WithCopyStrings(false)); err != nil {
				return err
			}
			root := tape.Iter()
			root.Advance()
			var value simdjson.Iter
			var object simdjson.Object
			if _, _, err := root.Root(&value); err != nil {
				return err
			}
			if _, err := value.Object(&object); err != nil {
				return err
			}
			for {
				name, kind, err := object.NextElement(&value)
				if err != nil || kind == simdjson.TypeNone {
					return err
				}
				switch name {
				case "id":
					l.ID, err = text(&value)
				case "user":
					l.User, err = text(&value)
				case "type":
					l.Type, err = text(&value)
				case "amount":
					l.Amount, err = value.Float()
				case "at":
					l.At, err = text(&value)
				}
				if err != nil {
					return err
				}
			}
		},
		Encoder: goccyEncoder,
	}
}

// text is a string of its own: the tape points into the line.
func text(value *simdjson.Iter) (string, error) {
	s, err := value.String()
	return strings.Clone(s), err
}
