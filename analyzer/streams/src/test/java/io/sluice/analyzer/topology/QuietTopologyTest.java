package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first of four meters: a subject is quiet below 10 of 80, and watched above 50. */
class QuietTopologyTest {
    private static final long START = 1_763_700_000_000L;
    private static final int OTHERS = 256 * 20;
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - name: many
                per: [caller]
                window: 10s
                panes: 10
                lock: { when: [{ above: 80 }], mode: block }
            """);
    private static final String REVISION = POLICIES.policies().get(0).revision();

    @TempDir
    Path state;

    private DrivenAnalyzer analyzer;

    @BeforeEach
    void crowd() {
        analyzer = new DrivenAnalyzer(state, POLICIES, START, false, 4);
        for (int i = 0; i < OTHERS; i++) {
            request("other-" + i);
        }
        analyzer.passUntil(START + 2_000);
    }

    @AfterEach
    void end() {
        analyzer.close();
    }

    private void request(String caller) {
        analyzer.append(
                null,
                "{\"time\":%d,\"caller\":\"%s\"}"
                        .formatted(analyzer.now(), caller)
                        .getBytes(StandardCharsets.UTF_8));
    }

    private void requests(String caller, int count) {
        for (int i = 0; i < count; i++) {
            request(caller);
        }
        analyzer.passUntil(analyzer.now() + 500);
    }

    private List<Load> loads(UsageKey key) {
        return analyzer.loads.stream()
                .filter(record -> Arrays.equals(record.key(), key.bytes()))
                .map(record -> read(record.value()))
                .toList();
    }

    private static Load read(byte[] value) {
        try {
            return LoadCodec.read(value);
        } catch (MalformedRecord e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void crowd_mostlyStaysInTheMeter() {
        assertThat(analyzer.count(Count.PARTIALS)).isLessThan(OTHERS / 10);
    }

    @Test
    void nearTheThreshold_isWatchedForAWindow() {
        UsageKey watch = new UsageKey("$watch", List.of(REVISION, "acme"));
        requests("acme", 50);
        assertThat(loads(watch)).isEmpty();

        long time = analyzer.now();
        requests("acme", 1);

        assertThat(loads(watch)).extracting(Load::asOf).containsExactly(time + 10_000);
    }

    @Test
    void watchOfAnotherTask_releasesWhatIsHeldBack() {
        requests("acme", 3);
        long before = analyzer.count(Count.PARTIALS);

        analyzer.load(
                new UsageKey("$watch", List.of(REVISION, "acme")).bytes(),
                LoadCodec.write(new Load(0, new long[0], new long[0], new long[0], 0, analyzer.now() + 10_000)));
        analyzer.passUntil(analyzer.now() + 500);

        assertThat(analyzer.count(Count.PARTIALS)).isEqualTo(before + 1);
    }

    @Test
    void subjectThatIsLookedAt_isWatchedForAWindow() {
        UsageKey acme = new UsageKey(REVISION, List.of("acme"));
        requests("acme", 3);

        long time = analyzer.now();
        analyzer.fleet.watchRequests().add(acme);
        analyzer.passUntil(time + 500);
        analyzer.fleet.watchRequests().add(acme);
        analyzer.passUntil(time + 1_000);

        List<Load> watches = loads(new UsageKey("$watch", List.of(REVISION, "acme")));
        assertThat(watches)
                .singleElement()
                .satisfies(watch -> assertThat(watch.asOf()).isBetween(time + 10_000, time + 10_500));
    }

    @Test
    void subjectsThatAreLookedAt_areBounded_andLeaveRoomForThoseNearAThreshold() {
        WatchRequests asked = analyzer.fleet.watchRequests();
        for (int i = 0; i < 3_000; i++) {
            asked.add(new UsageKey(REVISION, List.of("asked-" + i)));
            if (i % 500 == 499) {
                analyzer.passUntil(analyzer.now() + 50);
            }
        }
        asked.add(new UsageKey(REVISION, List.of("x".repeat(2_000))));
        analyzer.passUntil(analyzer.now() + 50);

        assertThat(analyzer.loads.stream()
                        .map(record -> new String(record.key(), StandardCharsets.ISO_8859_1))
                        .filter(key -> key.contains("$watch")))
                .hasSize(1_000)
                .noneMatch(key -> key.contains("xxx"));
        requests("acme", 51);
        assertThat(loads(new UsageKey("$watch", List.of(REVISION, "acme")))).hasSize(1);
    }

    @Test
    void activeSubjects_arePublishedForTheGuard() {
        List<Load> active = loads(new UsageKey("$active", List.of(REVISION)));

        assertThat(active).isNotEmpty();
        assertThat(active.get(active.size() - 1).admitted()[0])
                .isBetween((long) (OTHERS * 0.93), (long) (OTHERS * 1.07));
    }
}
