package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class SluiceCommandTest {

    @Command(name = "fail")
    record Failing(Exception failure) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new IOException("can't listen on 127.0.0.1:80"), "can't listen on 127.0.0.1:80"),
                Arguments.of(new Refused("no"), "no"),
                Arguments.of(new IOException(), "IOException: null"),
                Arguments.of(new NoSuchFileException("a.log"), "NoSuchFileException: a.log"),
                Arguments.of(new ArithmeticException("/ by zero"), "ArithmeticException: / by zero"),
                Arguments.of(
                        new KafkaException("failed", new ConfigException("no such host")),
                        "ConfigException: no such host"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aCommandThatFailsSaysWhyInOneLine(Exception failure, String line) {
        StringWriter err = new StringWriter();
        CommandLine sluice = SluiceCommand.commandLine().addSubcommand(new Failing(failure));
        sluice.setErr(new PrintWriter(err));

        int code = sluice.execute("fail");

        assertThat(code).isEqualTo(1);
        assertThat(err).hasToString(line + System.lineSeparator());
    }
}
