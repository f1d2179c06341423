package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.analyzer.output.Terminal;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RedrawTest {
    private static final String CLEARED = "\u001b[H\u001b[2J";

    private final StringWriter drawn = new StringWriter();
    private final PrintWriter out = new PrintWriter(drawn);
    private final Redraw redraw = new Redraw(new Redraw.Clock() {
        private long now = TimeUnit.DAYS.toNanos(1);

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void sleep(long millis) {
            now += TimeUnit.MILLISECONDS.toNanos(millis);
        }
    });
    private int pictures;

    private void picture(PrintWriter to) {
        pictures++;
        to.print(pictures + "\n");
    }

    @Test
    void onATerminalEachPictureTakesThePlaceOfTheOneBefore() throws Exception {
        redraw.whole(out, new Terminal(true, true), 1_500, this::picture);

        assertThat(drawn.toString()).isEqualTo(CLEARED + "1\n" + CLEARED + "2\n");
    }

    @Test
    void elsewhereTheyStandBelowEachOther() throws Exception {
        redraw.whole(out, new Terminal(false, false), 1_500, this::picture);

        assertThat(drawn.toString()).isEqualTo("1\n\n2\n\n");
    }

    /** More nanoseconds than a long has. */
    @Test
    void aVeryLongTime_doesNotEndAtOnce() {
        assertThatThrownBy(() -> redraw.whole(out, new Terminal(false, false), Long.MAX_VALUE / 2, to -> {
                    picture(to);
                    if (pictures == 3) {
                        throw new IOException("the test's end");
                    }
                }))
                .hasMessage("the test's end");
    }

    @Test
    void newsFollowsNews() throws Exception {
        redraw.news(out, 1_500, this::picture);

        assertThat(drawn.toString()).isEqualTo("1\n2\n");
    }

    @Test
    void itIsDrawnOnceAtLeast() throws Exception {
        redraw.whole(out, new Terminal(false, false), 0, this::picture);

        assertThat(pictures).isEqualTo(1);
    }

    /** The writer is made as picocli makes it: it hides the errors of the stream. */
    @Test
    void outputThatCannotBeWritten_endsIt() throws Exception {
        PrintStream former = System.out;
        System.setOut(new PrintStream(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("Broken pipe");
            }
        }));
        try {
            PrintWriter closed = new PrintWriter(
                    new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)), true);

            redraw.news(closed, 60_000, this::picture);
        } finally {
            System.setOut(former);
        }
        assertThat(pictures).isOne();
    }
}
