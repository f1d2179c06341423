package io.sluice.benchmarks.replay;

import io.sluice.analyzer.cli.SluiceCommand;

/** The command line as {@code ./sluice} starts it, without what only the demo adds. */
final class ReplayMain {

    private ReplayMain() {}

    public static void main(String... arguments) {
        System.setProperty("sluice.log", "WARN");
        System.setProperty("sluice.log.kafka", "ERROR");
        System.exit(SluiceCommand.commandLine().execute(arguments));
    }
}
