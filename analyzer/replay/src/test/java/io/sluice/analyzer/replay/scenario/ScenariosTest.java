package io.sluice.analyzer.replay.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario leads to the locks that it says, and to no other. */
class ScenariosTest {
    static List<String> names() {
        return Folders.all();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theLocksAreAsExpected(String name) {
        Folders.Run run = Folders.run(Folders.ROOT.resolve(name));

        assertThat(run.out() + run.err()).startsWith(name + ": passed.");
        assertThat(run.status()).isZero();
    }
}
