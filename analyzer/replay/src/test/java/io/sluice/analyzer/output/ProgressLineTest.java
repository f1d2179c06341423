package io.sluice.analyzer.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressLineTest {
    private final StringWriter out = new StringWriter();
    private final AtomicLong nanos = new AtomicLong();

    private String afterReading(boolean terminal, long nanosLater) {
        ProgressLine progress = new ProgressLine(new PrintWriter(out), terminal, nanos::get);
        nanos.set(nanosLater);
        for (int i = 1; i <= 2048; i++) {
            if (progress.isDue()) {
                progress.show(i + " read");
            }
        }
        progress.clear();
        return out.toString();
    }

    @ParameterizedTest
    @CsvSource({"499999999, false", "500000000, true", "500000001, true"})
    void aLongReadIsToldTwiceASecond(long nanosLater, boolean told) {
        assertThat(afterReading(true, nanosLater).contains("1024 read")).isEqualTo(told);
    }

    @Test
    void theLineIsClearedInTheEnd() {
        assertThat(afterReading(true, 500_000_000)).endsWith("\r\u001b[K");
    }

    @Test
    void nothingIsToldWhereNobodyIsWatching() {
        assertThat(afterReading(false, 500_000_000)).isEmpty();
    }
}
