package io.sluice.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.slf4j.LoggerFactory;

/**
 * Adds the last lines of the log to the failure of a test. Everything that tests print goes to files under {@code target/surefire-reports}; with
 * this JUnit extension a failure can be read without opening them. Registered for all tests by auto-detection. Thread-safe.
 */
public final class FailedTestLog
        implements BeforeAllCallback, TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    private static final int LINES = 60;
    private static final Lines LOG = new Lines();

    @Override
    public void beforeAll(ExtensionContext context) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
            LOG.follow(logback);
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw LOG.addedTo(failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw LOG.addedTo(failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw LOG.addedTo(failure);
    }

    /** Carries log lines in a stack trace; has no stack of its own. */
    private static final class LogBeforeFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        LogBeforeFailure(String lines) {
            super("the log before the failure:\n" + lines, null, false, false);
        }
    }

    /** The last lines logged in this JVM, WARN and above from Kafka, everything from Sluice. */
    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final Deque<String> last = new ArrayDeque<>();
        private final PatternLayoutEncoder format = new PatternLayoutEncoder();

        /** Attaches this to the root logger again where a logging system, such as Spring Boot's, has reset it. */
        synchronized void follow(LoggerContext logback) {
            Logger root = logback.getLogger(Logger.ROOT_LOGGER_NAME);
            if (root.isAttached(this)) {
                return;
            }
            setContext(logback);
            format.setContext(logback);
            format.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0} [%thread]: %msg%n%ex{12}");
            format.start();
            start();
            root.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
                last.addLast(new String(format.encode(event), StandardCharsets.UTF_8));
                if (last.size() > LINES) {
                    last.removeFirst();
                }
            }
        }

        synchronized Throwable addedTo(Throwable failure) {
            if (!last.isEmpty()) {
                failure.addSuppressed(new LogBeforeFailure(String.join("", last)));
            }
            last.clear();
            return failure;
        }
    }
}
