package io.sluice.analyzer.main;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Writes what a broker in this process logs to a file instead of the console, from WARN on: its errors are about its own internals, and
 * on a busy machine there are many. At most 20 MiB in two files. With a log back end other than logback nothing changes.
 */
public final class BrokerLog implements AutoCloseable {
    private static final String FILE_SIZE = "10MB";
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %msg%n";
    /** Kafka's loggers apart from those of clients and Kafka Streams. */
    private static final List<String> BROKER = List.of(
            "kafka",
            "state.change.logger",
            "com.yammer",
            "org.apache.kafka.common",
            "org.apache.kafka.controller",
            "org.apache.kafka.coordinator",
            "org.apache.kafka.image",
            "org.apache.kafka.metadata",
            "org.apache.kafka.queue",
            "org.apache.kafka.raft",
            "org.apache.kafka.security",
            "org.apache.kafka.server",
            "org.apache.kafka.storage");
    /** All of them. */
    private static final List<String> KAFKA = List.of("kafka", "state.change.logger", "com.yammer", "org.apache.kafka");

    private final Path file;
    private final List<Redirected> loggers;

    private BrokerLog(Path file, List<Redirected> loggers) {
        this.file = file;
        this.loggers = loggers;
    }

    /** Redirects the broker's loggers until the result is closed; errors of clients and of Kafka Streams still reach the console. */
    public static BrokerLog ofBroker(Path file) {
        return redirect(BROKER, file);
    }

    /** Redirects all loggers of Kafka until the result is closed. */
    public static BrokerLog ofAllKafka(Path file) {
        return redirect(KAFKA, file);
    }

    private static BrokerLog redirect(List<String> names, Path file) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return new BrokerLog(file, List.of());
        }
        RollingFileAppender<ILoggingEvent> appender = appender(context, file);
        return new BrokerLog(
                file,
                names.stream()
                        .map(name -> new Redirected(context.getLogger(name), appender))
                        .toList());
    }

    private static RollingFileAppender<ILoggingEvent> appender(LoggerContext context, Path file) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
        rolling.setContext(context);
        rolling.setParent(appender);
        rolling.setFileNamePattern(file + ".%i");
        rolling.setMaxIndex(1);
        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setMaxFileSize(FileSize.valueOf(FILE_SIZE));
        appender.setContext(context);
        appender.setName("broker " + file);
        appender.setFile(file.toString());
        appender.setEncoder(encoder);
        appender.setRollingPolicy(rolling);
        appender.setTriggeringPolicy(size);
        rolling.start();
        size.start();
        appender.start();
        return appender;
    }

    /** The newer of the two files. */
    public Path file() {
        return file;
    }

    /** Lets these loggers write to where the others do again. */
    @Override
    public void close() {
        loggers.forEach(Redirected::restore);
    }

    private static final class Redirected {
        private final Logger logger;
        private final RollingFileAppender<ILoggingEvent> appender;
        private final boolean additive;
        private final Level level;

        Redirected(Logger logger, RollingFileAppender<ILoggingEvent> appender) {
            this.logger = logger;
            this.appender = appender;
            additive = logger.isAdditive();
            level = logger.getLevel();
            logger.setAdditive(false);
            // a user may have asked for more
            if (logger.getEffectiveLevel().isGreaterOrEqual(Level.WARN)) {
                logger.setLevel(Level.WARN);
            }
            logger.addAppender(appender);
        }

        void restore() {
            logger.detachAppender(appender);
            logger.setAdditive(additive);
            logger.setLevel(level);
            appender.stop();
        }
    }
}
