package io.sluice.kafka.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A broker in a process of its own, for tests that treat it badly.
 *
 * <p>The child runs {@link EmbeddedKafkaMain} with this process's Java and class path, and ends by itself when this
 * process does. Not thread-safe; freezing needs a POSIX system.
 */
public final class KafkaProcess implements AutoCloseable {

    // a broker that ends is noticed at once; one on a starved machine has been seen to take over a minute
    private static final Duration START_PATIENCE = Duration.ofMinutes(2);
    /** A test's broker: the first seconds count more than the hundredth. */
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /** With new data no former session has to run out, and a standstill must not fence the broker. */
    private static final List<String> LONG_SESSION =
            List.of("--property", "broker.session.timeout.ms=" + EmbeddedKafka.LONG_SESSION_MILLIS);

    private final BrokerCommand command;
    private final boolean temporary;
    private Process process;
    private ChildOutput output;
    private boolean frozen;
    private String bootstrapServers;

    private KafkaProcess(BrokerCommand command, boolean temporary, int port) {
        this.command = command;
        this.temporary = temporary;
        this.process = command.launch(port, temporary ? LONG_SESSION : List.of());
        this.output = new ChildOutput(process);
        try {
            this.bootstrapServers = awaitReady();
        } catch (KafkaStartException failure) {
            deleteTemporary();
            throw failure;
        }
    }

    /** A broker on a free port with temporary data by default. */
    public static Builder builder() {
        return new Builder();
    }

    private String awaitReady() {
        try {
            return output.awaitReady(START_PATIENCE);
        } catch (KafkaStartException failure) {
            kill();
            throw failure;
        }
    }

    /** {@code host:port} of the first client listener; the same over restarts. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The operating system's number of the broker's process. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process is there; a frozen one is. */
    public boolean alive() {
        return process.isAlive();
    }

    /** Output of the newest process, apart from its ready line. */
    ChildOutput output() {
        return output;
    }

    /** Returns the last lines of what the newest process has printed so far. */
    public String lastOutput() {
        return output.text();
    }

    /** SIGKILL: the broker gets no chance to tidy up. Returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        frozen = false;
        awaitEnd();
    }

    /** SIGSTOP: the broker keeps its connections and answers nothing, like one behind a broken network. */
    public void freeze() {
        Signal.STOP.send(pid());
        frozen = true;
    }

    /** SIGCONT: goes on after {@link #freeze()}. */
    public void resume() {
        Signal.CONT.send(pid());
        frozen = false;
    }

    /** Ends the broker in order, however long that takes; one that is frozen, and one whose end this thread is interrupted to await, is killed. */
    public void stop() {
        if (frozen) {
            kill();
            return;
        }
        try {
            // the end of its input is its sign to stop
            process.getOutputStream().close();
        } catch (IOException gone) {
            // it was dead already
        }
        // a kill would leave logs to be recovered, also where the broker is only slow
        if (!awaitEnd()) {
            kill();
        }
    }

    /**
     * Starts the broker again with the same port and data, after ending it in order if it still runs. From then on, a standstill of a few seconds
     * fences it for a moment.
     */
    public void restart() {
        if (alive()) {
            stop();
        }
        process = command.launch(portAgain(), List.of());
        output = new ChildOutput(process);
        bootstrapServers = awaitReady();
    }

    /** The port it had; none where the listeners are named, for these have theirs. */
    private int portAgain() {
        return command.namesListeners()
                ? 0
                : Integer.parseInt(bootstrapServers.substring(bootstrapServers.lastIndexOf(':') + 1));
    }

    /** Returns false when interrupted before the process has ended. */
    private boolean awaitEnd() {
        try {
            process.waitFor();
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Stops the broker and deletes temporary data. */
    @Override
    public void close() {
        stop();
        deleteTemporary();
    }

    private void deleteTemporary() {
        if (temporary) {
            try {
                DataDirectory.delete(command.data());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** How the broker is to be; every method returns the builder. */
    public static final class Builder {

        private final List<String> options = new ArrayList<>();
        private List<String> javaOptions = JAVA_OPTIONS;
        private Map<String, String> environment = Map.of();
        private int port;
        private @Nullable Path data;

        private Builder() {}

        /** As {@link EmbeddedKafka.Builder#port}. */
        public Builder port(int port) {
            this.port = port;
            return this;
        }

        /** As {@link EmbeddedKafka.Builder#data}. */
        public Builder data(Path folder) {
            this.data = folder;
            return this;
        }

        /**
         * As {@link EmbeddedKafka.Builder#property}. A {@code listeners} setting needs fixed ports here, for a restart
         * is to find them again.
         */
        public Builder property(String key, String value) {
            options.addAll(List.of("--property", key + "=" + value));
            return this;
        }

        /** As {@link EmbeddedKafka.Builder#user}; the password is visible in the list of processes. */
        public Builder user(String name, String password) {
            options.addAll(List.of("--user", new ScramUser(name, password).name() + "=" + password));
            return this;
        }

        /** Java options of the process, such as {@code -Xmx2g}, in place of a small test broker's. */
        public Builder javaOptions(String... options) {
            javaOptions = List.of(options);
            return this;
        }

        /** Variables of the process beside this one's, such as those that give it a clock of its own. */
        public Builder environment(Map<String, String> variables) {
            environment = Map.copyOf(variables);
            return this;
        }

        /**
         * Starts the process; the broker serves clients when this returns.
         *
         * @throws KafkaStartException when it does not come up, with what it printed
         */
        public KafkaProcess start() {
            try {
                Path folder = data == null ? DataDirectory.temporary() : data.toAbsolutePath();
                return new KafkaProcess(
                        new BrokerCommand(javaOptions, options, environment, folder), data == null, port);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
