package io.sluice.contract.topic;

/**
 * The names of our topics.
 *
 * @param prefix in front of each, {@code sluice.} unless configured; letters, digits, dots, dashes and underscores
 */
public record TopicNames(String prefix) {
    private static final int LONGEST = 200;

    /** @throws IllegalArgumentException when Kafka would not have a topic of such a name */
    public TopicNames {
        if (prefix.length() > LONGEST || !prefix.chars().allMatch(TopicNames::isAllowed)) {
            throw new IllegalArgumentException("prefix may have up to " + LONGEST
                    + " letters, digits, dots, dashes and underscores, found \"" + prefix + "\"");
        }
    }

    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._-".indexOf(c) >= 0;
    }

    /** Access logs. */
    public String requests() {
        return prefix + "requests";
    }

    /** Partial sums on their way from meter to detect. */
    public String usage() {
        return prefix + "usage";
    }

    /** Totals of groups. */
    public String loads() {
        return prefix + "loads";
    }

    /** The decisions. */
    public String gateLocks() {
        return prefix + "gate-locks";
    }

    /** The policy set, {@code desired} and {@code active}. */
    public String policies() {
        return prefix + "policies";
    }

    /** The topic of operators' records. */
    public String operator() {
        return prefix + "operator";
    }

    /** The agents' heartbeats. */
    public String agents() {
        return prefix + "agents";
    }

    /** Every transition of a lock and every operator's action, appended for good. */
    public String decisions() {
        return prefix + "decisions";
    }

    /** What could not be read. */
    public String deadLetters() {
        return prefix + "dead-letters";
    }
}
