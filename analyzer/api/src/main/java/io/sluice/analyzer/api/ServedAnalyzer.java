package io.sluice.analyzer.api;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.run.TaskQueries;
import io.sluice.contract.pseudonym.Pseudonyms;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The analyzer that an {@link Api} belongs to.
 *
 * @param name of the instance
 * @param maxLease the longest lease of a lock, in milliseconds
 * @param running whether it processes all its tasks
 * @param counts what its tasks have counted
 * @param tasks its tasks' state of callers
 * @param catchingUp how far it is behind, as a sentence; empty when it is not
 * @param pseudonyms under which policies that are applied name callers
 * @param ipv6Prefix leading bits that identify an IPv6 caller, 1 to 128
 * @param note a sentence for readers of the dashboard, such as the act of a demo; empty for none
 */
public record ServedAnalyzer(
        String name,
        long maxLease,
        BooleanSupplier running,
        Supplier<Map<Count, Long>> counts,
        TaskQueries tasks,
        Supplier<String> catchingUp,
        Pseudonyms pseudonyms,
        int ipv6Prefix,
        Supplier<String> note) {
    private static final int USUAL_IPV6_PREFIX = 64;

    /** An analyzer without a note, with the usual networks of IPv6 callers. */
    public ServedAnalyzer(
            String name,
            long maxLease,
            BooleanSupplier running,
            Supplier<Map<Count, Long>> counts,
            TaskQueries tasks,
            Supplier<String> catchingUp,
            Pseudonyms pseudonyms) {
        this(name, maxLease, running, counts, tasks, catchingUp, pseudonyms, USUAL_IPV6_PREFIX, () -> "");
    }

    /** An analyzer without a note and without pseudonyms, whose delay is not known. */
    public ServedAnalyzer(
            String name, long maxLease, BooleanSupplier running, Supplier<Map<Count, Long>> counts, TaskQueries tasks) {
        this(name, maxLease, running, counts, tasks, () -> "", Pseudonyms.NONE);
    }
}
