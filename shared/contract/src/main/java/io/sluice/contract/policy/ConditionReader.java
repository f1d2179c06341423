package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code when}. */
final class ConditionReader {
    private static final List<String> DETECTORS = List.of("above", "share", "spike", "all");
    // far beyond any load, and still exact in microseconds
    private static final double MOST = 1e12;
    /** Far more than anyone needs; a lock's state holds every threshold of an {@code all}, and has to fit into a record. */
    private static final int MOST_CONDITIONS = 16;

    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;

    private final Counting counting;

    ConditionReader(Counting counting) {
        this.counting = counting;
    }

    List<Condition> when(Fields lock) {
        if (!lock.has("when")) {
            lock.missing("when", "allowed: a list of conditions such as { above: 100 }");
            return List.of();
        }
        return conditions(lock, "when", false);
    }

    private List<Condition> conditions(Fields fields, String key, boolean nested) {
        List<Node> items = fields.items(key);
        List<Condition> conditions = new ArrayList<>();
        if (items == null || items.isEmpty()) {
            fields.wrong(key, "empty; allowed: at least one condition such as { above: 100 }");
            return conditions;
        }
        if (items.size() > MOST_CONDITIONS) {
            fields.wrong(key, items.size() + " conditions; allowed: at most " + MOST_CONDITIONS);
            return conditions;
        }
        for (int i = 0; i < items.size(); i++) {
            Fields item = fields.fields(items.get(i), fields.itemPath(key, i));
            Condition condition = item == null ? null : condition(item, nested);
            if (condition != null) {
                conditions.add(condition);
            }
        }
        return conditions;
    }

    private @Nullable Condition condition(Fields fields, boolean nested) {
        List<String> named = DETECTORS.stream().filter(fields::has).toList();
        if (named.size() != 1) {
            if (named.isEmpty()) {
                fields.allow(DETECTORS);
            }
            String found = named.isEmpty() ? "none" : String.join(" and ", named);
            fields.wrong("found " + found + ", allowed: exactly one of " + String.join(", ", DETECTORS));
            return null;
        }
        return switch (named.get(0)) {
            case "above" -> above(fields);
            case "share" -> share(fields);
            case "spike" -> spike(fields);
            default -> all(fields, nested);
        };
    }

    private Condition above(Fields fields) {
        fields.allow(List.of("above"));
        return new Condition.Above(amount(fields, "above", 1));
    }

    private @Nullable Condition all(Fields fields, boolean nested) {
        fields.allow(List.of("all"));
        if (nested) {
            fields.wrong("all inside all; list its conditions directly");
            return null;
        }
        return new Condition.All(conditions(fields, "all", true));
    }

    private Condition share(Fields fields) {
        fields.allow(List.of("share", "of", "beyond", "others", "whenOthersSlow"));
        double share = fields.scalar("share", 0.5, text -> {
            double part = Quantities.part(text);
            if (part <= 0 || part >= 1) {
                throw new IllegalArgumentException("allowed: above 0% and below 100%");
            }
            return part;
        });
        if (counting.measure() instanceof Measure.Distinct) {
            fields.wrong("share", "not for distinct: values that several callers have in common have no shares");
        }
        List<Attribute> of = AttributeList.read(fields, "of");
        checkGroup(fields, of);
        double beyond = amount(fields, "beyond", 0);
        double others = amount(fields, "others", 1);
        double slow = fields.number("whenOthersSlow", 0, 1, 1000);
        return new Condition.Share(share, of, beyond, others, slow);
    }

    private void checkGroup(Fields fields, List<Attribute> of) {
        List<Attribute> per = counting.per();
        Match match = counting.match();
        if (per == null || match == null) {
            return;
        }
        for (Attribute attribute : of) {
            if (!per.contains(attribute) && !match.fixes(attribute)) {
                fields.wrong("of", attribute + " must be in per, or match must fix it to one value");
                return;
            }
        }
        if (new HashSet<>(of).containsAll(per)) {
            fields.wrong("share", "would always be 100%: per must name an attribute that of does not");
        }
    }

    private Condition spike(Fields fields) {
        fields.allow(List.of("spike", "baseline", "floor"));
        double factor = fields.scalar("spike", 2.0, text -> {
            double value = Quantities.number(text);
            if (value <= 1 || value > 1e6) {
                throw new IllegalArgumentException("allowed: a factor above 1");
            }
            return value;
        });
        long baseline = fields.duration("baseline", HOUR, 1000, 7 * DAY);
        Long window = counting.windowMillis();
        if (window != null && baseline <= window) {
            fields.wrong(fields.has("baseline") ? "baseline" : "spike", "the baseline must be longer than the window");
        }
        if (!fields.has("floor")) {
            fields.missing("floor", "allowed: the sum below which nothing is a spike");
        }
        return new Condition.Spike(factor, baseline, amount(fields, "floor", 0));
    }

    /** A sum in the measure's unit: a number, for bytes also a size, for millis also a duration. */
    private double amount(Fields fields, String key, double absent) {
        Measure measure = counting.measure();
        boolean sizes = measure == null || measure instanceof Measure.Bytes;
        boolean durations = measure == null || measure instanceof Measure.Millis;
        return fields.scalar(key, absent, text -> {
            double value = -1;
            if (sizes && text.endsWith("B")) {
                value = Quantities.size(text);
            } else if (durations && text.matches("[0-9]+[a-z]+")) {
                value = Quantities.duration(text);
            } else if (text.matches("[-+.eE0-9]+")) {
                value = Quantities.number(text);
            }
            if (value < 0 || value > MOST) {
                throw new IllegalArgumentException("allowed: a number from 0 up to 1e12"
                        + (measure instanceof Measure.Bytes ? ", or a size such as 5MB" : "")
                        + (measure instanceof Measure.Millis ? ", or a duration such as 90s" : ""));
            }
            return value;
        });
    }
}
