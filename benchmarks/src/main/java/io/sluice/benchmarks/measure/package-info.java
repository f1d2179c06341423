/** Measures contenders in turns and reports medians, spread and ratios. */
@NullMarked
package io.sluice.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
