// Package schema holds the CUE schema of the language, one file per word.
package schema
