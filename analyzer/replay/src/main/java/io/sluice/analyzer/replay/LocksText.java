package io.sluice.analyzer.replay;

import io.sluice.analyzer.DurationText;
import io.sluice.analyzer.NumberText;
import io.sluice.analyzer.Plural;
import io.sluice.analyzer.exact.ExactOracle.Over;
import io.sluice.contract.lock.Evidence;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Locks for people: time, subject, reason and how long, what they would have cost, and the judgement of the exact method. */
final class LocksText {
    static final int MOST = 50;

    private final PrintWriter out;
    private final long end;

    /** @param end time of the newest event */
    LocksText(PrintWriter out, long end) {
        this.out = out;
        this.end = end;
    }

    void print(Tried tried) {
        List<TriedLock> locks = tried.locks();
        line(locks.isEmpty() ? "No locks" : locks.size() == 1 ? "1 lock" : "%,d locks", locks.size());
        for (TriedLock lock : locks.subList(0, Math.min(MOST, locks.size()))) {
            lock(lock);
        }
        if (locks.size() > MOST) {
            line("  and %,d more: --report has all", locks.size() - MOST);
        }
        if (tried.exact()) {
            exact(tried);
        }
        line("");
    }

    private void lock(TriedLock tried) {
        ReplayLock lock = tried.lock();
        line(
                "  %s  %s %s: %s%s, %s, for %s%s, %s",
                Shown.time(lock.at()),
                lock.policy(),
                Shown.subject(lock.subject()),
                lock.mode(),
                lock.guarded() ? " (only reported, by the guard)" : lock.shadow() ? " (only reported)" : "",
                why(lock.evidence()),
                DurationText.compact(lock.until() - lock.at()),
                lock.until() > end ? ", still on at the end" : lock.released() ? ", released" : "",
                toll(tried));
        Verdict verdict = tried.verdict();
        if (verdict != null) {
            line("      exact: %s", verdict(verdict));
        }
    }

    static String why(Evidence evidence) {
        String sum = NumberText.of(evidence.sum());
        String within = evidence.measure() + " in " + DurationText.compact(evidence.windowMillis());
        String observed = NumberText.of(evidence.observed());
        String allowed = NumberText.of(evidence.threshold());
        return switch (evidence.detector()) {
            case "share" ->
                String.format(
                        Locale.ROOT,
                        "%s of %s %s (%.1f %%, allowed %.1f %%)",
                        sum,
                        NumberText.of(evidence.load()),
                        within,
                        100 * evidence.observed(),
                        100 * evidence.threshold());
            case "spike" -> sum + " " + within + ", " + observed + " times its baseline, allowed " + allowed;
            case "debt" -> "a debt of " + observed + " " + evidence.measure() + ", allowed " + allowed;
            default -> observed + " " + within + ", allowed " + allowed;
        };
    }

    private static String toll(TriedLock tried) {
        WouldReject toll = tried.toll();
        StringBuilder text = new StringBuilder(NumberText.of(toll.rejected())).append(" rejected");
        if (tried.verdict() != null) {
            text.append(", ").append(NumberText.of(toll.within())).append(" of them within its limit");
        }
        if (toll.unmatched() > 0) {
            text.append(", ").append(NumberText.of(toll.unmatched())).append(" of them not counted");
        }
        return text.toString();
    }

    private static String verdict(Verdict verdict) {
        String sum = verdict.reading() == null
                ? "nothing counted against it"
                : "sum " + NumberText.of(verdict.reading().sum());
        Over over = verdict.over();
        if (over == null) {
            return "NOT OVER, " + sum + "; it never was before";
        }
        return verdict.holds()
                ? "holds, " + sum + ", over since " + Shown.time(over.from())
                : "NOT OVER, " + sum + "; it was last at " + Shown.time(over.lastSeen());
    }

    private void exact(Tried tried) {
        long held = tried.locks().stream()
                .map(TriedLock::verdict)
                .filter(verdict -> verdict != null && verdict.holds())
                .count();
        List<Tried.Missed> missed = tried.missed();
        line(
                "Exact method: %,d of %s hold, %s %s over and never locked",
                held,
                Plural.of(tried.locks().size(), "lock"),
                Plural.of(missed.size(), "subject"),
                missed.size() == 1 ? "was" : "were");
        for (Tried.Missed each : missed.subList(0, Math.min(MOST, missed.size()))) {
            Over over = each.longest();
            line(
                    "  %s  %s %s: %s %s, allowed %s, over for %s%s",
                    Shown.time(over.from()),
                    over.policy(),
                    Shown.subject(over.subject()),
                    over.detector(),
                    NumberText.of(over.observed()),
                    NumberText.of(over.threshold()),
                    DurationText.compact(over.lastSeen() - over.from()),
                    each.spans() == 1 ? "" : ", the longest of " + each.spans() + " times");
        }
        if (missed.size() > MOST) {
            line("  and %,d more: --report has all", missed.size() - MOST);
        }
    }

    private void line(String format, Object... values) {
        out.printf(Locale.ROOT, format, values);
        out.println();
    }
}
