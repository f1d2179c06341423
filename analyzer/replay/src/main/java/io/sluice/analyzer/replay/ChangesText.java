package io.sluice.analyzer.replay;

import io.sluice.analyzer.DurationText;
import io.sluice.analyzer.NumberText;
import io.sluice.analyzer.Plural;
import io.sluice.analyzer.output.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** For people: which locks come and go, and what becomes of the others. */
final class ChangesText {
    private static final String NONE = "-";

    private final Comparison comparison;
    private final boolean exact;

    ChangesText(Comparison comparison, boolean exact) {
        this.comparison = comparison;
        this.exact = exact;
    }

    void print(PrintWriter out) {
        out.println(summary());
        List<LockChange> changes = comparison.changes();
        if (!changes.isEmpty()) {
            Table table = new Table(
                    "  ",
                    shown(List.of(
                            "change",
                            "policy",
                            "subject",
                            "old lock",
                            "new lock",
                            "detected after",
                            "rejected",
                            "not counted",
                            "within limit")));
            for (LockChange change : changes.subList(0, Math.min(LocksText.MOST, changes.size()))) {
                table.row(shown(row(change)));
            }
            table.print(out);
        }
        if (changes.size() > LocksText.MOST) {
            out.println("  and " + NumberText.of(changes.size() - LocksText.MOST) + " more: --report has all");
        }
        out.println();
    }

    private String summary() {
        List<String> parts = new ArrayList<>();
        for (LockChange.Kind kind : LockChange.Kind.values()) {
            long count = comparison.count(kind);
            if (count > 0) {
                parts.add(NumberText.of(count) + " " + words(kind));
            }
        }
        return "Against the old policies: "
                + (parts.isEmpty() ? "no lock changes" : String.join(", ", parts))
                + "; " + NumberText.of(comparison.same()) + " the same; "
                + (comparison.rejectedBefore() == comparison.rejectedNow()
                        ? Plural.of(comparison.rejectedNow(), "request") + " rejected"
                        : NumberText.of(comparison.rejectedBefore()) + " -> "
                                + Plural.of(comparison.rejectedNow(), "request") + " rejected");
    }

    private static String words(LockChange.Kind kind) {
        return switch (kind) {
            case COMES -> "new";
            case GOES -> "gone";
            case MERGED -> "part of a longer one";
            case SPLIT -> "split off";
            case STARTS_EARLIER -> "earlier";
            case STARTS_LATER -> "later";
            case ENDS_EARLIER -> "ending earlier";
            case ENDS_LATER -> "ending later";
            case MODE -> "with another mode";
            case SHADOW, GUARDED -> "reporting or acting instead";
            case REJECTED -> "rejecting other requests";
        };
    }

    /** Only the exact method knows the last column. */
    private List<String> shown(List<String> cells) {
        return exact ? cells : cells.subList(0, cells.size() - 1);
    }

    private static List<String> row(LockChange change) {
        ReplayLock lock = change.either().lock();
        return List.of(
                kinds(change),
                lock.policy(),
                Shown.subject(lock.subject()),
                lock(change.before()),
                lock(change.now()),
                both(change, ChangesText::detected),
                both(change, side -> NumberText.of(side.toll().rejected())),
                both(change, side -> NumberText.of(side.toll().unmatched())),
                both(change, side -> NumberText.of(side.toll().within())));
    }

    private static String kinds(LockChange change) {
        return change.kinds().stream().map(kind -> kind(change, kind)).collect(Collectors.joining(", "));
    }

    private static String kind(LockChange change, LockChange.Kind kind) {
        if (change.before() == null || change.now() == null) {
            return kind == LockChange.Kind.MERGED
                    ? "part of the one before"
                    : kind == LockChange.Kind.SPLIT ? "split off the one before" : kind.json();
        }
        ReplayLock old = change.before().lock();
        ReplayLock now = change.now().lock();
        return switch (kind) {
            case STARTS_EARLIER -> DurationText.compact(old.at() - now.at()) + " earlier";
            case STARTS_LATER -> DurationText.compact(now.at() - old.at()) + " later";
            case ENDS_EARLIER -> "ends " + DurationText.compact(old.until() - now.until()) + " earlier";
            case ENDS_LATER -> "ends " + DurationText.compact(now.until() - old.until()) + " later";
            case MODE -> now.mode();
            case SHADOW -> now.shadow() ? "only reports" : "acts";
            case GUARDED -> now.guarded() ? "held back by the guard" : "let through by the guard";
            case REJECTED -> "rejects others";
            case COMES, GOES, MERGED, SPLIT -> kind.json();
        };
    }

    private static String lock(@Nullable TriedLock tried) {
        if (tried == null) {
            return NONE;
        }
        ReplayLock lock = tried.lock();
        return Shown.time(lock.at()) + " " + lock.mode()
                + (lock.guarded() ? " (guarded)" : lock.shadow() ? " (shadow)" : "")
                + " " + DurationText.compact(lock.until() - lock.at());
    }

    private static String detected(TriedLock lock) {
        OptionalLong millis = lock.detectMillis();
        return millis.isPresent() ? DurationText.compact(millis.getAsLong()) : "?";
    }

    /** One value where both are alike, else from which to which. */
    private static String both(LockChange change, Function<TriedLock, String> value) {
        String old = change.before() == null ? NONE : value.apply(change.before());
        String now = change.now() == null ? NONE : value.apply(change.now());
        return change.before() == null ? now : change.now() == null || old.equals(now) ? old : old + " -> " + now;
    }
}
