package io.sluice.analyzer.detect;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Detects that a subject is over; one for each condition of a lock rule. */
interface Detector {

    /** Returns the threshold that the subject exceeds in the window that ends with this pane, or {@code null} when it is not. */
    @Nullable
    Over ask(Subject subject, long pane);

    /** The shares it is made of: with any, it is asked when their loads arrive, and not before. */
    default List<Share> shares() {
        return List.of();
    }

    /**
     * A threshold that was passed.
     *
     * @param observed what was seen, in the unit of {@link Threshold#value}
     * @param load the group's load that was looked at, in the measure's smallest unit, else 0
     */
    record Over(Threshold threshold, double observed, long load) {
        /** How many times the threshold it is. */
        double times() {
            return threshold.value() == 0 ? Double.MAX_VALUE : observed / threshold.value();
        }
    }
}
