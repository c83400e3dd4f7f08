package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/spec/diag"
)

// initTemplate is a pipeline that init can write: a folder of templates/files/init.
type initTemplate struct {
	name     string
	about    string
	pipeline string // Go variable of its pipeline
}

// templateList are in the order of the help; the first is what init writes when it is not told which.
var templateList = []initTemplate{
	{"count", "orders, each once, counted and summed per user and minute", "SpendPerUserPipeline"},
	{"dedup", "deliveries of webhooks, each passed on once", "FirstDeliveriesPipeline"},
	{"select", "lines of an access log, filtered and put into another shape", "NotableRequestsPipeline"},
	{"route", "payments, sorted into several files", "SortedPaymentsPipeline"},
	{"contract", "readings of sensors, with a contract from a JSON Schema", "HourlyClimatePipeline"},
}

// listTemplates is for the help.
func listTemplates() string {
	var b strings.Builder
	for _, t := range templateList {
		fmt.Fprintf(&b, "  %-8s  %s\n", t.name, t.about)
	}
	return b.String()
}

// chooseTemplate is the template of that name.
func chooseTemplate(name string) (initTemplate, error) {
	var names []string
	for _, t := range templateList {
		if t.name == name {
			return t, nil
		}
		names = append(names, t.name)
	}
	return initTemplate{}, errors.New(hinted(fmt.Sprintf("there is no template %q", name), diag.Hint(diag.Near(name, names), "want "+diag.Words(names))))
}
