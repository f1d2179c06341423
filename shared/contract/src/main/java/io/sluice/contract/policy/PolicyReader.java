package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads one of {@code policies}. */
final class PolicyReader {
    private static final List<String> KEYS =
            List.of("name", "match", "per", "measure", "window", "panes", "lock", "limit", "overrides");
    private static final String NAME = "[a-z0-9-]{1,64}";
    private static final String MEASURES = "allowed: requests, bytes, millis, cost, { distinct: ATTRIBUTE }";
    private static final long SECOND = 1000;
    private static final long DEFAULT_WINDOW = 60 * SECOND;
    private static final long MAX_WINDOW = 24 * 60 * 60 * SECOND;
    private static final int DEFAULT_PANES = 60;
    private static final int MIN_PANES = 4;
    private static final int MAX_PANES = 600;

    private final Fields policy;
    private final Problems problems;

    PolicyReader(Fields policy) {
        this.policy = policy;
        this.problems = policy.problems();
    }

    Policy read() {
        policy.allow(KEYS);
        String name = name();
        int before = problems.count();
        Match match = match();
        boolean matchRead = problems.count() == before;
        before = problems.count();
        List<Attribute> per = AttributeList.read(policy, "per");
        if (!policy.has("per")) {
            policy.missing("per", "allowed: a list of request attributes, or [] for one subject");
        }
        boolean perRead = problems.count() == before;
        before = problems.count();
        Measure measure = measure();
        boolean measureRead = problems.count() == before;
        Window window = window();
        Counting counting = new Counting(
                matchRead ? match : null,
                perRead ? per : null,
                measureRead ? measure : null,
                window == null ? null : window.millis());
        Fields lockFields = policy.fields("lock");
        LockRule lock = lockFields == null ? null : new LockRuleReader(lockFields, counting).read();
        Fields limitFields = policy.fields("limit");
        LimitRule limit = limitFields == null ? null : new LimitRuleReader(limitFields, counting.measure()).read();
        checkRules(match);
        List<Policy.Override> overrides = new OverrideReader(policy, counting).read();
        Window readWindow = window == null ? new Window(DEFAULT_WINDOW, DEFAULT_PANES) : window;
        String revision = Revisions.ofPolicy(name, match, per, measure, readWindow);
        return new Policy(name, match, per, measure, readWindow, lock, limit, overrides, revision);
    }

    private String name() {
        return policy.required("name", "", "allowed: 1 to 64 of a-z, 0-9 and -", text -> {
            if (text.matches(NAME)) {
                return text;
            }
            throw new IllegalArgumentException("allowed: 1 to 64 of a-z, 0-9 and -");
        });
    }

    private Match match() {
        Fields match = policy.fields("match");
        return match == null ? Match.ANY : MatchReader.read(match);
    }

    private Measure measure() {
        if (policy.mapping().value("measure") instanceof Node.Mapping mapping) {
            Fields fields = new Fields(mapping, policy.path("measure"), problems);
            fields.allow(List.of("distinct"));
            if (mapping.entries().isEmpty()) {
                fields.wrong("empty; " + MEASURES);
            }
            return fields.scalar("distinct", Measure.REQUESTS, text -> new Measure.Distinct(Attribute.parse(text)));
        }
        return policy.scalar("measure", Measure.REQUESTS, text -> switch (text) {
            case "requests" -> Measure.REQUESTS;
            case "bytes" -> Measure.BYTES;
            case "millis" -> Measure.MILLIS;
            case "cost" -> Measure.COST;
            default -> throw new IllegalArgumentException(MEASURES);
        });
    }

    private @Nullable Window window() {
        int before = problems.count();
        long millis = policy.duration("window", DEFAULT_WINDOW, SECOND, MAX_WINDOW);
        int panes = (int) policy.whole("panes", defaultPanes(millis), MIN_PANES, MAX_PANES);
        if (problems.count() > before) {
            return null;
        }
        if (millis % panes != 0) {
            policy.wrong(
                    policy.has("panes") ? "panes" : "window",
                    "a window of " + millis + " ms can't be cut into " + panes + " panes of whole milliseconds"
                            + fitting(millis, panes));
            return null;
        }
        return new Window(millis, panes);
    }

    private static boolean hasLock(Node override) {
        return override instanceof Node.Mapping mapping && mapping.value("lock") != null;
    }

    /** As near below {@link #DEFAULT_PANES} as whole milliseconds allow: a window of 10 s has 50 of 200 ms. */
    private static int defaultPanes(long millis) {
        return IntStream.iterate(DEFAULT_PANES, panes -> panes >= MIN_PANES, panes -> panes - 1)
                .filter(panes -> millis % panes == 0)
                .findFirst()
                .orElse(DEFAULT_PANES);
    }

    private static String fitting(long millis, int panes) {
        return IntStream.rangeClosed(MIN_PANES, MAX_PANES)
                .filter(candidate -> millis % candidate == 0)
                .boxed()
                .min(Comparator.comparingInt(candidate -> Math.abs(candidate - panes)))
                .map(nearest -> "; allowed: such as " + nearest + " panes")
                .orElse("; allowed: a rounder window");
    }

    private void checkRules(Match match) {
        List<Node> overrides = policy.items("overrides");
        if (!policy.has("lock") && !policy.has("limit") && (overrides == null || overrides.isEmpty())) {
            policy.wrong("does nothing; allowed: lock, limit or both");
        }
        boolean locks =
                policy.has("lock") || (overrides != null && overrides.stream().anyMatch(PolicyReader::hasLock));
        if (!locks && policy.has("limit") && match.usesStatus()) {
            policy.wrong("match", "status is unknown when a limit is asked; allowed: request attributes, or a lock");
        }
    }
}
