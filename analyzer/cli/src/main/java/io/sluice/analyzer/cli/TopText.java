package io.sluice.analyzer.cli;

import io.sluice.analyzer.NumberText;
import io.sluice.analyzer.api.Tree;
import io.sluice.analyzer.output.Table;
import io.sluice.analyzer.output.Terminal;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.PrintableText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints the busiest callers as a table. */
final class TopText {
    private static final String LOWER_BOUND = "; lower bounds, as there are more callers than are tracked";

    private TopText() {}

    static void print(Node.Mapping top, Terminal terminal, PrintWriter out) {
        missing(top, out);
        for (Node one : Tree.list(top, "behind")) {
            out.println("! " + PrintableText.of(Tree.text(one, "what") + " is behind: " + Tree.text(one, "why")));
        }
        claimed(top, out);
        List<Node> callers = Tree.list(top, "callers");
        if (callers.isEmpty()) {
            out.println("no caller was counted in the last minutes"
                    + (claimedWarning(top).isEmpty() ? ": no locking policy matches the requests" : ""));
            return;
        }
        out.println("Per minute, as a moving average over about the last minute"
                + (lowerBound(callers) ? LOWER_BOUND : ""));
        boolean bytes = callers.stream().anyMatch(row -> Tree.has(row, "bytes"));
        boolean millis = callers.stream().anyMatch(row -> Tree.has(row, "millis"));
        List<String> head = new ArrayList<>(List.of("CALLER", "BY", "REQ/MIN", "ADMITTED", "REJECTED", "SHARE"));
        optional(head, bytes, "BYTES");
        optional(head, millis, "SECONDS");
        head.addAll(List.of("COUNTED BY", "LOCKED"));
        Table table = new Table(head);
        for (Node row : callers) {
            List<String> cells = new ArrayList<>();
            cells.add(String.join(" ", Tree.texts(row, "subject")));
            cells.add(String.join(" ", Tree.texts(row, "per")));
            cells.add(number(row, "requests", 1));
            cells.add(number(row, "admitted", 1));
            cells.add(number(row, "rejected", 1));
            cells.add(NumberText.percent(Tree.number(row, "share")));
            optional(cells, bytes, number(row, "bytes", 1));
            optional(cells, millis, number(row, "millis", 1_000));
            cells.add(Tree.list(row, "policies").stream()
                    .map(policy -> Tree.text(policy, "policy"))
                    .collect(Collectors.joining(", ")));
            cells.add(locks(row));
            table.row(ink(row), cells);
        }
        table.print(out, terminal);
        out.println("share: of all that a policy counts; callers far below every threshold may be missing");
    }

    /** Returns whether some callers were tracked only after others had used their place. */
    private static boolean lowerBound(List<Node> callers) {
        return callers.stream()
                .flatMap(row -> Tree.list(row, "policies").stream())
                .anyMatch(policy -> Tree.number(policy, "error") > 0);
    }

    private static void optional(List<String> cells, boolean there, String cell) {
        if (there) {
            cells.add(cell);
        }
    }

    private static String number(Node row, String field, double scale) {
        return Tree.has(row, field) ? Spans.grouped(Math.round(Tree.number(row, field) / scale)) : "";
    }

    private static String locks(Node row) {
        return Tree.list(row, "locks").stream()
                .map(lock -> Tree.text(lock, "mode") + " by " + Tree.text(lock, "by"))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static Terminal.Ink ink(Node row) {
        List<String> modes = Tree.list(row, "locks").stream()
                .map(lock -> Tree.text(lock, "mode"))
                .toList();
        if (modes.stream().allMatch(mode -> mode.equals("shadow") || mode.equals("released"))) {
            return modes.isEmpty() ? Terminal.Ink.PLAIN : Terminal.Ink.WARNING;
        }
        return Terminal.Ink.BAD;
    }

    private static void claimed(Node.Mapping top, PrintWriter out) {
        String warning = claimedWarning(top);
        if (!warning.isEmpty()) {
            out.println("! " + warning);
        }
    }

    /** Returns why some requests cannot cause a lock, and which setting changes it; empty when all can. */
    static String claimedWarning(Node.Mapping top) {
        if (!Tree.has(top, "claimed")) {
            return "";
        }
        Node.Mapping claimed = Tree.object(top, "claimed");
        double share = Tree.number(claimed, "share");
        return share == 0
                ? ""
                : String.format(Locale.ROOT, "%.0f %%", Math.max(1, 100 * share))
                        + " of the newest requests have a claimed caller: policies that count by caller neither count nor"
                        + " lock for them. If the caller is verified, set agent.identity: authenticated in the services"
                        + " (Spring Boot: sluice.agent.identity), or identity of the source in sluice.yml";
    }

    /** Gaps in an answer, printed before all that is. */
    static void missing(Node.Mapping answer, PrintWriter out) {
        for (Node one : Tree.list(answer, "missing")) {
            out.println("! " + PrintableText.of(Tree.text(one, "what") + " is missing: " + Tree.text(one, "why")));
        }
    }
}
