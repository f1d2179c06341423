package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.faults.net.Records;
import io.sluice.testing.Mutations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** Poisons one topic after the other, and says what was put there. One thread. */
final class Poisoner {
    /** So many good records of a subject put it over: one lost, and it is not. */
    static final int GOODS = 1_000;

    /** So many good agents there are. */
    static final int MANY = 50;

    static final String GHOSTS = "ghosts";

    private static final String MUTANT = "mutant";
    private static final long SEED = 6;

    private final Records to;
    private final TopicNames topics;
    private final PolicySet policies;
    private final Followed followed;
    private final int mutations;
    private final Verdicts readable;
    private final Mutations damage = new Mutations(SEED);
    private final Map<String, Sandwiches> all = new LinkedHashMap<>();
    private int written;

    Poisoner(Records to, TopicNames topics, PolicySet policies, Followed followed, int mutations) {
        this.to = to;
        this.topics = topics;
        this.policies = policies;
        this.followed = followed;
        this.mutations = mutations;
        readable = new Verdicts(policies, Verdicts.lives(followed));
    }

    /** Topics and what was put there. */
    Map<String, Sandwiches> all() {
        return all;
    }

    /** How many pieces of written poison there were. */
    int written() {
        return written;
    }

    private Sandwiches begin(String name, String topic, IntFunction<Sandwiches.Slice> good, Sandwiches.Judge judge) {
        Sandwiches sandwiches = new Sandwiches(to, topic, 0, good, judge);
        all.put(name, sandwiches);
        return sandwiches;
    }

    private Sandwiches end(Sandwiches sandwiches) {
        to.flush();
        return sandwiches;
    }

    /** Locks of many, between what can't be one. */
    Sandwiches gateLocks() {
        Sandwiches sandwiches =
                begin("gate-locks", topics.gateLocks(), n -> Sound.lock("good-" + n, "decide-88", n), readable::gate);
        Sandwiches.Slice lock = Sound.lock(MUTANT, Verdicts.POISONED_TASK, 1);
        AnalyzerHeartbeat sign = new AnalyzerHeartbeat(
                new Version(Verdicts.POISONED_TASK, 1, 1),
                "a",
                1,
                Map.of(MUTANT, 1),
                Map.of("all", 3),
                Map.of("all", 1));
        byte[] signKey = CompositeKey.bytes(GateKeys.of(sign));
        written += sandwiches.corpus(lock.key(), lock.value());
        written += sandwiches.corpus(signKey, GateLockJson.write(sign));
        sandwiches.keys(lock.value(), true);
        sandwiches.mutations(damage, lock.key(), List.of(lock.value()), mutations / 20);
        sandwiches.mutations(damage, signKey, List.of(GateLockJson.write(sign)), mutations / 20);
        return end(sandwiches);
    }

    /** An operator's locks of others. */
    Sandwiches operator() {
        Sandwiches sandwiches =
                begin("operator", topics.operator(), n -> Sound.operatorLock("good-o-" + n), readable::operator);
        Sandwiches.Slice lock = Sound.operatorLock(MUTANT);
        Sandwiches.Slice release = Sound.operatorRelease(MUTANT);
        written += sandwiches.corpus(lock.key(), lock.value());
        written += sandwiches.corpus(release.key(), release.value());
        sandwiches.keys(lock.value(), true);
        sandwiches.mutations(damage, lock.key(), List.of(lock.value(), release.value()), mutations / 20);
        return end(sandwiches);
    }

    /** Signs of life of agents that are not there. */
    Sandwiches agents() {
        Sandwiches sandwiches =
                begin("agents", topics.agents(), n -> Sound.agent("ghost-" + n % MANY, GHOSTS), readable::agent);
        Sandwiches.Slice mutant = Sound.agent(MUTANT, MUTANT);
        written += sandwiches.corpus(mutant.key(), mutant.value());
        sandwiches.keys(mutant.value(), true);
        sandwiches.mutations(damage, mutant.key(), List.of(mutant.value()), mutations / 20);
        return end(sandwiches);
    }

    /** A requested policy set that no analyzer may adopt. */
    Sandwiches desired() {
        return policies(PolicySetJson.DESIRED, PolicySetJson.writeDesired(policies));
    }

    /** What pretends to be in force. */
    Sandwiches active() {
        return policies(PolicySetJson.ACTIVE, PolicySetJson.writeActive(policies));
    }

