package io.sluice.demo.view;

import io.sluice.analyzer.output.Terminal;
import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.story.Words;
import io.sluice.demo.traffic.Rates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Draws a scene as lines that fit into a width and a height. */
final class Frame {
    private static final int FIXED_LINES = 12;
    private static final int MOST_ROWS = 10;
    private static final int NAME = 10;
    private static final int NUMBERS = 26;
    private static final Rates.Rate NONE = new Rates.Rate(0, 0);

    private final Scene scene;
    private final int width;
    private final int rows;
    private final Ink ink;
    private final List<String> lines = new ArrayList<>();

    private Frame(Scene scene, int width, int height, Ink ink) {
        this.scene = scene;
        this.width = width;
        this.rows = Math.max(1, Math.min(MOST_ROWS, height - FIXED_LINES));
        this.ink = ink;
    }

    /** No line is wider than {@code width}, escape sequences not counted. */
    static List<String> of(Scene scene, int width, int height, Ink ink) {
        Frame frame = new Frame(scene, width, height, ink);
        frame.title();
        frame.callers();
        frame.locks();
        return frame.lines;
    }

    private void title() {
        line(
                "sluice demo  " + scene.elapsed() / 1000 + " of " + scene.total() / 1000 + " s  " + scene.act(),
                Terminal.Ink.TITLE);
        line(scene.gateways().stream().map(Object::toString).collect(Collectors.joining("  ")), Terminal.Ink.FAINT);
        line("", Terminal.Ink.PLAIN);
    }

    private void callers() {
        line(row("caller", "passed/s", "rejected/s", "share"), Terminal.Ink.FAINT);
        double all = Math.max(
                1e-9,
                scene.rates().values().stream()
                        .mapToDouble(Rates.Rate::admitted)
                        .sum());
        List<Map.Entry<String, Rates.Rate>> order = scene.rates().entrySet().stream()
                .sorted(Comparator.comparingDouble(entry -> -offered(entry.getValue())))
                .toList();
        order.stream().limit(rows).forEach(entry -> caller(entry.getKey(), entry.getValue(), all));
        List<Rates.Rate> rest =
                order.stream().skip(rows).map(Map.Entry::getValue).toList();
        Rates.Rate sum = rest.stream()
                .reduce(NONE, (a, b) -> new Rates.Rate(a.admitted() + b.admitted(), a.rejected() + b.rejected()));
        if (!rest.isEmpty()) {
            line(
                    row(rest.size() + " others", rate(sum.admitted()), rate(sum.rejected()), bar(sum.admitted() / all)),
                    Terminal.Ink.GOOD);
        }
        line("", Terminal.Ink.PLAIN);
    }

    private void caller(String name, Rates.Rate rate, double all) {
        double share = rate.admitted() / all;
        boolean locked = scene.locked(name);
        Terminal.Ink tone = locked ? Terminal.Ink.BAD : share > 0.4 ? Terminal.Ink.WARNING : Terminal.Ink.GOOD;
        String shown = locked && share < 0.01 ? "locked" : bar(share);
        line(row(name, rate(rate.admitted()), rate(rate.rejected()), shown), tone);
    }

    private static double offered(Rates.Rate rate) {
        return rate.admitted() + rate.rejected();
    }

    private String bar(double share) {
        String bar = ink.bar(share, Math.max(0, width - NAME - NUMBERS - 6));
        return bar + (bar.isEmpty() ? "" : " ") + String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    private static String row(String name, String passed, String rejected, String rest) {
        return String.format(Locale.ROOT, "%-" + NAME + "s%11s%13s  %s", cut(name, NAME), passed, rejected, rest);
    }

    private static String rate(double perSecond) {
        return perSecond < 0.05 ? "-" : String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%.0f", perSecond);
    }

    private void locks() {
        if (scene.locks().isEmpty()) {
            line("no locks", Terminal.Ink.FAINT);
        }
        for (SeenLock lock : scene.locks()
                .subList(Math.max(0, scene.locks().size() - 2), scene.locks().size())) {
            boolean holds = lock.holds(scene.now());
            line(
                    lock.caller() + ": "
                            + (holds
                                    ? lock.opened().mode().spelling() + ", " + (lock.until() - scene.now() + 999) / 1000
                                            + " s left"
                                    : "free again after "
                                            + Words.seconds(
                                                    lock.ends() - lock.opened().since())),
                    holds ? Terminal.Ink.BAD : Terminal.Ink.GOOD);
            if (lock.opened().evidence() != null) {
                line("  " + Words.why(lock.opened().evidence()), Terminal.Ink.PLAIN);
            }
        }
        if (!scene.reactions().isEmpty()) {
            line(
                    "reaction: "
                            + scene.reactions().stream()
                                    .map(reaction -> reaction.agent() + " " + reaction.millis() + " ms")
                                    .collect(Collectors.joining(", ")),
                    Terminal.Ink.PLAIN);
        }
    }

    private void line(String text, Terminal.Ink tone) {
        lines.add(ink.paint(cut(text, width), tone));
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width);
    }
}
