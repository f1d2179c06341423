package io.sluice.analyzer.decide;

import io.sluice.analyzer.detect.Threshold;
import io.sluice.contract.usage.UsageKey;

/** Offered demand and debts of locked subjects. */
interface Demand {

    /** Demand as a part of the threshold that fired, NaN when unknown. */
    double of(UsageKey key, Threshold threshold);

    /** The same with events that may be on their way: a subject is silent when a window has passed since its newest event. */
    double onItsWay(UsageKey key, Threshold threshold);

    /** The same as a part of what a lock sheds down to. */
    double excess(UsageKey key, Threshold threshold);

    /** How much more was admitted than time has paid for, in the measure's unit, NaN when unknown. */
    double debt(UsageKey key);

    /** Demand that is unknown for all subjects. */
    Demand UNKNOWN = new Demand() {
        @Override
        public double of(UsageKey key, Threshold threshold) {
            return Double.NaN;
        }

        @Override
        public double onItsWay(UsageKey key, Threshold threshold) {
            return Double.NaN;
        }

        @Override
        public double excess(UsageKey key, Threshold threshold) {
            return Double.NaN;
        }

        @Override
        public double debt(UsageKey key) {
            return Double.NaN;
        }
    };
}