    private Sandwiches policies(String name, byte[] sound) {
        byte[] key = name.getBytes(StandardCharsets.UTF_8);
        Sandwiches.Slice good = new Sandwiches.Slice(key, sound);
        Sandwiches sandwiches = begin("policies, " + name, topics.policies(), n -> good, readable::policies);
        sandwiches.mutations(damage, key, List.of(sound), Math.min(mutations / 50, 5_000));
        // the last word is one that can't be read
        written += sandwiches.corpus(key, sound);
        return end(sandwiches);
    }

    /** Loads of a group that is not there. */
    Sandwiches loads() {
        byte[] key = new UsageKey(revision("crowd"), List.of(GHOSTS)).bytes();
        long now = System.currentTimeMillis();
        byte[] sound = LoadCodec.write(
                new Load(now / 5_000, new long[] {0, 300, 5}, new long[] {0, 200, 5}, new long[] {1, 0, 0}, 1, now));
        Sandwiches.Slice good = new Sandwiches.Slice(key, sound);
        Sandwiches sandwiches = begin("loads", topics.loads(), n -> good, readable::load);
        written += sandwiches.corpus(key, null);
        sandwiches.keys(sound, true);
        sandwiches.mutations(damage, key, List.of(sound), mutations / 20);
        return end(sandwiches);
    }

    private String revision(String name) {
        return policies.policies().stream()
                .filter(policy -> policy.name().equals(name))
                .map(Policy::revision)
                .findFirst()
                .orElseThrow();
    }

    /** Partials of subjects that are over when none of them is lost. */
    Sandwiches usage() {
        Sandwiches sandwiches = begin("usage", topics.usage(), n -> partial("u-" + n / GOODS, n), readable::usage);
        Sandwiches.Slice mutant = partial(MUTANT, 1);
        long now = System.currentTimeMillis();
        Origin origin = new Origin(0, followed.meterEpoch(0));
        UsageBundle bundle = new UsageBundle();
        bundle.add(mutant.key(), mutant.value());
        bundle.add(mutant.key(), partial(MUTANT, 2).value());
        List<byte[]> sound = List.of(
                mutant.value(),
                bundle.take(),
                UsageCodec.write(new UsagePartial(true, now / 5_000, 128, 127, 0, now, now, origin, 78)),
                UsageCodec.write(new MeterPosition(now, origin, 79)));
        written += sandwiches.corpus(mutant.key(), null);
        sandwiches.keys(mutant.value(), false);
        while (sandwiches.goods() < Math.max(3 * GOODS, mutations / 2)) {
            sandwiches.mutations(damage, mutant.key(), sound, GOODS / 4);
            to.flush();
            awaitLock("u-" + (sandwiches.goods() / GOODS - 1), sandwiches.goods() >= GOODS);
        }
        return end(sandwiches);
    }

    private Sandwiches.Slice partial(String caller, int seq) {
        long now = System.currentTimeMillis();
        Origin origin = new Origin(0, followed.meterEpoch(0));
        // panes of a sixtieth of five minutes
        return new Sandwiches.Slice(
                new UsageKey(revision("all"), List.of(caller)).bytes(),
                UsageCodec.write(new UsagePartial(false, now / 5_000, 1, 1, 0, now, now, origin, seq)));
    }

    /** Requests of callers that exceed the limit only when none is lost; each is counted exactly. */
    Sandwiches requests() {
        Sandwiches sandwiches = begin(
                "requests",
                topics.requests(),
                n -> new Sandwiches.Slice(null, Sound.request("r-" + n / GOODS)),
                readable::request);
        byte[] sound = Sound.request(MUTANT);
        written += sandwiches.corpus(new byte[] {1}, sound);
        sandwiches.keys(sound, false);
        int left = mutations - mutations / 20 * 5 - mutations / 4 - 2 * Math.min(mutations / 50, 5_000);
        for (int i = 0; i < left; i += GOODS / 4) {
            sandwiches.mutations(damage, new byte[] {1}, List.of(Sound.request(MUTANT)), GOODS / 4);
            to.flush();
            awaitLock("r-" + (sandwiches.goods() / GOODS - 1), sandwiches.goods() >= GOODS);
        }
        to.flush();
        for (int subject = 0; subject < sandwiches.goods() / GOODS; subject++) {
            String caller = "r-" + subject;
            awaiting(() ->
                    assertThat(followed.admitted("all", caller)).as(caller).isEqualTo(GOODS));
        }
        return sandwiches;
    }

    private void awaitLock(String subject, boolean any) {
        if (any) {
            awaiting(() ->
                    assertThat(followed.locked("all", subject)).as(subject).isTrue());
        }
    }

    private static void awaiting(ThrowingRunnable condition) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(condition);
    }
}
