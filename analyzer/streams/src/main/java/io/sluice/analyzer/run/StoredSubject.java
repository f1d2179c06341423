package io.sluice.analyzer.run;

import io.sluice.analyzer.detect.Standing;
import io.sluice.analyzer.detect.Threshold;
import io.sluice.analyzer.window.Panes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * State of a subject that its task has stored, as of the last commit.
 *
 * @param window the subject's window
 * @param earlier the window that ends where {@code window} begins; empty where the store does not keep it
 * @param standings an entry for each condition of the lock rule, any of which is sufficient: the parts of the condition, all of which have to hold
 */
public record StoredSubject(Panes window, Optional<Panes> earlier, List<List<Standing>> standings) {

    /** Returns the sum above which the rule locks at present, or the debt, in the measure's unit; empty while it is not known. */
    public OptionalDouble limit() {
        double least = standings.stream().mapToDouble(StoredSubject::most).min().orElse(Double.POSITIVE_INFINITY);
        return Double.isInfinite(least) ? OptionalDouble.empty() : OptionalDouble.of(least);
    }

    private static double most(List<Standing> parts) {
        double most = 0;
        for (Standing part : parts) {
            Double limit = part.limit();
            most = Math.max(most, limit == null ? Double.POSITIVE_INFINITY : limit);
        }
        return most;
    }

    /**
     * Returns the amount that is compared with {@link #limit}: the debt where locks last until one is paid, else the sum of the window.
     *
     * @param scale how many of the measure's smallest unit make one of the policy file's
     */
    public double used(double scale) {
        for (List<Standing> parts : standings) {
            for (Standing part : parts) {
                Double observed = part.observed();
                if (observed != null && part.detector().equals(Threshold.DEBT)) {
                    return observed;
                }
            }
        }
        return window.sum() / scale;
    }
}
