package io.sluice.analyzer.exact;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/** A sum over events that come and go. */
interface ExactSum {
    void enter(Counted event);

    void leave(Counted event);

    long value();

    /** Adds up a number of each event. */
    static ExactSum of(ToLongFunction<Counted> number) {
        return new Total(number);
    }

    /** Counts the different values of the events. */
    static ExactSum ofDistinct() {
        return new Distinct();
    }

    /** A plain sum. */
    final class Total implements ExactSum {
        private final ToLongFunction<Counted> number;
        private long total;

        private Total(ToLongFunction<Counted> number) {
            this.number = number;
        }

        @Override
        public void enter(Counted event) {
            // wrong sums are worse than none
            total = Math.addExact(total, number.applyAsLong(event));
        }

        @Override
        public void leave(Counted event) {
            total -= number.applyAsLong(event);
        }

        @Override
        public long value() {
            return total;
        }
    }

    /** Every value that is there, with how many events have it. */
    final class Distinct implements ExactSum {
        private final Map<String, Integer> values = new HashMap<>();

        private Distinct() {}

        @Override
        public void enter(Counted event) {
            if (event.value() != null) {
                values.merge(event.value(), 1, Integer::sum);
            }
        }

        @Override
        public void leave(Counted event) {
            if (event.value() != null) {
                values.computeIfPresent(event.value(), (value, events) -> events == 1 ? null : events - 1);
            }
        }

        @Override
        public long value() {
            return values.size();
        }
    }
}
