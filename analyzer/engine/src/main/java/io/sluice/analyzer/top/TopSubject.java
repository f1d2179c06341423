package io.sluice.analyzer.top;

import java.util.List;

/**
 * One of a policy's heaviest subjects. Amounts are of about the last minute: they fade, so that a steady flow stands at what comes in a
 * minute. Immutable.
 *
 * @param revision the policy's
 * @param offered admitted and rejected, in the measure's smallest unit; rejected requests at the mean cost of admitted ones. Never
 *     less than what came since the task began to count
 * @param error by so much {@code offered} may be more than the truth; the other numbers may leave out as much
 * @param amount admitted, in the measure's smallest unit; of different values the sum of each partial's, which counts some twice
 * @param admitted requests that passed
 * @param rejected requests that did not
 * @param micros service time of what passed, where the policy asks for it
 */
public record TopSubject(
        String revision,
        List<String> subject,
        double offered,
        double error,
        double amount,
        double admitted,
        double rejected,
        double micros) {
    public TopSubject {
        subject = List.copyOf(subject);
    }

    /** Requests, admitted or not. */
    public double requests() {
        return admitted + rejected;
    }
}
