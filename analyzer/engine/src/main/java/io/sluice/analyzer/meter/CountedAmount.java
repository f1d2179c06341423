package io.sluice.analyzer.meter;

import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Measure;

/** What a policy adds up of its events, each in its measure's smallest unit. */
enum CountedAmount {
    REQUESTS,
    BYTES,
    MICROS,
    COST,
    /** Distinct values, which are not added up. */
    VALUES;

    static CountedAmount of(Measure measure) {
        if (measure instanceof Measure.Bytes) {
            return BYTES;
        }
        if (measure instanceof Measure.Millis) {
            return MICROS;
        }
        if (measure instanceof Measure.Cost) {
            return COST;
        }
        return measure instanceof Measure.Distinct ? VALUES : REQUESTS;
    }

    /** Returns an event's amount, 0 or more. */
    long of(RequestEvent event) {
        return Math.max(
                0,
                switch (this) {
                    case REQUESTS -> event.count();
                    case BYTES -> event.bytes();
                    case MICROS -> event.micros();
                    case COST -> event.cost();
                    case VALUES -> 0;
                });
    }
}
