package io.sluice.launcher;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.status.NopStatusListener;
import java.util.List;
import org.slf4j.Logger;

/**
 * Logback's settings for everything that {@link Sluice} starts: lines on standard error. Reading the same from a {@code logback.xml} takes
 * a third of a second of each start. It applies where {@link Sluice#main} has set the levels and no {@code logback.configurationFile} is
 * named.
 *
 * <p>{@code -Dsluice.log=DEBUG} and {@code -Dsluice.log.kafka=INFO} in {@code SLUICE_JAVA_OPTS} log more.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_NORMAL_PRIORITY)
public final class ConsoleLog extends ContextAwareBase implements Configurator {
    static final String LEVEL = "sluice.log";
    static final String KAFKA_LEVEL = "sluice.log.kafka";
    static final String APPENDER = "err";

    private static final String FILE = "logback.configurationFile";
    // messages may hold names that clients chose: no escape sequences, no marks of the direction of writing
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %replace(%msg%n%ex){"
            + "'[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F\\u061C\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF]', '?'}%nopex";
    /** Kafka's clients and broker warn while all is well; failures of Kafka are reported by Sluice's own classes. */
    private static final List<String> KAFKA = List.of("kafka", "org.apache.kafka", "state.change.logger", "com.yammer");

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        String level = System.getProperty(LEVEL);
        if (level == null || System.getProperty(FILE) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        apply(context, Level.toLevel(level, Level.INFO), Level.toLevel(System.getProperty(KAFKA_LEVEL), Level.ERROR));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    static void apply(LoggerContext context, Level sluice, Level kafka) {
        context.getStatusManager().add(new NopStatusListener());
        KAFKA.forEach(name -> context.getLogger(name).setLevel(kafka));
        context.getLogger("io.sluice").setLevel(sluice);
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console(context));
    }

    private static ConsoleAppender<ILoggingEvent> console(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName(APPENDER);
        console.setTarget("System.err");
        console.setEncoder(encoder);
        console.start();
        return console;
    }
}
