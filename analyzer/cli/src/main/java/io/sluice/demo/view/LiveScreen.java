package io.sluice.demo.view;

import java.io.PrintStream;
import java.util.List;

/** Draws each scene over the one before it, without touching what stands above. */
final class LiveScreen implements Screen {
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private final PrintStream out;
    private final Ink ink;
    private final TerminalSize size;
    private int drawn;

    LiveScreen(PrintStream out, Ink ink, TerminalSize size) {
        this.out = out;
        this.ink = ink;
        this.size = size;
    }

    @Override
    public void say(String line) {
        out.print(line + CLEAR_LINE + "\n");
        out.flush();
        drawn = 0;
    }

    @Override
    public void show(Scene scene) {
        size.look();
        // the last column stays free: some terminals wrap as soon as it is written
        List<String> lines = Frame.of(scene, size.columns() - 1, size.rows(), ink);
        StringBuilder text = new StringBuilder(HIDE_CURSOR);
        if (drawn > 0) {
            text.append("\u001b[").append(drawn).append("A\r");
        }
        for (String line : lines) {
            text.append(line).append(CLEAR_LINE).append('\n');
        }
        out.print(text.append(CLEAR_BELOW));
        out.flush();
        drawn = lines.size();
    }

    @Override
    public void close() {
        out.print(SHOW_CURSOR + "\n");
        out.flush();
        drawn = 0;
    }
}
