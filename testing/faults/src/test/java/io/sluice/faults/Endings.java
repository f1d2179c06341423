package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.process.JavaProcess;

/** How an analyzer has to end that can't go on: with 1, and a clear line. */
final class Endings {
    private Endings() {}

    /** It does not begin: it says this in one line of its own, and no stack trace. */
    static void assertRefused(JavaProcess analyzer, String line) {
        assertThat(analyzer.exit(Surroundings.PATIENCE)).as("%s", analyzer).contains(1);
        assertThat(analyzer.logged().lines().filter(it -> !it.contains(" INFO ") && !it.contains(" WARN ")))
                .singleElement()
                .asString()
                .startsWith(line);
        analyzer.close();
    }

    /** It ran, and says this, once. */
    static void assertEnds(JavaProcess analyzer, String line) {
        assertThat(analyzer.exit(Surroundings.PATIENCE)).as("%s", analyzer).contains(1);
        assertThat(analyzer.logged().lines().filter(it -> it.startsWith(line)))
                .as("%s", analyzer)
                .hasSize(1);
    }
}
