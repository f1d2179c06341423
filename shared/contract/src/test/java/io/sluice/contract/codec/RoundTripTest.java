package io.sluice.contract.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.AgentReason;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventJson;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.UsageRecord;
import io.sluice.contract.usage.Values;
import io.sluice.testing.Seeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is written is read as it was, for many random records with hostile text in them. */
@Tag(Seeds.TAG)
class RoundTripTest {
    private static final int ROUNDS = Seeds.of(300, 5_000);

    private final Random random = new Random(20251121);

    @Test
    void everyRequestComesBack() throws MalformedRecord {
        RequestEventReader reader = RequestEventReader.ours();
        for (int i = 0; i < ROUNDS; i++) {
            RequestEvent event = new RequestEvent(
                    whole(Long.MAX_VALUE),
                    "c" + text(),
                    maybe("s" + text()),
                    maybe("/" + text()),
                    maybe("PUT"),
                    maybe("2001:db8::" + Integer.toHexString(1 + random.nextInt(0xfffe))),
                    random.nextInt(10) == 0 ? 0 : 100 + random.nextInt(500),
                    whole(RequestEvent.MAX_COST),
                    whole(RequestEvent.MAX_COST),
                    maybe("a" + text()),
                    one(Outcome.values()),
                    1 + whole(RequestEvent.MAX_COUNT - 1),
                    one(Identity.values()),
                    labels(),
                    whole(RequestEvent.MAX_COST));

            assertThat(reader.read(RequestEventJson.write(event))).isEqualTo(event);
        }
    }

    @Test
    void everyGateRecordComesBack() throws MalformedRecord {
        for (int i = 0; i < ROUNDS; i++) {
            GateRecord record = random.nextBoolean() ? lock() : heartbeat();

            assertThat(GateLockJson.read(GateLockJson.write(record))).contains(record);
        }
    }

    @Test
    void everyOperatorRecordComesBackUnderItsKey() throws MalformedRecord {
        for (int i = 0; i < ROUNDS; i++) {
            OperatorRecord record = operator();
            byte[] key = CompositeKey.bytes(OperatorJson.key(record));

            assertThat(OperatorJson.read(key, OperatorJson.write(record))).contains(record);
        }
    }

    @Test
    void everyAgentComesBack() throws MalformedRecord {
        for (int i = 0; i < ROUNDS; i++) {
            AgentHeartbeat heartbeat = new AgentHeartbeat(
                    "a" + text(),
                    "s" + text(),
                    one(Freshness.values()),
                    whole(Long.MAX_VALUE),
                    whole(Long.MAX_VALUE),
                    whole(Long.MAX_VALUE),
                    whole(Long.MAX_VALUE),
                    whole(Long.MAX_VALUE),
                    counts(),
                    counts(),
                    random.nextBoolean(),
                    random.nextBoolean() ? List.of() : List.of("x" + text(), "y" + text()),
                    Arrays.stream(AgentReason.values())
                            .filter(reason -> random.nextBoolean())
                            .map(AgentReason::code)
                            .toList(),
                    random.nextBoolean() ? 0 : whole(Long.MAX_VALUE));

            assertThat(AgentHeartbeatJson.read(AgentHeartbeatJson.write(heartbeat)))
                    .contains(heartbeat);
        }
    }

    @Test
    void everyUsageRecordComesBack() throws MalformedRecord {
        for (int i = 0; i < ROUNDS; i++) {
            UsageRecord record = random.nextBoolean() ? partial() : position();

            assertThat(UsageCodec.read(UsageCodec.write(record))).isEqualTo(record);
        }
    }

    @Test
    void everyLoadComesBack() throws MalformedRecord {
        for (int i = 0; i < ROUNDS; i++) {
            int panes = random.nextInt(20) == 0 ? LoadCodec.MAX_PANES : random.nextInt(8);
            Load load = new Load(
                    whole(Long.MAX_VALUE),
                    wholes(panes),
                    wholes(panes),
                    wholes(panes),
                    whole(Long.MAX_VALUE),
                    whole(Long.MAX_VALUE),
                    random.nextBoolean() ? null : new Load.Service(wholes(panes), number(), number()));

            Load read = LoadCodec.read(LoadCodec.write(load));

            assertThat(read.admitted()).isEqualTo(load.admitted());
            assertThat(read.admittedCount()).isEqualTo(load.admittedCount());
            assertThat(read.rejectedCount()).isEqualTo(load.rejectedCount());
            assertThat(read.service()).usingRecursiveComparison().isEqualTo(load.service());
            assertThat(List.of(read.firstPane(), read.since(), read.asOf()))
                    .isEqualTo(List.of(load.firstPane(), load.since(), load.asOf()));
        }
    }

