package io.sluice.launcher;

import io.sluice.contract.topic.TopicFollower;
import io.sluice.demo.stage.LockHistory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.protocol.Errors;

/**
 * Loads the classes that short commands need, and ends. The launcher runs it to make a class data archive (AppCDS) of them. It
 * needs no broker: the clients call a port where none listens.
 */
public final class ArchiveTraining {
    private static final int CALL_MILLIS = 300;
    private static final long FOLLOW_MILLIS = 1000;

    private ArchiveTraining() {}

    /** Loads the classes; prints nothing. */
    public static void main(String[] args) throws IOException, InterruptedException {
        System.setProperty("sluice.log", "OFF");
        System.setProperty("sluice.log.kafka", "OFF");
        Path settings =
                Files.writeString(Files.createTempFile("sluice", ".yml"), "kafka: { bootstrap.servers: nowhere }\n");
        try {
            execute("--help");
            execute("locks", "list", "--help");
            execute("policies", "list", "--help");
            execute("analyzer", "--print-config", "--config", settings.toString());
        } finally {
            Files.delete(settings);
        }
        callNobody();
        System.exit(0);
    }

    private static void execute(String... command) {
        PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        Sluice.commandLine(command).setOut(nowhere).setErr(nowhere).execute(command);
    }

    private static void callNobody() throws InterruptedException {
        // every answer of a broker loads all of them
        Errors.forCode(Errors.NONE.code());
        Map<String, Object> client = new HashMap<>();
        client.put("bootstrap.servers", "127.0.0.1:1");
        client.put("request.timeout.ms", CALL_MILLIS);
        client.put("default.api.timeout.ms", CALL_MILLIS);
        try (Admin admin = Admin.create(client);
                TopicFollower follower = new TopicFollower(client, List.of("sluice.gate-locks"), new LockHistory())) {
            admin.describeCluster();
            follower.start();
            TimeUnit.MILLISECONDS.sleep(FOLLOW_MILLIS);
        }
    }
}
