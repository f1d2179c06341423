package io.sluice.contract.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.testing.Fuzzing;
import io.sluice.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The plain reader gives what the other reader gives, event or refusal, whatever the bytes are. */
class PlainEventReaderTest {
    private static final String OURS =
            "{\"time\":1763700000000,\"caller\":\"acme\",\"service\":\"orders\",\"route\":\"/orders/{id}\","
                    + "\"method\":\"GET\",\"ip\":\"10.1.2.3\",\"status\":200,\"bytes\":512,\"millis\":12.345,\"outcome\":\"allowed\","
                    + "\"count\":2,\"identity\":\"network\",\"cost\":7,\"agent\":\"a-1\",\"format\":1,\"type\":\"request\"}";
    private static final List<RequestEventReader> READERS = List.of(
            RequestEventReader.ours(),
            RequestEventReader.ours().wanting(Set.of(Field.IP, Field.MILLIS)),
            new RequestEventReader(EventLayout.OURS
                    .names(Map.of(
                            Field.CALLER, List.of("user", "ip"),
                            Field.SERVICE, List.of("type"),
                            Field.MILLIS, List.of("time_taken"),
                            Field.ROUTE, List.of("url")))
                    .labels(Map.of("plan", "plan"))
                    .rejected(Set.of(503))
                    .identity(Identity.NETWORK)
                    .service("shop")));

