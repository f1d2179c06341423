package io.sluice.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this host, for identifiers that the settings leave out. */
final class HostName {
    private HostName() {}

    /** Returns the variable {@code HOSTNAME}, else the name that the system has, else {@code localhost}. */
    static String local() {
        String fromEnvironment = System.getenv("HOSTNAME");
        if (fromEnvironment != null && !fromEnvironment.isBlank()) {
            return fromEnvironment;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
