package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/streamwright/streamwright/gen/sample"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
)

var eventsCommand = command{
	name: "events", args: "[flags] [SPEC]",
	does: "make events for a spec",
	about: `It writes records of the pipeline's source to standard output, made from the
event's contract: choices, bounds, patterns, nested structs, times in their
format. What may be missing or null is so now and then. Keys of windows are
skewed, ids of a dedup are unique. The same flags give the same bytes.

Late records are older than out_of_orderness allows when they arrive. Duplicates
are byte-exact copies within the horizon of the dedup. Broken records violate the
contract, each in one place and way: no JSON, a field that is missing, null, of
another type, not among the choices, beyond a bound, no match, no time.`,
	examples: `
		streamwright events ./orders >orders.ndjson
		streamwright events ./orders -n 1000000 --rate 5000/s --late 1% --duplicates 2%
		streamwright events ./orders --broken 50% | go run ./cmd/orders   when the source's path is -`,
	flags: func(c *call) {
		c.flags.Int("n", 1000, "how many `RECORDS`, copies and broken ones too; else 1000")
		c.flags.Uint64("seed", 1, "another `NUMBER` than 1 gives other events")
		c.flags.String("pipeline", "", "the `NAME` of the pipeline, where the spec has several")
		c.flags.String("source", "", "the `NAME` of the source, where the pipeline has several")
		c.flags.Duration("disorder", sample.AsDeclared, "the longest `TIME` that a record arrives after later ones; else out_of_orderness, at most 5s")
		c.flags.Var(new(share), "late", "the `SHARE` of records behind the watermark, such as 1%; else none")
		c.flags.Var(new(share), "duplicates", "the `SHARE` of copies; else none")
		c.flags.Var(new(share), "broken", "the `SHARE` of records that violate the contract; else none")
		r := rate(100)
		c.flags.Var(&r, "rate", "the `RATE` of records in event time, such as 20/m; else 100/s")
		c.flags.String("start", "", "the `TIME` of the first record, RFC 3339; else 2024-01-01T00:00:00Z, or what the contract has near it")
		c.flags.Int("keys", 1000, "how many different `KEYS`; else 1000")
	},
	run: func(c *call) int {
		if len(c.pass) > 0 {
			return c.usage(fmt.Sprintf("unexpected arguments behind --: %q", c.pass))
		}
		config, err := c.sampleConfig()
		if err != nil {
			return c.usage(err.Error())
		}
		_, pkg := c.read()
		if pkg == nil {
			return wrong
		}
		p, err := choosePipeline(pkg, c.flags.Lookup("pipeline").Value.String())
		if err != nil {
			return c.usage(err.Error())
		}
		if config.Source, err = chooseSource(p, c.flags.Lookup("source").Value.String()); err != nil {
			return c.usage(err.Error())
		}
		g, err := sample.New(p, config)
		if err != nil {
			return c.fail(wrong, err)
		}
		for _, note := range g.Notes() {
			c.note("streamwright events: %s", note)
		}
		if err := g.Write(c.stdout); err != nil {
			return c.fail(failed, err)
		}
		return done
	},
}

// sampleConfig reads the flags.
func (c *call) sampleConfig() (config sample.Config, err error) {
	value := func(name string) any { return c.flags.Lookup(name).Value.(flag.Getter).Get() }
	config = sample.Config{
		Events: value("n").(int), Seed: value("seed").(uint64), Rate: value("rate").(float64), Start: sample.NoStart, Disorder: int64(value("disorder").(time.Duration)),
		Late: value("late").(float64), Duplicates: value("duplicates").(float64), Broken: value("broken").(float64), Keys: value("keys").(int),
	}
	if text := value("start").(string); text != "" {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return config, fmt.Errorf("--start %q is not a time such as 2024-01-01T00:00:00Z", text)
		}
		if config.Start = at.UnixNano(); at.Year() < 1678 || at.Year() > 2261 {
			return config, fmt.Errorf("--start %s is outside of the years 1678 to 2261", text)
		}
	}
	switch {
	case config.Events < 0:
		return config, fmt.Errorf("-n %d is below 0", config.Events)
	case config.Keys < 1:
		return config, fmt.Errorf("--keys %d is below 1", config.Keys)
	case config.Disorder < 0 && config.Disorder != sample.AsDeclared:
		return config, fmt.Errorf("--disorder %v is below 0", time.Duration(config.Disorder))
	case config.Late+config.Duplicates+config.Broken > 1:
		return config, errors.New("--late, --duplicates and --broken are more than 100% together")
	}
	return config, nil
}

// choosePipeline is the pipeline of that name, or the only one.
func choosePipeline(pkg *spec.Package, name string) (*spec.Pipeline, error) {
	var names []string
	for _, p := range pkg.Pipelines {
		if p.Name == name || name == "" && len(pkg.Pipelines) == 1 {
			return p, nil
		}
		names = append(names, p.Name)
	}
	list := "its pipelines are " + strings.Join(names, ", ")
	if name == "" {
		return nil, errors.New(hinted("the spec has several pipelines: choose one with --pipeline", list))
	}
	return nil, errors.New(hinted(fmt.Sprintf("the spec has no pipeline %q", name), diag.Hint(diag.Near(name, names), list)))
}

// chooseSource is the place of the source of that name, or of the only one.
func chooseSource(p *spec.Pipeline, name string) (int, error) {
	var names []string
	for i, s := range p.Sources {
		if s.Name == name || name == "" && len(p.Sources) == 1 {
			return i, nil
		}
		names = append(names, s.Name)
	}
	list := "its sources are " + strings.Join(names, ", ")
	if name == "" {
		return 0, errors.New(hinted(fmt.Sprintf("the pipeline %s has several sources: choose one with --source", p.Name), list))
	}
	return 0, errors.New(hinted(fmt.Sprintf("the pipeline %s has no source %q", p.Name, name), diag.Hint(diag.Near(name, names), list)))
}

// share is a flag: 1% or 0.01.
type share float64

func (s *share) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }
func (s *share) Get() any       { return float64(*s) }

func (s *share) Set(text string) error {
	digits, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(digits, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return errors.New("want a share from 0% to 100%, such as 0.5%")
	}
	*s = share(v)
	return nil
}

// rate is a flag: records per second, written as 100/s, 3/m or 1/h.
type rate float64

func (r *rate) String() string { return strconv.FormatFloat(float64(*r), 'g', -1, 64) + "/s" }
func (r *rate) Get() any       { return float64(*r) }

func (r *rate) Set(text string) error {
	digits, unit, _ := strings.Cut(text, "/")
	v, err := strconv.ParseFloat(digits, 64)
	seconds := map[string]float64{"": 1, "s": 1, "m": 60, "h": 3600}[unit]
	if err != nil || seconds == 0 || !(v/seconds >= 1e-6 && v/seconds <= 1e9) {
		return errors.New("want records in a second, minute or hour, such as 100/s")
	}
	*r = rate(v / seconds)
	return nil
}
