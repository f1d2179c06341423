package io.sluice.agent;

import io.sluice.contract.agent.Freshness;
import java.util.List;
import java.util.Map;

/**
 * How an agent is doing, at one moment. Counts are since it was built.
 *
 * @param freshness how far its lock table can be trusted
 * @param enforcing false while the kill switch is off, or all policies only report
 * @param policies the revision of the policy set in force, empty when there is none
 * @param heartbeatAges milliseconds since each analyzer task was last heard of, by broker time
 * @param locks how many locks hold, shadows included
 * @param gates how many subjects are kept in memory
 * @param checks all checks: {@code allowed + locked + limited}
 * @param rejections all rejections: {@code locked + limited}
 * @param allowed checks that passed
 * @param locked rejections by gate locks
 * @param limited rejections by local limits
 * @param claimed of all checks, those whose caller was only claimed: the analyzer never locks such a caller
 * @param rejectedBy rejections by policy: {@code lockedBy + limitedBy}. Removed policies keep their counts, here and below
 * @param lockedBy rejections by gate locks, by policy
 * @param limitedBy rejections by local limits, by policy
 * @param wouldRejectBy what shadow policies and shadow locks would have rejected, by policy
 * @param failures checks that failed inside and were allowed; always 0, or there is an error to report
 * @param logged requests handed to {@code log}
 * @param sent of these, acknowledged by the broker
 * @param drops of these, lost: the queue was full or the broker could not be reached
 * @param malformed records of the decision topics that could not be read
 * @param newerFormats records that a newer version wrote and this one ignores
 * @param unknownModes locks of a mode that this version treats as shadow
 * @param fenced records dropped because a former life of an analyzer task wrote them
 * @param misfits locks not obeyed since their policy counts by other attributes than when they were decided
 * @param reasons why it is not at its best, in words; empty when it is
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
        List<String> reasons) {}
