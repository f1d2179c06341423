package io.sluice.contract.agent;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An agent's heartbeat, sent every few seconds. Counts are since it started. Those by policy hold what is not zero, of the
 * {@link #MOST_POLICIES} policies with the highest counts.
 *
 * @param agent the agent's id, 1 to {@value #LONGEST_NAME} characters
 * @param service the service it guards, 1 to {@value #LONGEST_NAME} characters
 * @param locks how many locks it holds
 * @param checks how many requests it checked
 * @param rejections how many of them it turned away
 * @param drops how many request events it could not send
 * @param time the agent's own wall clock, epoch milliseconds, for people only
 * @param rejectedByPolicy rejections by the name of the policy
 * @param wouldRejectByPolicy what policies and locks that only report would have rejected, by the name of the policy
 * @param partsAccepted whether it understands heartbeats of analyzers that name some of the services only
 * @param unanswered the strategies that limits name and that give this agent no answers, at most {@link #MOST_STRATEGIES}: it applies its share
 * @param reasons codes of {@link AgentReason} in the enum's order, then at most {@link #MOST_NEWER_REASONS} of a newer version
 * @param run a random number of the process, which differs where two have the same id; 0 from earlier versions
 */
public record AgentHeartbeat(
        String agent,
        String service,
        Freshness freshness,
        long locks,
        long checks,
        long rejections,
        long drops,
        long time,
        Map<String, Long> rejectedByPolicy,
        Map<String, Long> wouldRejectByPolicy,
        boolean partsAccepted,
        List<String> unanswered,
        List<String> reasons,
        long run) {
    /** Of the agent's id and of its service, in characters. */
    public static final int LONGEST_NAME = 256;

    /** So many reasons that this version does not know are kept. */
    public static final int MOST_NEWER_REASONS = 4;

    private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    /** So many strategies are named. */
    public static final int MOST_STRATEGIES = 16;

    /** The longest name of a strategy, with an algorithm, has 83 characters; longer texts are forged and left out. */
    private static final int MOST_STRATEGY_CHARACTERS = 100;

    /** So many policies of the longest names still fit into a record, twice. */
    public static final int MOST_POLICIES = 256;

    public AgentHeartbeat {
        rejectedByPolicy = highest(rejectedByPolicy);
        wouldRejectByPolicy = highest(wouldRejectByPolicy);
        unanswered = unanswered.stream()
                .filter(strategy -> strategy.length() <= MOST_STRATEGY_CHARACTERS)
                .limit(MOST_STRATEGIES)
                .toList();
        reasons = codes(reasons);
    }

    /** One of an agent that needs all services in each heartbeat. */
    public AgentHeartbeat(
            String agent,
            String service,
            Freshness freshness,
            long locks,
            long checks,
            long rejections,
            long drops,
            long time,
            Map<String, Long> rejectedByPolicy,
            Map<String, Long> wouldRejectByPolicy) {
        this(
                agent,
                service,
                freshness,
                locks,
                checks,
                rejections,
                drops,
                time,
                rejectedByPolicy,
                wouldRejectByPolicy,
                false,
                List.of(),
                List.of(),
                0);
    }

    /** Returns the same heartbeat without the counts by policy. */
    public AgentHeartbeat withoutPolicies() {
        return new AgentHeartbeat(
                agent,
                service,
                freshness,
                locks,
                checks,
                rejections,
                drops,
                time,
                Map.of(),
                Map.of(),
                partsAccepted,
                unanswered,
                reasons,
                run);
    }

    private static List<String> codes(List<String> reasons) {
        Stream<String> known =
                Arrays.stream(AgentReason.values()).map(AgentReason::code).filter(reasons::contains);
        Stream<String> newer = reasons.stream()
                .filter(code ->
                        AgentReason.of(code).isEmpty() && CODE.matcher(code).matches())
                .distinct()
                .limit(MOST_NEWER_REASONS);
        return Stream.concat(known, newer).toList();
    }

    private static Map<String, Long> highest(Map<String, Long> counts) {
        Map<String, Long> highest = new TreeMap<>();
        counts.entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_POLICIES)
                .forEach(count -> highest.put(count.getKey(), count.getValue()));
        return Map.copyOf(highest);
    }
}
