package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** The folder that {@code SLUICE_DATASETS} names holds access logs of real servers. */
class RealLogsTest {
    private static Path log(String name) {
        String folder = System.getenv("SLUICE_DATASETS");
        if (folder == null || folder.isBlank()) {
            String message =
                    "SKIPPED: SLUICE_DATASETS does not name the folder of real logs, " + name + " was not tried";
            System.out.println(message);
            assumeTrue(false, message);
        }
        Path log = Path.of(String.valueOf(folder), name);
        assertThat(log).as("SLUICE_DATASETS is set, so the log must be there").isRegularFile();
        return log;
    }

    private static ReplayResult erddap(String when) throws Exception {
        return Replays.of(Replays.policy(when), log("erddap_tomcat_access.log.gz"));
    }

    @Test
    void aTomcatLogWithBrokenLinesLocksTheThreeCallersThatWereOver() throws Exception {
        ReplayResult result = erddap("above: 60");

        assertThat(result.events()).isEqualTo(10_479);
        assertThat(result.deadLetters().count()).isEqualTo(5_796);
        Map<String, Long> first = result.locks().stream()
                .collect(Collectors.toMap(lock -> lock.subject().get(0), ReplayLock::at, Math::min));
        assertThat(first)
                .isEqualTo(Map.of(
                        "148.87.179.6",
                        1715622757000L,
                        "152.91.93.52",
                        1715883283000L,
                        "237.85.78.47",
                        1716191419000L));
        assertThat(result.locks())
                .allSatisfy(lock -> assertThat(lock.evidence().observed()).isEqualTo(61.0));
        System.out.printf(
                "replay of %,d lines with a policy: %,.0f lines/s%n",
                result.lines(), result.lines() / result.seconds());
    }

    @Test
    void aShareOfAllRequestsLocksTheOneThatTookThem() throws Exception {
        ReplayResult result = erddap("share: 40%, of: [], beyond: 100");

        assertThat(result.locks())
                .extracting(
                        lock -> lock.subject().get(0),
                        ReplayLock::at,
                        lock -> lock.evidence().sum(),
                        lock -> lock.evidence().load())
                .containsExactly(Tuple.tuple("148.87.179.6", 1715622763000L, 100.0, 101.0));
    }

    @Test
    void anNginxLogIsReadWhole() throws Exception {
        ReplayResult result = Replays.of(null, log("spiderstrategies_nginx_json.log.gz"));

        assertThat(result.events()).isEqualTo(10_049);
        assertThat(result.deadLetters().count()).isZero();
    }

    @Test
    void anApacheLogOutOfOrderIsReadWhole() throws Exception {
        ReplayResult result = Replays.of(null, log("elastic_apache_logs.log.gz"));

        assertThat(result.events()).isEqualTo(10_000);
        assertThat(result.deadLetters().count()).isZero();
        assertThat(result.callers().count()).isEqualTo(1_753);
    }

    @Test
    void theSuggestedLimitWouldHaveLockedTheNoisyCallersOfATomcatLog() throws Exception {
        Path log = log("erddap_tomcat_access.log.gz");
        Suggestion suggestion = Replays.of(null, log).suggestion();

        assertThat(suggestion.over())
                .extracting(Callers.Caller::caller)
                .containsExactlyInAnyOrder("148.87.179.6", "152.91.93.52", "237.85.78.47");
        assertThat(Files.size(log)).isPositive();
        assertThat(Replays.of(suggestion.policies(), log).locks())
                .allSatisfy(lock -> assertThat(lock.shadow()).isTrue())
                .extracting(lock -> lock.subject().get(0))
                .containsOnly("148.87.179.6", "152.91.93.52", "237.85.78.47");
    }
}
