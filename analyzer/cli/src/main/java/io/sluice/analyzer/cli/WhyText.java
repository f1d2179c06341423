package io.sluice.analyzer.cli;

import io.sluice.contract.json.PrintableText;
import io.sluice.contract.operator.OperatorRecord;
import java.io.PrintWriter;
import java.util.List;

/** An explanation for people. What a caller or an operator wrote never reaches the terminal as it is. */
final class WhyText {
    private WhyText() {}

    static void print(Explanation why, PrintWriter out) {
        out.println(PrintableText.of(headline(why)));
        if (why.operator() != null) {
            lines(LockStory.of(why.operator().record(), why.operator().append(), why.target(), why.now()), out);
        }
        if (why.analyzer() != null) {
            if (why.operator() != null) {
                out.println("the analyzer has locked it too, but the operator's record takes precedence");
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
        List<GateEvent> past = why.past();
        if (past.isEmpty()) {
            out.println("no earlier lock of it is recorded");
            return;
        }
        // from the beginning of its last lock on, as './sluice locks history' shows it
        int from = 0;
        for (int i = 0; i < past.size(); i++) {
            GateEvent.What what = past.get(i).what();
            from = what == GateEvent.What.LOCKED || what == GateEvent.What.GUARDED ? i : from;
        }
        lines(
                past.subList(from, past.size()).stream()
                        .map(event -> new LockStory.Line(
                                event.what().spelling(),
                                Spans.time(event.at()) + " by " + event.by() + ", " + event.more()))
                        .toList(),
                out);
    }

    private static void lines(List<LockStory.Line> lines, PrintWriter out) {
        lines.forEach(line -> out.println(String.format("  %-9s %s", line.label(), PrintableText.of(line.text()))));
    }
}
