// Package crash kills a generated processor at any instant, again and again, and holds what it has written in the end against a run that nobody disturbed.
package crash
