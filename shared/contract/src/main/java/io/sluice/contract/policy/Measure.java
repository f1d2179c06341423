package io.sluice.contract.policy;

/** The quantity that a policy sums. */
public sealed interface Measure {
    Measure REQUESTS = new Requests();
    Measure BYTES = new Bytes();
    Measure MILLIS = new Millis();
    Measure COST = new Cost();

    /** Its name in a policy file and in evidence. */
    String name();

    /** How many of the smallest whole units make one of the policy file's: 1,000 for milliseconds, summed as microseconds. */
    long scale();

    /** Every request counts one. */
    record Requests() implements Measure {
        @Override
        public String name() {
            return "requests";
        }

        @Override
        public long scale() {
            return 1;
        }
    }

    /** The response's size. */
    record Bytes() implements Measure {
        @Override
        public String name() {
            return "bytes";
        }

        @Override
        public long scale() {
            return 1;
        }
    }

    /** Service time, summed as whole microseconds so that sums don't depend on order. */
    record Millis() implements Measure {
        @Override
        public String name() {
            return "millis";
        }

        @Override
        public long scale() {
            return 1000;
        }
    }

    /** What requests cost in a unit of the service's own: tokens, rows, credits. */
    record Cost() implements Measure {
        @Override
        public String name() {
            return "cost";
        }

        @Override
        public long scale() {
            return 1;
        }
    }

    /** How many different values an attribute took. */
    record Distinct(Attribute attribute) implements Measure {
        @Override
        public String name() {
            return "distinct " + attribute;
        }

        @Override
        public long scale() {
            return 1;
        }
    }
}
