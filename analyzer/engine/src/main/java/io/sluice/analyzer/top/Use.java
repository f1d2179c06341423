package io.sluice.analyzer.top;

/**
 * The summed usage of a subject.
 *
 * @param weight what the sketch ranks by
 * @param amount admitted, in the measure's smallest unit
 * @param admitted requests that passed
 * @param rejected requests that did not
 * @param micros service time of what passed
 */
record Use(double weight, double amount, double admitted, double rejected, double micros) {}
