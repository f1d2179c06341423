package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleLogTest {

    @Test
    void namesThatClientsChose_doNothingToATerminal() {
        LoggerContext context = new LoggerContext();
        ConsoleLog.apply(context, Level.INFO, Level.ERROR);
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ConsoleAppender<ILoggingEvent> console = (ConsoleAppender<ILoggingEvent>) root.getAppender(ConsoleLog.APPENDER);

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

    @Test
    void levels_areThoseAskedFor() {
        LoggerContext context = new LoggerContext();
        ConsoleLog.apply(context, Level.DEBUG, Level.OFF);

        assertThat(context.getLogger("io.sluice.Some").isDebugEnabled()).isTrue();
        assertThat(context.getLogger("org.apache.kafka.Some").isErrorEnabled()).isFalse();
        assertThat(context.getLogger("org.eclipse.Some").isInfoEnabled()).isFalse();
    }

    /** In tests and benchmarks, which have settings of their own. */
    @Test
    void processThatTheLauncherDidNotStart_keepsItsOwnSettings() {
        LoggerContext context = new LoggerContext();

        assertThat(new ConsoleLog().configure(context)).isEqualTo(ConsoleLog.ExecutionStatus.INVOKE_NEXT_IF_ANY);
        assertThat(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender(ConsoleLog.APPENDER))
                .isNull();
    }
}
