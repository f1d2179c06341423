package io.sluice.launcher;

import io.sluice.kafka.embedded.KafkaProcess;
import io.sluice.kafka.embedded.KafkaStartException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Loads the classes that short commands need, and ends: it runs some of them on a broker in another process. The launcher records the
 * classes to make a class data archive (AppCDS) of them. A broker is needed because half of the classes are those of Kafka's answers.
 */
public final class ArchiveTraining {
    private static final List<String> COMMANDS = List.of(
            "topics create",
            "enforce off --reason training",
            "enforce on --reason training",
            "locks list",
            "locks list --json",
            "locks history",
            "policies list",
            "agents list",
            "callers top",
            "dead-letters list",
            "doctor",
            "locks lsit",
            "analyzer --print-config");

    private ArchiveTraining() {}

    /** Loads the classes; prints nothing. */
    public static void main(String[] args) {
        Sluice.presetLogging("OFF", "OFF");
        try (KafkaProcess broker = KafkaProcess.builder().start()) {
            executeAll(broker.bootstrapServers());
        } catch (KafkaStartException e) {
            // an image has no broker's jars
            executeAll("127.0.0.1:1");
        }
        System.exit(0);
    }

    private static void executeAll(String bootstrap) {
        for (String command : COMMANDS) {
            execute((command + " --bootstrap " + bootstrap).split(" "));
        }
    }

    /** Each may fail, as doctor does without an analyzer. */
    private static void execute(String... command) {
        PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        Sluice.commandLine(command).setOut(nowhere).setErr(nowhere).execute(command);
    }
}
