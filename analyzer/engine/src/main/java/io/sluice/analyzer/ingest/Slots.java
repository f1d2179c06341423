package io.sluice.analyzer.ingest;

import java.util.ArrayList;
import java.util.List;

/** Gives each field that a source reads its place in {@link Fields}. */
final class Slots {
    private final List<String> names;
    private final boolean open;

    private Slots(List<String> names, boolean open) {
        this.names = names;
        this.open = open;
    }

    /** The fields of a combined line, in the order of {@link LogSource}'s constants; there are no others. */
    static Slots combined() {
        return new Slots(
                List.of(
                        "remote_addr",
                        "remote_user",
                        "time_local",
                        "request",
                        "status",
                        "body_bytes_sent",
                        "http_referer",
                        "http_user_agent",
                        "server_name"),
                false);
    }

    /** Any field that is asked for. */
    static Slots open() {
        return new Slots(new ArrayList<>(), true);
    }

    /**
     * The place of a field.
     *
     * @param setting what asks for it, for the complaint
     * @throws IllegalArgumentException when this format can't have it
     */
    int of(String setting, String name) {
        int slot = names.indexOf(name);
        if (slot >= 0) {
            return slot;
        }
        if (!open) {
            throw new IllegalArgumentException(
                    setting + ": a combined log has no field '" + name + "', only " + String.join(", ", names));
        }
        names.add(name);
        return names.size() - 1;
    }

    List<String> names() {
        return List.copyOf(names);
    }
}
