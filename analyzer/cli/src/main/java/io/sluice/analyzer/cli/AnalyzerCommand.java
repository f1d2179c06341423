package io.sluice.analyzer.cli;

import io.sluice.analyzer.main.AnalyzerMain;
import io.sluice.analyzer.main.AnalyzerSecrets;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.analyzer.run.CannotStart;
import io.sluice.settings.InvalidSettings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs an analyzer until it is stopped. */
@Command(
        name = "analyzer",
        description = "Run an analyzer; without a cluster in the settings it starts a broker of its own.",
        footer = {
            "",
            "Examples:",
            "  ./sluice analyzer",
            "  ./sluice analyzer --config sluice.yml",
            "  ./sluice analyzer --print-config"
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class AnalyzerCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Mixin
    Connection connection;

    @Option(names = "--print-config", description = "Show every setting and where it came from, and end.")
    boolean printConfig;

    @Override
    public Integer call() throws InvalidSettings, Refused {
        if (printConfig) {
            spec.commandLine().getOut().print(connection.settings().printed());
            spec.commandLine().getOut().flush();
            return 0;
        }
        AnalyzerOptions options;
        AnalyzerSecrets secrets;
        try {
            options = AnalyzerMain.options(connection.settings());
            secrets = AnalyzerSecrets.read(connection.settings());
        } catch (CannotStart e) {
            throw new Refused(String.join(System.lineSeparator(), e.reasons()));
        } catch (IllegalArgumentException e) {
            throw new Refused(String.valueOf(e.getMessage()));
        }
        if (!connection.settings().kafka().embedded()) {
            connection.awaitBroker();
        }
        return AnalyzerMain.run(connection.settings(), options, secrets, System.err);
    }
}
