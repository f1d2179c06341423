package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The log of the product, as it is configured. */
class LogPatternTest {

    @Test
    void namesThatClientsChose_doNothingToATerminal() throws Exception {
        LoggerContext context = new LoggerContext();
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Path.of("src/main/resources/logback.xml").toFile());
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ConsoleAppender<ILoggingEvent> console = (ConsoleAppender<ILoggingEvent>) root.getAppender("err");

        String hostile = "\u001b[2J\u009b31m\u007f\u202e\u2028\u200b é\ttab";
        LoggingEvent event = new LoggingEvent(
                "",
                context.getLogger("io.sluice.Some"),
                Level.WARN,
                "caller {}\nnext",
                new RuntimeException(hostile),
                new Object[] {hostile});
        String line = new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);

        assertThat(line)
                .contains(" WARN  Some: caller ?[2J?31m???? é\ttab" + "\n" + "next" + System.lineSeparator())
                .contains("java.lang.RuntimeException: ?[2J?31m???? é\ttab");
        assertThat(line.split("RuntimeException", -1))
                .as("the exception is printed once")
                .hasSize(2);
    }
}
