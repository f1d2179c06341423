/** Checks a second over HTTP, beside a server that answers nothing. */
@NullMarked
package io.sluice.benchmarks.sidecar;

import org.jspecify.annotations.NullMarked;