    @Test
    void everyUsageKeyComesBack() throws MalformedRecord {
        for (int i = 0; i < ROUNDS; i++) {
            UsageKey key = new UsageKey("policy@" + i, subject());

            assertThat(UsageKey.read(key.bytes())).isEqualTo(key);
        }
    }

    private GateLock lock() {
        Evidence evidence = new Evidence(
                "above", number(), number(), "millis", whole(1L << 40), number(), number(), 0, whole(1L << 50), text());
        return new GateLock(
                "policy",
                subject(),
                one(Mode.BLOCK, Mode.SHED, Mode.THROTTLE, Mode.SHADOW, Mode.OPEN),
                number(),
                random.nextDouble(),
                whole(Long.MAX_VALUE),
                whole(Long.MAX_VALUE),
                whole(Long.MAX_VALUE),
                random.nextInt(9),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean() ? evidence : null,
                version());
    }

    private AnalyzerHeartbeat heartbeat() {
        return new AnalyzerHeartbeat(
                version(),
                text(),
                whole(Long.MAX_VALUE),
                guardCounts(),
                guardCounts(),
                guardCounts(),
                random.nextBoolean() ? 0 : whole(Long.MAX_VALUE),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean());
    }

    private Map<String, Integer> guardCounts() {
        Map<String, Integer> counts = new HashMap<>();
        labels().keySet().forEach(name -> counts.put(name, random.nextInt(Integer.MAX_VALUE)));
        return counts;
    }

    private OperatorRecord operator() {
        long ttl = whole(Long.MAX_VALUE);
        long at = whole(Long.MAX_VALUE);
        return switch (random.nextInt(3)) {
            case 0 -> new OperatorRecord.Lock("p", subject(), Mode.THROTTLE, number(), ttl, text(), text(), at);
            case 1 -> new OperatorRecord.Release("p", subject(), ttl, text(), text(), at);
            default -> new OperatorRecord.Enforce(maybe("a" + text()), random.nextBoolean(), ttl, text(), text(), at);
        };
    }

    private Version version() {
        return new Version("decide-" + random.nextInt(64), whole(Long.MAX_VALUE), whole(Long.MAX_VALUE));
    }

    private UsagePartial partial() {
        long first = whole(Long.MAX_VALUE / 2);
        boolean load = random.nextBoolean();
        boolean distinct = !load && random.nextBoolean();
        return new UsagePartial(
                load,
                whole(Long.MAX_VALUE),
                whole(Long.MAX_VALUE),
                whole(Long.MAX_VALUE),
                whole(Long.MAX_VALUE),
                first,
                first + whole(Long.MAX_VALUE / 2),
                origin(),
                whole(Long.MAX_VALUE),
                distinct || random.nextBoolean() ? 0 : whole(Long.MAX_VALUE),
                distinct ? new Values(someBytes()) : Values.NONE);
    }

    private byte[] someBytes() {
        byte[] bytes = new byte[1 + random.nextInt(random.nextInt(20) == 0 ? Values.MAX_BYTES : 40)];
        random.nextBytes(bytes);
        return bytes;
    }

    private MeterPosition position() {
        return new MeterPosition(whole(Long.MAX_VALUE), origin(), whole(Long.MAX_VALUE));
    }

    private Origin origin() {
        return new Origin(random.nextInt(Origin.MOST_TASK + 1), whole(Long.MAX_VALUE));
    }

    /** All orders of magnitude alike, both ends included. */
    private long whole(long max) {
        if (random.nextInt(20) == 0) {
            return max;
        }
        return Math.min(max, random.nextLong() >>> (1 + random.nextInt(63)));
    }

    private long[] wholes(int length) {
        return IntStream.range(0, length).mapToLong(i -> whole(Long.MAX_VALUE)).toArray();
    }

    @SafeVarargs
    private final <T> T one(T... all) {
        return all[random.nextInt(all.length)];
    }

    private double number() {
        return random.nextBoolean() ? random.nextInt(1000) : Math.abs(random.nextGaussian()) * 1e9;
    }

    private String maybe(String text) {
        return random.nextBoolean() ? text : null;
    }

    private List<String> subject() {
        return Stream.generate(this::text).limit(random.nextInt(4)).toList();
    }

    private Map<String, Long> counts() {
        Map<String, Long> counts = new HashMap<>();
        labels().keySet().forEach(policy -> counts.put(policy, whole(Long.MAX_VALUE)));
        return counts;
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new HashMap<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            labels.put("l" + text(), "v" + text());
        }
        return labels;
    }

    /** Text in which each character is one that some format could stumble over. */
    private String text() {
        int[] stumbling = {'"', '\\', '\n', 0, 0x1f, 0x7f, '/', '{', 'a', 'ü', 0x2028, 0x202e, 0xfffd, 0x1f600, 0x10ffff
        };
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(12); left > 0; left--) {
            text.appendCodePoint(stumbling[random.nextInt(stumbling.length)]);
        }
        return text.toString();
    }
}
