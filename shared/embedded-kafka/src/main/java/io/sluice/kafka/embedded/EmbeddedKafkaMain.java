package io.sluice.kafka.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The broker as a process: {@value #USAGE}
 *
 * <p>Prints one line, {@value #READY} and the address, when it serves clients. Ends on SIGTERM or SIGINT; with
 * {@code --until-stdin-closes} also when its standard input ends, as it does when the parent process dies. Exit codes:
 * 0 stopped, 1 not started or failed, 2 wrong arguments.
 */
public final class EmbeddedKafkaMain {

    static final String USAGE =
            "[--port PORT] [--data DIR] [--property KEY=VALUE]… [--user NAME=PASSWORD]… [--until-stdin-closes]";
    static final String READY = "Kafka ready at ";

    private final EmbeddedKafka.Builder kafka = EmbeddedKafka.builder();
    private boolean untilStdinCloses;

    private EmbeddedKafkaMain() {}

    /** Starts the broker and stays until it is stopped. */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(args, System.in, System.out, System.err));
    }

    static int run(String[] args, InputStream in, PrintStream out, PrintStream err) throws InterruptedException {
        EmbeddedKafkaMain main = new EmbeddedKafkaMain();
        try {
            main.read(new ArrayDeque<>(List.of(args)));
        } catch (IllegalArgumentException wrong) {
            err.println("error: " + wrong.getMessage());
            err.println("usage: " + USAGE);
            return 2;
        }
        try {
            main.serve(in, out, err);
            return 0;
        } catch (IllegalArgumentException | KafkaStartException refused) {
            err.println("error: " + refused.getMessage());
            return 1;
        }
    }

    private void read(Deque<String> args) {
        while (!args.isEmpty()) {
            String option = args.pop();
            switch (option) {
                case "--port" -> kafka.port(port(value(option, args)));
                case "--data" -> kafka.data(Path.of(value(option, args)));
                case "--property" -> {
                    String[] pair = pair(option, value(option, args));
                    kafka.property(pair[0], pair[1]);
                }
                case "--user" -> {
                    String[] pair = pair(option, value(option, args));
                    kafka.user(pair[0], pair[1]);
                }
                case "--until-stdin-closes" -> untilStdinCloses = true;
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
    }

    private static String value(String option, Deque<String> args) {
        if (args.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return args.pop();
    }

    private static int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("--port is '" + text + "', allowed is 0 to 65535", wrong);
        }
    }

    private static String[] pair(String option, String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            // the text itself may be a password
            throw new IllegalArgumentException(option + " needs NAME=VALUE");
        }
        return new String[] {text.substring(0, equals), text.substring(equals + 1)};
    }

    private void serve(InputStream in, PrintStream out, PrintStream err) throws InterruptedException {
        kafka.onFailure(failure -> {
            err.println("error: " + failure.getMessage());
            // a broken broker may not be able to stop in order
            Runtime.getRuntime().halt(1);
        });
        EmbeddedKafka running = kafka.start();
        Runtime.getRuntime().addShutdownHook(new Thread(running::close, "kafka-stop"));
        out.println(READY + running.bootstrapServers());
        out.flush();
        if (untilStdinCloses) {
            drain(in);
        } else {
            // until a signal runs the hook
            Thread.currentThread().join();
        }
        running.close();
    }

    private static void drain(InputStream in) {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException gone) {
            // as good as closed
        }
    }
}
