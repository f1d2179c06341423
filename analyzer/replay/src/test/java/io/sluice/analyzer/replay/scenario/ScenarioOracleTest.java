package io.sluice.analyzer.replay.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.analyzer.replay.ReplayLock;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.policy.Policy;
import io.sluice.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was worked out by hand is what the exact method says, up to a pane. */
class ScenarioOracleTest {
    /** Those that are played in the events' own time: the exact method knows no other. */
    static List<String> names() {
        return Folders.all().stream()
                .filter(name -> !Folders.text(name, Scenario.EVENTS).contains("\"appended\""))
                .limit(Seeds.of(7, Integer.MAX_VALUE))
                .toList();
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("names")
    void everyLockIsAtATimeAtWhichItsSubjectHadJustBecomeOver(String name) throws Exception {
        Scenario scenario = Scenario.read(Folders.ROOT.resolve(name));
        List<ExactOracle.Over> overs = overs(scenario);

        assertThat(scenario.play().locks())
                .isNotEmpty()
                .allSatisfy(lock -> assertThat(overs).anySatisfy(over -> {
                    assertThat(over.policy()).isEqualTo(lock.policy());
                    assertThat(over.subject()).isEqualTo(lock.subject());
                    assertThat(lock.at()).isBetween(over.from(), over.from() + paneMillis(scenario, lock.policy()));
                }));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("names")
    void whoeverIsOverIsLockedWithinAPane(String name) throws Exception {
        Scenario scenario = Scenario.read(Folders.ROOT.resolve(name));
        List<ReplayLock> locks = scenario.play().locks();

        assertThat(overs(scenario))
                .allSatisfy(over -> assertThat(locks).anySatisfy(lock -> {
                    assertThat(lock.policy()).isEqualTo(over.policy());
                    assertThat(lock.subject()).isEqualTo(over.subject());
                    assertThat(over.from()).isBetween(lock.at() - paneMillis(scenario, over.policy()), lock.until());
                }));
    }

    private static List<ExactOracle.Over> overs(Scenario scenario) throws Exception {
        ExactOracle oracle = new ExactOracle(scenario.policies());
        RequestEventReader reader = RequestEventReader.ours();
        for (String line :
                Folders.text(scenario.name(), Scenario.EVENTS).lines().toList()) {
            oracle.add(reader.read(line.getBytes(StandardCharsets.UTF_8)));
        }
        return oracle.overs();
    }

    private static long paneMillis(Scenario scenario, String policy) {
        return scenario.policies().policies().stream()
                .filter(it -> it.name().equals(policy))
                .map(Policy::window)
                .findFirst()
                .orElseThrow()
                .paneMillis();
    }
}
