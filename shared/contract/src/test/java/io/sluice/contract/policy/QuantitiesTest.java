package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {

    @ParameterizedTest
    @CsvSource({"0s, 0", "10ms, 10", "10s, 10000", "5m, 300000", "2h, 7200000", "7d, 604800000", "366d, 31622400000"})
    void aDurationIsReadInMilliseconds(String text, long millis) {
        assertThat(Quantities.duration(text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "s", "-5s", "1.5s", "5 s", "5S", "5w", "5min", "367d", "9999999999999999s", "١s", "+5s"
            })
    void whatIsNoDurationIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantities.duration(text))
                .withMessageStartingWith("allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"367d", "9000h", "99999999999d", "9999999999999999s", "99999999999999999999999ms"})
    void duration_thatIsTooLong_isRefusedWithTheLongest(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantities.duration(text))
                .withMessage("allowed: a duration of at most 366d");
    }

    @ParameterizedTest
    @CsvSource({"0, 0s", "1, 1ms", "1500, 1500ms", "60000, 1m", "90000, 90s", "3600000, 1h", "86400000, 1d"})
    void aDurationIsWrittenInItsLargestWholeUnit(long millis, String text) {
        assertThat(Quantities.durationText(millis)).isEqualTo(text);
        assertThat(Quantities.duration(text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"512B, 512", "10KB, 10240", "5MB, 5242880", "1GB, 1073741824", "0B, 0"})
    void aSizeIsReadInBytes(String text, long bytes) {
        assertThat(Quantities.size(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "KB", "-1KB", "1.5MB", "5kb", "5TB", "99999999999999GB"})
    void whatIsNoSizeIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantities.size(text));
    }

    @ParameterizedTest
    @CsvSource({
        "50/s, 50, 1000, 50/s",
        "10/m, 10, 60000, 10/m",
        "1000/h, 1000, 3600000, 1000/h",
        "5/d, 5, 86400000, 5/d",
        "100/10s, 100, 10000, 100/10s",
        "0.5/s, 0.5, 1000, 0.5/s",
        "10/1s, 10, 1000, 10/s",
        "7/250ms, 7, 250, 7/250ms"
    })
    void aRateIsSoManyInSoLong(String text, double permits, long perMillis, String written) {
        Quantities.Rate rate = Quantities.rate(text);

        assertThat(rate).isEqualTo(new Quantities.Rate(permits, perMillis)).hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "50", "/s", "50/", "0/s", "-1/s", "50/0s", "50/x", "a/s", "50/s/s", "NaN/s", "1e400/s", "5 / s"
            })
    void whatIsNoRateIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantities.rate(text));
    }

    @ParameterizedTest
    @CsvSource({"0%, 0", "1e-2147483647%, 0", "40%, 0.4", "12.5%, 0.125", "100%, 1", "0.4, 0.4", "1, 1"})
    void aPartIsReadFromAPercentage(String text, double part) {
        assertThat(Quantities.part(text)).isEqualTo(part);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "101%", "-1%", "40", "1.1", "forty%", "40%%", "NaN"})
    void whatIsNoPartIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantities.part(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "NaN",
                "Infinity",
                "0x10",
                "1_000",
                "1,000",
                "1d",
                "1f",
                " 1",
                "1e999",
                "1e-10",
                "--1",
                "1e5e5"
            })
    void whatIsNoNumberIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantities.number(text));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatIsWrittenReadsAsTheSameValue(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            double part = Math.min(1, random.nextDouble() + 1e-9);
            double number = Math.scalb(random.nextDouble(), random.nextInt(40)) + 1e-9;
            long millis = Math.floorMod(random.nextLong(), 31_622_400_000L);

            assertThat(Quantities.part(Quantities.partText(part))).isEqualTo(part);
            assertThat(Quantities.number(Quantities.numberText(number))).isEqualTo(number);
            assertThat(Quantities.duration(Quantities.durationText(millis))).isEqualTo(millis);
        }
    }
}
