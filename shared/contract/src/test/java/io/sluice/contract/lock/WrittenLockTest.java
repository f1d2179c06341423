package io.sluice.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.Envelope;
import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenLockTest {
    private static final String[] TEXTS = {"acme", "a b", "é", "say \"hi\"", "back\\slash", "", "tab\t", "x".repeat(70)
    };
    private static final double[] NUMBERS = {0, 1, 0.62, 12345, 50.25, 1e7, 1e-4, 1 / 3.0, 123456789.125, 9e15};
    private static final String LOCK = """
            {"policy":"p","subject":["acme"],"mode":"throttle","rate":0.5,"ttlMillis":1000,"since":1,"until":2,"level":1,\
            "version":{"task":"decide-0","epoch":1,"seq":2},"type":"lock","format":1}""";

    @Test
    void aLockAsTheAnalyzerWritesItNeedsNoOtherReader() {
        GateLock lock = new GateLock(
                "crowding",
                List.of("acme", "/orders/{id}"),
                List.of("caller", "route"),
                Mode.THROTTLE,
                50,
                0.25,
                600_000,
                1_763_699_999_200L,
                1_763_703_599_200L,
                2,
                true,
                true,
                new Evidence("share", 0.62, 0.4, "requests", 60_000, 12_345, 19_911, 1_763_699_999_123L, 9, "9f2c"),
                new Version("decide-3", 1_763_690_000_000L, 41));

        assertThat(WrittenLock.read(GateLockJson.write(lock))).isEqualTo(lock);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whateverIsWrittenIsReadAsAnyReaderReadsIt(long seed) throws MalformedRecord {
        Random random = new Random(seed);
        for (int i = 0; i < 3_000; i++) {
            byte[] json = GateLockJson.write(lock(random));

            GateLock read = WrittenLock.read(json);

            assertThat(read == null || read.equals(anyReader(json)))
                    .as(new String(json, StandardCharsets.UTF_8))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void whatWasDamagedIsReadAsAnyReaderReadsItOrNotAtAll(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] json = damaged(GateLockJson.write(lock(random)), random);

            GateLock read = WrittenLock.read(json);

            assertThat(read == null || read.equals(anyReader(json)))
                    .as(new String(json, StandardCharsets.UTF_8))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.5 -> 00.5",
                "0.5 -> 0.",
                "0.5 -> .5",
                "0.5 -> 5e-1",
                "0.5 -> -0.5",
                "0.5 -> 0.1234567890123456",
                "1000 -> 01000",
                "1000 -> 1234567890123456",
                "\"acme\" -> \"acme\",",
                "\"acme\" -> \"ac\\u006de\"",
                "\"p\" -> \"\"",
                "\"mode\" -> \"per\":[1],\"mode\"",
                "\"level\":1 -> \"level\":2147483648",
                "\"format\":1 -> \"format\":2",
                "\"rate\":0.5 -> \"ratio\":1.5",
                "\"level\":1 -> \"level\": 1",
            })
    void whatIsWrittenOtherwiseIsLeftToTheOtherReader(String change) {
        int arrow = change.indexOf(" -> ");
        String changed = LOCK.replace(change.substring(0, arrow), change.substring(arrow + 4));

        assertThat(changed).isNotEqualTo(LOCK);
        assertThat(WrittenLock.read(bytes(changed))).isNull();
        assertThat(WrittenLock.read(bytes(LOCK))).isNotNull();
    }

    private static @Nullable GateLock anyReader(byte[] json) {
        try (JsonObjectReader object = JsonObjectReader.of(json, "lock")) {
            Envelope envelope = Envelope.read(json, "lock");
            return envelope.newer() || !envelope.type().equals("lock") ? null : GateLockFields.read(object);
        } catch (MalformedRecord | IllegalArgumentException e) {
            return null;
        }
    }

    private static byte[] damaged(byte[] json, Random random) {
        int place = random.nextInt(json.length);
        byte some = json[random.nextInt(json.length)];
        return switch (random.nextInt(4)) {
            case 0 -> spliced(json, place, place + 1, some);
            case 1 -> spliced(json, place, place, some);
            case 2 -> spliced(json, place, Math.min(json.length, place + 1 + random.nextInt(3)));
            default -> Arrays.copyOf(json, place);
        };
    }

    private static byte[] spliced(byte[] json, int from, int to, byte... instead) {
        byte[] changed = new byte[json.length - (to - from) + instead.length];
        System.arraycopy(json, 0, changed, 0, from);
        System.arraycopy(instead, 0, changed, from, instead.length);
        System.arraycopy(json, to, changed, from + instead.length, json.length - to);
        return changed;
    }

    private static GateLock lock(Random random) {
        List<String> subject = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            subject.add(text(random));
        }
        Mode[] modes = {Mode.BLOCK, Mode.THROTTLE, Mode.SHED, Mode.SHADOW, Mode.OPEN};
        return new GateLock(
                "p" + text(random),
                subject,
                random.nextBoolean() ? List.of("ip/24", text(random)) : null,
                modes[random.nextInt(modes.length)],
                number(random),
                random.nextInt(3) / 2.0,
                whole(random),
                whole(random),
                whole(random),
                random.nextInt(5),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean() ? evidence(random) : null,
                new Version("t" + text(random), whole(random), whole(random)));
    }

    private static Evidence evidence(Random random) {
        return new Evidence(
                text(random),
                number(random),
                number(random),
                text(random),
                whole(random),
                number(random),
                number(random),
                whole(random),
                whole(random),
                text(random));
    }

    private static String text(Random random) {
        return random.nextInt(4) > 0 ? "acme" : TEXTS[random.nextInt(TEXTS.length)];
    }

    private static double number(Random random) {
        return random.nextInt(4) > 0 ? random.nextInt(100_000) / 1000.0 : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private static long whole(Random random) {
        return random.nextLong() >>> (1 + random.nextInt(63));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
