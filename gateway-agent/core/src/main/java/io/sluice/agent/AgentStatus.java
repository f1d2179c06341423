package io.sluice.agent;

import io.sluice.contract.agent.Freshness;
import java.util.List;
import java.util.Map;

/**
 * A snapshot of an agent's state. Counts start when the agent is built. Immutable.
 *
 * @param agent the agent's id
 * @param service the service that the agent guards
 * @param freshness whether the lock table can be trusted
 * @param enforcing false while the kill switch is off or all policies are in shadow mode
 * @param policies the revision of the policy set in force, empty when there is none
 * @param heartbeatAges milliseconds since the last heartbeat of each analyzer task, by broker time
 * @param locks number of locks in force, shadow locks included
 * @param gates number of subjects in memory
 * @param checks all checks: {@code allowed + locked + limited}
 * @param rejections all rejections: {@code locked + limited}
 * @param allowed checks that passed
 * @param locked rejections by locks
 * @param limited rejections by local limits
 * @param claimed checks, of all, whose caller was only claimed: the analyzer never locks such a caller
 * @param rejectedBy rejections per policy: {@code lockedBy + limitedBy}. Removed policies keep their counts, here and below
 * @param lockedBy rejections by locks, per policy
 * @param limitedBy rejections by local limits, per policy
 * @param wouldRejectBy rejections that shadow policies and shadow locks would have made, per policy
 * @param failures checks that failed internally and were allowed; any number above 0 is a defect to report
 * @param logged requests passed to {@code log}
 * @param sent logged requests that the broker acknowledged
 * @param drops logged requests that were lost: the queue was full or the broker could not be reached
 * @param malformed unreadable records of the decision topics
 * @param newerFormats records in a format of a newer version, which are ignored
 * @param unknownModes locks with a mode that this version does not know and treats as shadow
 * @param fenced records of an earlier epoch of an analyzer task, which are dropped
 * @param misfits locks that were not applied because their policy has counted by other attributes since they were decided
 * @param unsigned records of the decision topics without a valid signature, where signatures are required
 * @param reasons why the agent is not fully working, in words; empty when it is
 */
public record AgentStatus(
        String agent,
        String service,
        Freshness freshness,
        boolean enforcing,
        String policies,
        Map<String, Long> heartbeatAges,
        long locks,
        long gates,
        long checks,
        long rejections,
        long allowed,
        long locked,
        long limited,
        long claimed,
        Map<String, Long> rejectedBy,
        Map<String, Long> lockedBy,
        Map<String, Long> limitedBy,
        Map<String, Long> wouldRejectBy,
        long failures,
        long logged,
        long sent,
        long drops,
        long malformed,
        long newerFormats,
        long unknownModes,
        long fenced,
        long misfits,
        long unsigned,
        List<String> reasons) {}
