// Package inspect shows people what a pipeline has committed: positions, watermark, counts, and what each stage keeps. It knows the pipeline by the layouts in the place alone, so that
// nothing of its code is needed. No processor links it.
package inspect
