/** More threads, more instances, and one caller that makes nearly all requests. */
@NullMarked
package io.sluice.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
