package io.sluice.analyzer.cli;

import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.operator.OperatorRecord;
import java.io.PrintWriter;
import java.util.List;

/** An explanation for people. What a caller or an operator wrote never reaches the terminal as it is. */
final class WhyText {
    private WhyText() {}

    static void print(Explanation why, PrintWriter out) {
        out.println(Table.printable(headline(why)));
        if (why.operator() != null) {
            lines(LockStory.of(why.operator().record(), why.operator().append(), why.target(), why.now()), out);
        }
        if (why.analyzer() != null) {
            if (why.operator() != null) {
                out.println("the analyzer has locked it too, which the operator's word outranks");
            }
            lines(LockStory.of(why.analyzer().record(), why.target(), why.now()), out);
        }
        if (why.recounted() != null) {
            lines(List.of(new LockStory.Line("evidence", why.recounted().text())), out);
        }
        if (!why.locked() && why.operator() == null) {
            last(why, out);
        }
    }

    private static String headline(Explanation why) {
        String subject = why.target().text();
        if (why.operator() == null) {
            return why.analyzer() == null ? subject + " is not locked" : subject + " is locked by the analyzer";
        }
        OperatorRecord said = why.operator().record();
        return subject
                + (said instanceof OperatorRecord.Lock ? " is locked by " : " is not locked: it is held open by ")
                + "operator " + said.author();
    }

    private static void last(Explanation why, PrintWriter out) {
        GateLock lock = why.last() == null ? null : why.last().record();
        if (why.release() != null) {
            GateLock release = why.release().record();
            out.println("it was released at " + Spans.time(release.until()) + ", after "
                    + Spans.text(release.until() - release.since()));
        } else if (lock != null) {
            out.println("its last lock, of " + Spans.time(lock.since()) + ", was over at " + Spans.time(lock.until()));
        } else {
            out.println("no earlier lock of it is known");
        }
        Evidence evidence = lock == null ? null : lock.evidence();
        if (evidence != null) {
            lines(List.of(new LockStory.Line("why", EvidenceText.seen(evidence))), out);
        }
    }

    private static void lines(List<LockStory.Line> lines, PrintWriter out) {
        lines.forEach(line -> out.println(String.format("  %-9s %s", line.label(), Table.printable(line.text()))));
    }
}
