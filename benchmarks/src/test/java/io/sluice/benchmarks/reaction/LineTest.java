package io.sluice.benchmarks.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.RequestEvent;
import io.sluice.settings.SluiceSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineTest {
    private static final long T = 1_763_700_000_123L;

    private static RequestEvent read(byte[] line) throws Exception {
        LogFormat format =
                LogFormats.of(SluiceSettings.read(null, Map.of()).sources().get(0));
        return format.read(line);
    }

    @Test
    void aLineIsARequestEventOfItsCallerAtTheGivenTime() throws Exception {
        RequestEvent event = read(new Line("orders", "acme").at(T));

        assertThat(event.caller()).isEqualTo("acme");
        assertThat(event.service()).isEqualTo("orders");
        assertThat(event.time()).isEqualTo(T);
    }

    @Test
    void itsTimeCanBeSetAgain() throws Exception {
        Line line = new Line("orders", "acme");
        line.at(1_999_999_999_999L);

        assertThat(read(line.at(T)).time()).isEqualTo(T);
    }

    @Test
    void itIsAboutAsLongAsLinesAre() {
        assertThat(new Line("orders", "caller-12345").at(T)).hasSizeBetween(185, 260);
    }
}
