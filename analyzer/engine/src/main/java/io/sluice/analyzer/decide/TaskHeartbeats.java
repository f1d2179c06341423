package io.sluice.analyzer.decide;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.CountParts;
import io.sluice.contract.lock.Version;
import java.util.Map;

/**
 * The heartbeats of a decide task. Every agent reads all of them, so each holds at most {@value #PART_BYTES} bytes of each kind of counts; the
 * others follow in turn. One thread.
 */
public final class TaskHeartbeats {
    /** So that the number is an {@code int}. */
    private static final int MOST_DIGITS = 9;

    /** Some twenty names. */
    private static final int PART_BYTES = 512;

    private final CountParts agentParts = new CountParts(PART_BYTES, false);
    private final CountParts activeParts = new CountParts(PART_BYTES, true);
    private final CountParts enforcedParts = new CountParts(PART_BYTES, true);

    /**
     * Returns a heartbeat with the next part of its counts.
     *
     * @param whole with all counts
     * @param agentsPart whether all agents accept heartbeats with a part of the services
     */
    AnalyzerHeartbeat next(AnalyzerHeartbeat whole, boolean agentsPart) {
        Map<String, Integer> agents = agentsPart ? agentParts.next(whole.liveAgents()) : whole.liveAgents();
        Map<String, Integer> active = activeParts.next(whole.active());
        Map<String, Integer> enforced = enforcedParts.next(whole.enforced());
        return new AnalyzerHeartbeat(
                whole.version(),
                whole.instance(),
                whole.time(),
                agents,
                active,
                enforced,
                whole.refused(),
                whole.positions(),
                agents.size() < whole.liveAgents().size(),
                !active.keySet().containsAll(whole.active().keySet())
                        || !enforced.keySet().containsAll(whole.enforced().keySet()));
    }

    /** Returns the number of the decide task that wrote a record, -1 when none did. */
    public static int task(Version version) {
        String name = version.task();
        int digits = name.length() - AnalyzerHeartbeat.TASK.length();
        if (!name.startsWith(AnalyzerHeartbeat.TASK) || digits < 1 || digits > MOST_DIGITS) {
            return -1;
        }
        int task = 0;
        for (int i = AnalyzerHeartbeat.TASK.length(); i < name.length(); i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            task = 10 * task + digit;
        }
        return task;
    }
}
