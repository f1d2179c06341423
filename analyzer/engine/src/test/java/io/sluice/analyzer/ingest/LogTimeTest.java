package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogTimeTest {
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss xx", Locale.ROOT);
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);
    private static final long YEAR_2200 = 7_258_118_400L;

    private static long read(String text) {
        byte[] bytes = ("[" + text + "]").getBytes(StandardCharsets.UTF_8);
        return LogTime.of(bytes, 1, bytes.length - 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyTimeInEveryFormatIsReadAsTheCalendarSays(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            Instant second = Instant.ofEpochSecond(86_400 + (long) (random.nextDouble() * YEAR_2200));
            Instant milli = second.plusMillis(random.nextInt(1000));
            ZoneOffset zone = ZoneOffset.ofTotalSeconds(60 * (random.nextInt(28 * 60) - 14 * 60));

            assertThat(read(LOCAL.format(OffsetDateTime.ofInstant(second, zone))))
                    .isEqualTo(second.toEpochMilli());
            assertThat(read(ISO.format(OffsetDateTime.ofInstant(milli, zone)))).isEqualTo(milli.toEpochMilli());
            assertThat(read(milli.getEpochSecond() + "." + "%03d".formatted(milli.getNano() / 1_000_000)))
                    .isEqualTo(milli.toEpochMilli());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "29/Feb/2024:23:59:59 +0000, 1709251199000",
        "01/Mar/2024:00:00:00 +0100, 1709247600000",
        "31/Dec/2016:23:59:60 +0000, 1483228800000",
        "2026-03-02T10:00:00Z, 1772445600000",
        "'2026-03-02 10:00:00,5+0000', 1772445600500",
        "1772445600, 1772445600000",
        "1772445600123, 1772445600123",
        "0.001, 1"
    })
    void knownTimesAreRead(String text, long expected) {
        assertThat(read(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "now",
                "-5",
                "1.2.3",
                "1.",
                "29/Feb/2023:00:00:00 +0000",
                "30/Feb/2024:00:00:00 +0000",
                "31/Apr/2024:00:00:00 +0000",
                "00/May/2024:00:00:00 +0000",
                "12/May/1969:00:00:00 +0000",
                "12/May/2024:24:00:00 +0000",
                "12/May/2024:00:60:00 +0000",
                "12/May/2024:00:00:61 +0000",
                "12/May/2024:00:00:00 0000 ",
                "12/May/2024:00:00:00 +9900",
                "1x/May/2024:00:00:00 +0000",
                "2024-13-01T00:00:00Z",
                "2024-05-12T00:00:00",
                "2024-05-12T00:00:00.1234",
                "99999999999999999999",
                "01/Jan/1970:00:00:00 +0100"
            })
    void whatIsNoTimeIsUnreadable(String text) {
        assertThat(read(text)).isEqualTo(LogTime.UNREADABLE);
    }
}
