package io.sluice.agent;

import io.sluice.contract.agent.AgentHeartbeat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The id of an agent that was given none: the name of its host and six random hexadecimal digits. */
final class AgentId {
    private AgentId() {}

    /**
     * Returns a new id.
     *
     * @param host the variable {@code HOSTNAME}, {@code null} or blank to read the name from the system
     */
    static String of(@Nullable String host) {
        String random = Integer.toHexString(ThreadLocalRandom.current().nextInt(0x100000, 0x1000000));
        // InetAddress.getLocalHost() may query a name server
        String name = host == null || host.isBlank() ? hostFile() : host;
        int most = AgentHeartbeat.LONGEST_NAME - 1 - random.length();
        return name.substring(0, Math.min(most, name.length())) + "-" + random;
    }

    private static String hostFile() {
        try {
            String name = Files.readString(Path.of("/etc/hostname")).strip();
            return name.isEmpty() ? "agent" : name;
        } catch (IOException | RuntimeException e) {
            return "agent";
        }
    }
}
