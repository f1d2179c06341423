package io.sluice.analyzer.cli;

import io.sluice.analyzer.Plural;
import io.sluice.analyzer.api.Tree;
import io.sluice.analyzer.output.Terminal;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySetJson;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Activity of one caller, for people: a window in a line, and the locks beneath it. */
final class CallerText {
    private CallerText() {}

    /** The policies as the API answered them. */
    static List<Policy> policies(byte[] active) throws Exception {
        return PolicySetJson.read(active).policies();
    }

    /** Returns whether nothing was counted in any window. */
    static boolean silent(Node.Mapping answer) {
        return Tree.list(answer, "missing").isEmpty()
                && Tree.list(answer, "windows").stream()
                        .allMatch(window -> Tree.number(window, "sum") == 0 && total(window, "rejected") == 0);
    }

    static void print(byte[] json, List<Policy> policies, Terminal terminal, PrintWriter out) throws Exception {
        Node.Mapping answer = Tree.of(json);
        TopText.missing(answer, out);
        List<Node> windows = Tree.list(answer, "windows");
        if (windows.isEmpty() && Tree.list(answer, "missing").isEmpty()) {
            out.println("no policy that can lock counts by it");
        }
        List<HeldLock> locks = locks(json);
        for (Node window : windows) {
            print(window, policies, locks, Tree.whole(answer, "brokerTime"), terminal, out);
        }
    }

    private static void print(
            Node window, List<Policy> policies, List<HeldLock> locks, long now, Terminal terminal, PrintWriter out) {
        String policy = Tree.text(window, "policy");
        List<String> subject = Tree.texts(window, "subject");
        boolean over = Tree.has(window, "threshold") && Tree.number(window, "sum") > Tree.number(window, "threshold");
        out.println(terminal.paint(
                over ? Terminal.Ink.WARNING : Terminal.Ink.PLAIN,
                PrintableText.of(policy + " " + String.join(" ", subject) + ": " + sum(window))));
        List<Double> amounts =
                Tree.list(window, "amounts").stream().map(Tree::number).toList();
        line(
                out,
                "window",
                "[" + Sparkline.of(amounts) + "] the last " + Spans.text(Tree.whole(window, "windowMillis")));
        long rejected = total(window, "rejected");
        if (rejected > 0) {
            List<Double> rejections =
                    Tree.list(window, "rejected").stream().map(Tree::number).toList();
            line(out, "rejected", "[" + Sparkline.of(rejections) + "] " + Plural.of(rejected, "request"));
        }
        for (Policy known : policies) {
            LockRule rule = known.name().equals(policy) ? known.lockFor(subject) : null;
            if (rule != null) {
                line(out, "locked if", ConditionText.of(known, rule.when()));
            }
        }
        for (HeldLock lock : locks) {
            if (lock.policy().equals(policy) && lock.subject().equals(subject)) {
                line(out, lock.released() ? "open" : "locked", held(lock, now));
            }
        }
    }

    private static String sum(Node window) {
        return Spans.grouped(Tree.number(window, "sum"))
                + (Tree.has(window, "threshold") ? " of " + Spans.grouped(Tree.number(window, "threshold")) : "")
                + " " + Tree.text(window, "measure") + " in " + Spans.text(Tree.whole(window, "windowMillis"));
    }

    private static String held(HeldLock lock, long now) {
        return lock.mode() + " by " + lock.by() + ", " + lock.left(now) + " left: " + lock.why();
    }

    private static void line(PrintWriter out, String label, String text) {
        out.println(String.format("  %-10s%s", label, PrintableText.of(text)));
    }

    private static long total(Node window, String field) {
        return Tree.list(window, field).stream().mapToLong(Tree::whole).sum();
    }

    private static List<HeldLock> locks(byte[] json) throws Exception {
        List<HeldLock> held = new ArrayList<>();
        AnalyzerApi.items(json, "locks", item -> {
            if (GateLockJson.read(item).orElse(null) instanceof GateLock lock) {
                // whether it holds is answered already
                long appended = Tree.whole(Tree.of(item), "appended");
                held.add(HeldLock.of(lock, LockValidity.leaseEnd(lock, appended, lock.ttlMillis())));
            }
        });
        AnalyzerApi.items(json, "operator", item -> {
            Node.Mapping read = Tree.of(item);
            OperatorRecord said = OperatorJson.read(CompositeKey.bytes(Tree.texts(read, "key")), item)
                    .orElse(null);
            long appended = Tree.whole(read, "appended");
            if (said instanceof OperatorRecord.Lock lock) {
                held.add(HeldLock.of(lock, appended));
            } else if (said instanceof OperatorRecord.Release release) {
                held.add(HeldLock.of(release, appended));
            }
        });
        return held;
    }
}
