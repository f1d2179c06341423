package io.sluice.kafka.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How a broker's process is started, the first time and again. Immutable. */
record BrokerCommand(List<String> javaOptions, List<String> options, Map<String, String> environment, Path data) {
    BrokerCommand {
        javaOptions = List.copyOf(javaOptions);
        options = List.copyOf(options);
        environment = Map.copyOf(environment);
    }

    /**
     * Starts the process.
     *
     * @param port 0 for any
     * @param defaults options that those of the command replace
     */
    Process launch(int port, List<String> defaults) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of(
                "-Dlogback.configurationFile=io/sluice/kafka/embedded/process-logback.xml",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                EmbeddedKafkaMain.class.getName(),
                "--until-stdin-closes",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(port)));
        command.addAll(defaults);
        command.addAll(options);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            return builder.start();
        } catch (IOException failure) {
            throw new KafkaStartException("cannot start a broker process: " + failure.getMessage(), failure);
        }
    }

    boolean namesListeners() {
        return options.stream().anyMatch(option -> option.startsWith("listeners="));
    }
}
