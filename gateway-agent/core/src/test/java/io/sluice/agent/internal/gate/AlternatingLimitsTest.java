package io.sluice.agent.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of one subject that fall under different limits of a policy, by overrides on method, route or label. */
final class AlternatingLimitsTest {
    private static final String[] METHODS = {"GET", "POST", "PUT", "DELETE"};

    private final GateHarness gates = new GateHarness().fresh();

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static Request request(String caller, String method) {
        return Request.of(caller).service("orders").method(method).build();
    }

    /** Sends both methods once a millisecond for ten seconds; returns how many GETs and POSTs were allowed. */
    private int[] allowedInTenSeconds(String limit, String ofPosts) {
        gates.policies(json("{'name':'p','per':['caller'],'limit':{" + limit + "},"
                + "'overrides':[{'match':{'method':'POST'},'limit':{" + ofPosts + "}}]}"));
        int[] allowed = new int[2];
        for (int i = 0; i < 10_000; i++) {
            gates.forward(1);
            for (int method = 0; method < 2; method++) {
                allowed[method] += gates.check(request("acme", METHODS[method])).allowed() ? 1 : 0;
            }
        }
        return allowed;
    }

    @Test
    void tokenBucketsOfTwoRates_alternating_eachHoldsItsOwn() {
        assertThat(allowedInTenSeconds("'rate':'1000/s'", "'rate':'1/s'")).containsExactly(10_000, 10);
    }

    @Test
    void fixedWindowsOfTwoLengths_alternating_eachHoldsItsOwn() {
        assertThat(allowedInTenSeconds("'algorithm':'fixed-window','rate':'100/1s'", "'rate':'7/20s'"))
                .containsExactly(1_001, 7);
    }

    @Test
    void slidingWindowsOfTwoLengths_alternating_eachGivesAllItHas() {
        int[] allowed = allowedInTenSeconds("'algorithm':'sliding-window','rate':'100/1s'", "'rate':'7/20s'");
        assertThat(allowed[0]).isBetween(900, 1_000);
        assertThat(allowed[1]).isEqualTo(7);
    }

    @Test
    void slidingLogsOfTwoLengths_alternating_eachGivesAllItHas() {
        assertThat(allowedInTenSeconds("'algorithm':'sliding-log','rate':'100/1s'", "'rate':'7/20s'"))
                .containsExactly(1_000, 7);
    }

    @Test
    void leakyBucketsOfTwoPaces_alternating_eachKeepsItsOwn() {
        assertThat(allowedInTenSeconds("'algorithm':'leaky-bucket','rate':'100/s','maxWait':'0s'", "'rate':'1/s'"))
                .containsExactly(1_000, 10);
    }

    /** Each limit answers as if it were the only one of its policy. */
    @ParameterizedTest
    @EnumSource
    void everyLimit_randomRequests_answersAsIfItWereAlone(EveryAlgorithm algorithm) {
        for (long seed = 1; seed <= 10; seed++) {
            Random random = new Random(seed);
            List<String> limits = new ArrayList<>(List.of(limit(algorithm, random)));
            StringBuilder overrides = new StringBuilder();
            for (int i = 1; i < METHODS.length; i++) {
                limits.add(limit(algorithm, random));
                overrides
                        .append(i == 1 ? "" : ",")
                        .append("{'match':{'method':'" + METHODS[i] + "'},'limit':{" + limits.get(i) + "}}");
            }
            GateHarness together = new GateHarness().fresh();
            together.policies(json(
                    "{'name':'p','per':['caller'],'limit':{" + limits.get(0) + "},'overrides':[" + overrides + "]}"));
            List<GateHarness> alone = new ArrayList<>();
            for (String limit : limits) {
                alone.add(new GateHarness()
                        .fresh()
                        .policies(json("{'name':'p','per':['caller'],'limit':{" + limit + "}}")));
            }
            for (int i = 0; i < 2_000; i++) {
                long step = random.nextInt(20) == 0 ? random.nextInt(5_000) : random.nextInt(30);
                together.forward(step);
                alone.forEach(each -> each.forward(step));
                if (random.nextInt(100) == 0) {
                    together.decisions.sweep(together.now());
                    alone.forEach(each -> each.decisions.sweep(each.now()));
                }
                int which = random.nextInt(METHODS.length);
                Request request = request("c" + random.nextInt(3), METHODS[which]);
                Verdict verdict = together.check(request);
                Verdict expected = alone.get(which).check(request);
                assertThat(answer(verdict))
                        .as("seed %d, request %d, limit %s", seed, i, limits.get(which))
                        .isEqualTo(answer(expected));
                if (random.nextInt(3) > 0) {
                    verdict.close();
                    expected.close();
                }
            }
        }
    }