    private static void assertSame(byte[] json) throws MalformedRecord {
        MalformedRecord refusal = null;
        for (RequestEventReader reader : READERS) {
            PlainEventReader plain = new PlainEventReader(reader);
            // what the first look has learned is used by the second one
            for (int look = 0; look < 2; look++) {
                Object expected = outcome(() -> reader.read(json));
                Object found = outcome(() -> plain.read(json));
                assertThat(found).as(new String(json, StandardCharsets.UTF_8)).isEqualTo(expected);
                refusal = expected instanceof String message ? new MalformedRecord(message) : refusal;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    private interface Reading {
        RequestEvent read() throws MalformedRecord;
    }

    private static Object outcome(Reading reading) {
        try {
            return reading.read();
        } catch (MalformedRecord refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static byte[] utf8(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @Tag(Seeds.TAG)
    @Test
    void damagedEvents_areReadAlike() {
        int refused = Fuzzing.run(
                "plain-events",
                List.of(
                        utf8(OURS),
                        utf8("{\"time\":1,\"caller\":\"a\"}"),
                        utf8(
                                "{\"time\":1,\"user\":\"a\",\"ip\":\"::1\",\"time_taken\":0.5,\"url\":\"/a?b=c\",\"status\":503,\"plan\":\"x\"}"),
                        utf8(
                                "{\"time\": 1, \"caller\":\"\\u00e4\", \"labels\":{\"plan\":\"gold\"},\"x\":[1,{}],\"y\":true}"),
                        utf8(
                                "{\"time\":0,\"caller\":\"é\",\"method\":\"get\",\"millis\":1e3,\"bytes\":-1,\"x\":null}")),
                MalformedRecord.class,
                PlainEventReaderTest::assertSame);

        assertThat(refused).isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "}",
                "{}",
                "{\"",
                "{\"time\"",
                "{\"time\":}",
                "{\"time\":1}",
                "{\"time\":1,}",
                "{\"time\":01,\"caller\":\"a\"}",
                "{\"time\":1,\"caller\":\"a\",\"time\":2}",
                "{\"time\":1,\"caller\":\"a\",\"x\":1,\"x\":2}",
                "{\"time\":1,\"caller\":\"a\"}}",
                "{\"time\":1,\"caller\":\"a\"},{}",
                "{\"time\":1 ,\"caller\":\"a\"}",
                "{\"time\":1,\"caller\":\"a\",\"millis\":1.}",
                "{\"time\":1,\"caller\":\"a\",\"millis\":.5}",
                "{\"time\":1,\"caller\":\"a\",\"millis\":00.5}",
                "{\"time\":1,\"caller\":\"a\",\"millis\":-0}",
                "{\"time\":1,\"caller\":\"a\",\"millis\":99999999999999999}",
                "{\"time\":1.0,\"caller\":\"a\"}",
                "{\"time\":9223372036854775807,\"caller\":\"a\"}",
                "{\"time\":9223372036854775808,\"caller\":\"a\"}",
                "{\"time\":1,\"caller\":\"a\",\"status\":99}",
                "{\"time\":1,\"caller\":\"a\",\"status\":600}",
                "{\"time\":1,\"caller\":\"a\",\"count\":0}",
                "{\"time\":1,\"caller\":\"a\",\"outcome\":\"\"}",
                "{\"time\":1,\"caller\":\"a\",\"outcome\":\"dropped\"}",
                "{\"time\":1,\"caller\":5}",
                "{\"time\":\"1\",\"caller\":\"a\"}",
                "{\"time\":1,\"caller\":\"a\",\"ip\":\"x\"}",
                "{\"time\":1,\"caller\":\"a\",\"type\":\"request\",\"format\":99}",
                "{\"time\":1,\"caller\":\"a\",\"type\":7,\"format\":\"x\"}",
                "{\"time\":1,\"caller\":\"a\",\"type\":\"request\",\"type\":1.5}",
                "{\"time\":1,\"caller\":\"a\",\"labels\":\"x\"}",
                "{\"time\":1,\"caller\":\"\",\"agent\":\"\"}"
            })
    void edges_areReadAlike(String json) {
        try {
            assertSame(utf8(json));
        } catch (MalformedRecord refused) {
            assertThat(refused).hasMessageStartingWith("request");
        }
    }

    @Test
    void longTextsNamesAndEvents_areReadAlike() {
        for (int length : new int[] {63, 64, 65, 127, 128, 129, 255, 256, 512, 1023, 1024, 1025}) {
            String text = "x".repeat(length);
            assertSimilar(("{\"time\":1,\"caller\":\"" + text + "\",\"route\":\"/" + text + "\"," + "\"user\":\"u\"}"));
            assertSimilar(("{\"" + text + "\":1,\"time\":1,\"caller\":\"a\",\"user\":\"u\"}"));
        }
        assertSimilar(("{\"x\":\"" + "y".repeat(8_000) + "\",\"z\":\"" + "y".repeat(8_100)
                + "\",\"time\":1,\"caller\":\"a\",\"user\":\"u\"}"));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(1, 3));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
    void decimals_areReadAlike(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 3_000; i++) {
            String whole = Long.toString(random.nextLong() >>> (4 + random.nextInt(60)));
            String decimals = Long.toString(random.nextLong() >>> (1 + random.nextInt(62)));
            String millis = random.nextBoolean() ? whole + '.' + "0".repeat(random.nextInt(4)) + decimals : whole;
            assertSimilar("{\"time\":1,\"caller\":\"a\",\"user\":\"a\",\"millis\":" + millis + ",\"time_taken\":"
                    + millis + "}");
        }
    }

    private static void assertSimilar(String json) {
        for (RequestEventReader reader : READERS) {
            assertThat(outcome(() -> new PlainEventReader(reader).read(utf8(json))))
                    .as(json)
                    .isEqualTo(outcome(() -> reader.read(utf8(json))));
        }
    }

    @Test
    void namesInAnotherOrderAndUnknownOnes_areReadAlikeByOneReader() throws MalformedRecord {
        PlainEventReader plain = new PlainEventReader(RequestEventReader.ours());
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder json = new StringBuilder("{\"time\":").append(i);
            for (int n = random.nextInt(6); n > 0; n--) {
                json.append(",\"n").append(random.nextInt(300)).append("\":").append(random.nextInt(9));
            }
            json.append(",\"caller\":\"c").append(random.nextInt(20)).append("\"}");
            assertThat(plain.read(utf8(json.toString())))
                    .isEqualTo(RequestEventReader.ours().read(utf8(json.toString())));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 125, 126, 127, 128, 200})
    void wantedNames_areReadByEitherReader(int length) throws MalformedRecord {
        String name = "n".repeat(length);
        PlainEventReader plain = new PlainEventReader(
                new RequestEventReader(EventLayout.OURS.names(Map.of(Field.CALLER, List.of(name)))));

        RequestEvent event = plain.read(utf8("{\"time\":1,\"service\":\"s\",\"" + name + "\":\"acme\"}"));

        assertThat(event.caller()).isEqualTo("acme");
    }

    @Test
    void textsOfTheSameHash_areNotMistakenForEachOther() throws MalformedRecord {
        PlainEventReader plain = new PlainEventReader(RequestEventReader.ours());
        for (String caller : List.of("Aa", "BB", "Aa", "AaBB", "BBAa", "AaAa")) {
            assertThat(plain.read(utf8(OURS.replace("acme", caller))).caller()).isEqualTo(caller);
        }
    }

    @Test
    void textsThatComeAgain_areTheSameObjects_howeverManyThereAre() throws MalformedRecord {
        PlainEventReader plain = new PlainEventReader(RequestEventReader.ours());
        String service = plain.read(utf8(OURS)).service();

        assertThat(plain.read(utf8(OURS)).service()).isSameAs(service);
        for (int i = 0; i < 20_000; i++) {
            String json = "{\"time\":1,\"caller\":\"caller-" + i + "\"}";
            assertThat(plain.read(utf8(json)).caller()).isEqualTo("caller-" + i);
        }
        assertThat(plain.read(utf8(OURS)).service()).isEqualTo(service);
    }
}
