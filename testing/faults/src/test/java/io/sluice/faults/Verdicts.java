package io.sluice.faults;

import io.sluice.analyzer.decide.UsageBounds;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.analyzer.load.LoadBounds;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicyFields;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.UsageRecord;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Whether the reader of a topic accepts a damaged record, and whether the record is an order then. */
final class Verdicts {
    /** The writer of the records that are to be damaged on gate-locks: a task that does not exist. */
    static final String POISONED_TASK = "decide-77";

    /** All poison goes there. */
    private static final int POISONED_PARTITION = 0;

    private static final int METERS = 2;

    /** The default of {@code analyzer.skew}. */
    private static final long SKEW_MILLIS = 5_000;

    /** From a verdict until the broker has appended the record. */
    private static final long UNDERWAY_MILLIS = 60_000;

    private final RequestEventReader requests;
    private final UsageBounds bounds;
    private final LoadBounds loadBounds = new LoadBounds(METERS, SKEW_MILLIS);
    private final long[] lives;

    /** @param lives the one that each meter is in */
    Verdicts(PolicySet policies, long[] lives) {
        requests = RequestEventReader.ours().wanting(PolicyFields.of(policies));
        bounds = new UsageBounds(METERS, SKEW_MILLIS);
        bounds.policies(policies);
        this.lives = lives.clone();
    }

    /** The one that each meter is in; 0 while it is not known. */
    static long[] lives(Followed followed) {
        return IntStream.range(0, METERS).mapToLong(followed::meterEpoch).toArray();
    }

    @FunctionalInterface
    private interface Reading {
        Sandwiches.Verdict of() throws MalformedRecord, InvalidPolicies;
    }

    private static Sandwiches.Verdict read(Reading reading) {
        try {
            return reading.of();
        } catch (MalformedRecord | InvalidPolicies e) {
            return Sandwiches.Verdict.POISON;
        }
    }

    private static byte[] present(byte @Nullable [] bytes) throws MalformedRecord {
        if (bytes == null) {
            throw new MalformedRecord("nothing");
        }
        return bytes;
    }

    Sandwiches.Verdict request(byte @Nullable [] key, byte @Nullable [] value) {
        return read(() -> {
            requests.read(present(value));
            return Sandwiches.Verdict.SOUND;
        });
    }

    Sandwiches.Verdict gate(byte @Nullable [] key, byte @Nullable [] value) {
        if (value == null) {
            return Sandwiches.Verdict.SOUND;
        }
        return read(() -> {
            Optional<GateRecord> record = GateLockJson.read(value);
            if (record.isEmpty()) {
                return Sandwiches.Verdict.SOUND;
            }
            if (!GateKeys.of(record.get()).equals(CompositeKey.read(present(key)))) {
                return Sandwiches.Verdict.POISON;
            }
            if (record.get() instanceof AnalyzerHeartbeat sign
                    && !sign.version().task().equals(AnalyzerHeartbeat.TASK + POISONED_PARTITION)) {
                return Sandwiches.Verdict.POISON;
            }
            boolean nobodys = record.get().version().task().equals(POISONED_TASK);
            return nobodys ? Sandwiches.Verdict.SOUND : Sandwiches.Verdict.ORDER;
        });
    }

    Sandwiches.Verdict operator(byte @Nullable [] key, byte @Nullable [] value) {
        return read(() -> {
            if (value == null) {
                OperatorJson.readKey(present(key));
            } else {
                OperatorJson.read(present(key), value);
            }
            return Sandwiches.Verdict.SOUND;
        });
    }

    Sandwiches.Verdict agent(byte @Nullable [] key, byte @Nullable [] value) {
        return read(() -> {
            if (value != null) {
                AgentHeartbeatJson.read(value);
            }
            return Sandwiches.Verdict.SOUND;
        });
    }

    /** A set that can be read is one that will be followed. */
    Sandwiches.Verdict policies(byte @Nullable [] key, byte @Nullable [] value) {
        if (value == null) {
            return Sandwiches.Verdict.SOUND;
        }
        return read(() -> {
            if (new String(present(key), StandardCharsets.UTF_8).equals(PolicySetJson.ACTIVE)) {
                PolicySetJson.read(value);
            } else {
                PolicySetReader.read(PolicySetJson.document(value));
            }
            return Sandwiches.Verdict.ORDER;
        });
    }

    Sandwiches.Verdict load(byte @Nullable [] key, byte @Nullable [] value) {
        return read(() -> {
            UsageKey group = UsageKey.read(present(key));
            if (value != null) {
                loadBounds.check(group, LoadCodec.read(value), System.currentTimeMillis());
            }
            return Sandwiches.Verdict.SOUND;
        });
    }

    Sandwiches.Verdict usage(byte @Nullable [] key, byte @Nullable [] value) {
        if (value == null || !UsageBundle.is(value)) {
            return read(() -> usageRecord(present(key), present(value)));
        }
        EnumSet<Sandwiches.Verdict> verdicts = EnumSet.noneOf(Sandwiches.Verdict.class);
        verdicts.add(read(() -> {
            present(key);
            UsageBundle.read(value, (each, its) -> verdicts.add(read(() -> usageRecord(each, its))));
            return Sandwiches.Verdict.SOUND;
        }));
        // one that can't be read takes no other with it
        return verdicts.contains(Sandwiches.Verdict.ORDER)
                ? Sandwiches.Verdict.ORDER
                : verdicts.contains(Sandwiches.Verdict.POISON) ? Sandwiches.Verdict.POISON : Sandwiches.Verdict.SOUND;
    }

    /** One whose time is at the bound would be accepted or not by when the broker appends it: it is not sent. */
    private Sandwiches.Verdict usageRecord(byte[] key, byte[] value) throws MalformedRecord {
        UsageRecord usage = UsageCodec.read(value);
        if (usage instanceof UsagePartial partial && !partial.values().none()) {
            DistinctValues.decode(partial.values().bytes());
        }
        long now = System.currentTimeMillis();
        check(key, usage, now + UNDERWAY_MILLIS);
        try {
            check(key, usage, now);
        } catch (MalformedRecord e) {
            return Sandwiches.Verdict.ORDER;
        }
        long life = lives[usage.origin().task()];
        // in the name of a new life it would silence the meter, as a position it would move it
        boolean newLife = usage.origin().epoch() > life;
        boolean moves = usage instanceof MeterPosition && usage.origin().epoch() == life;
        return newLife || moves ? Sandwiches.Verdict.ORDER : Sandwiches.Verdict.SOUND;
    }

    private void check(byte[] key, UsageRecord usage, long appended) throws MalformedRecord {
        if (usage instanceof UsagePartial partial) {
            bounds.check(UsageKey.read(key), partial, appended);
        } else {
            bounds.check((MeterPosition) usage, appended);
        }
    }
}