    /** A verdict without its permit, which is another object each time. */
    private static Object answer(Verdict verdict) {
        return verdict instanceof Verdict.Allowed allowed
                ? new Verdict.Allowed(allowed.quota(), allowed.delayNanos(), null)
                : verdict;
    }

    private static String limit(EveryAlgorithm algorithm, Random random) {
        int permits = 1 + random.nextInt(20);
        int millis = 50 << random.nextInt(8);
        String name = algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return "'algorithm':'" + name + "',"
                + switch (algorithm) {
                    case TOKEN_BUCKET -> "'rate':'" + permits + "/" + millis + "ms','burst':" + (1 + random.nextInt(9));
                    case LEAKY_BUCKET ->
                        "'rate':'" + permits + "/" + millis + "ms','maxWait':'" + random.nextInt(500) + "ms'";
                    case CONCURRENCY -> "'max':" + permits;
                    case SLIDING_LOG, SLIDING_WINDOW, FIXED_WINDOW -> "'rate':'" + permits + "/" + millis + "ms'";
                };
    }

    @Test
    void overridesOnTheSubjectItself_cost_noLimiterBesideTheGate() {
        gates.policies(json("{'name':'p','per':['caller'],'limit':{'rate':'1/h','burst':1},"
                + "'overrides':[{'match':{'caller':'acme'},'limit':{'burst':3}}]}"));
        assertThat(allowed("acme", "GET", 5)).isEqualTo(3);
        assertThat(allowed("acme", "POST", 5)).isZero();
        assertThat(allowed("bolt", "POST", 5)).isEqualTo(1);
    }

    private int allowed(String caller, String method, int asked) {
        int allowed = 0;
        for (int i = 0; i < asked; i++) {
            allowed += gates.check(request(caller, method)).allowed() ? 1 : 0;
        }
        return allowed;
    }

    private void postsHave(String limit, String... before) {
        gates.policies(json("{'name':'p','per':['caller'],'limit':{'rate':'1/h','burst':9},'overrides':["
                + String.join("", before) + "{'match':{'method':'POST'},'limit':{" + limit + "}}]}"));
    }

    @Test
    void changedOverride_whatWasUsed_staysUsed() {
        postsHave("'burst':2");
        assertThat(allowed("acme", "POST", 5)).isEqualTo(2);
        postsHave("'burst':3");
        assertThat(allowed("acme", "POST", 5)).isEqualTo(1);
        assertThat(allowed("acme", "GET", 20)).isEqualTo(9);
    }

    @Test
    void overrideAddedBeforeAnother_whatWasUsed_staysUsed() {
        postsHave("'burst':2");
        assertThat(allowed("acme", "POST", 5)).isEqualTo(2);
        postsHave("'burst':2", "{'match':{'method':'PUT'},'limit':{'burst':4}},");
        assertThat(allowed("acme", "POST", 5)).isZero();
        assertThat(allowed("acme", "PUT", 9)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void tableWithoutRoom_alternatingLimits_areSharedEachOnItsOwn(String first) {
        GateHarness full = new GateHarness(true, 1).fresh();
        full.policies(json("{'name':'p','per':['caller'],'limit':{'rate':'1/h','burst':3},"
                + "'overrides':[{'match':{'method':'POST'},'limit':{'burst':2}}]}"));
        full.check(request("known", first));
        int[] allowed = new int[2];
        for (int i = 0; i < 20; i++) {
            allowed[i % 2] +=
                    full.check(request("invented" + i, METHODS[i % 2])).allowed() ? 1 : 0;
        }
        assertThat(allowed).containsExactly(3, 2);
    }
}
