package io.sluice.analyzer.fleet;

import io.sluice.contract.agent.AgentHeartbeat;
import java.util.ArrayList;
import java.util.List;

/**
 * The processes that send heartbeats with one agent's id: one, unless the id was given to several. A process in the place of another one does not
 * count twice: the other one sends nothing afterwards. Immutable.
 *
 * @param runs those with a heartbeat within {@value Agents#ALIVE_MILLIS} ms, at most {@value #MOST}
 */
public record AgentProcesses(List<Run> runs) {
    /** So many processes of one id are counted. */
    public static final int MOST = 16;

    /** No process yet. */
    public static final AgentProcesses NONE = new AgentProcesses(List.of());

    /**
     * A process.
     *
     * @param id its {@link AgentHeartbeat#run}
     * @param first append time of its first heartbeat, epoch milliseconds
     * @param last append time of its newest one
     */
    public record Run(long id, long first, long last) {}

    public AgentProcesses {
        runs = List.copyOf(runs);
    }

    /** Returns these and the process of a heartbeat; at the bound, new ones are left out until others have been silent for long enough. */
    public AgentProcesses heard(AgentHeartbeat beat, long append) {
        List<Run> heard = new ArrayList<>(runs.size() + 1);
        long first = append;
        for (Run run : runs) {
            if (run.id == beat.run()) {
                first = run.first;
            } else if (append - run.last <= Agents.ALIVE_MILLIS) {
                heard.add(run);
            }
        }
        if (heard.size() < MOST) {
            heard.add(new Run(beat.run(), first, append));
        }
        return new AgentProcesses(heard);
    }

    /** Returns the number of processes that are alive: the newest one, and those with a heartbeat after its first one. */
    public int alive() {
        long newest = runs.stream().mapToLong(Run::first).max().orElse(0);
        return Math.max(1, (int) runs.stream().filter(run -> run.last >= newest).count());
    }
}
