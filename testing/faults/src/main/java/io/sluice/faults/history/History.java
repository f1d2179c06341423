package io.sluice.faults.history;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.JsonStrings;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A file to which what happens is added, a line of JSON each, at once: it outlives the process that wrote it. Several
 * processes write a file each into one folder; {@link #read} makes one history of them. Thread-safe.
 */
public final class History implements AutoCloseable {
    private static final String ENDING = ".history.jsonl";

    private final Writer to;

    private History(Writer to) {
        this.to = to;
    }

    /** Opens this process's part of a history, at its end. */
    public static History in(Path folder, String writer) {
        try {
            return new History(Files.newBufferedWriter(
                    folder.resolve(writer + ENDING), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds what happened now. */
    public void add(Entry.Kind kind, String who, String what) {
        add(List.of(new Entry(HarnessClock.now(), kind, who, what)));
    }

    /** Adds what happened. */
    public synchronized void add(List<Entry> entries) {
        try {
            for (Entry entry : entries) {
                to.write(line(entry));
            }
            to.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(Entry entry) {
        StringBuilder line = new StringBuilder();
        line.append("{\"at\":").append(entry.at()).append(",\"kind\":");
        JsonStrings.quote(entry.kind().name().toLowerCase(Locale.ROOT), line);
        JsonStrings.quote(entry.who(), line.append(",\"who\":"));
        JsonStrings.quote(entry.what(), line.append(",\"what\":"));
        return line.append("}\n").toString();
    }

    /** Everything that all writers have added, in order of time. A line that a kill cut off in the middle is left out. */
    public static List<Entry> read(Path folder) {
        List<Entry> entries = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .toList()) {
                String text = Files.readString(file);
                for (String line :
                        text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                    entries.add(entry(line, file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        entries.sort(Comparator.comparingLong(Entry::at));
        return entries;
    }

    private static Entry entry(String line, Path file) {
        try {
            if (JsonNodes.read(line.getBytes(StandardCharsets.UTF_8), file.toString()) instanceof Node.Mapping fields) {
                return new Entry(
                        Long.parseLong(text(fields, "at")),
                        Entry.Kind.valueOf(text(fields, "kind").toUpperCase(Locale.ROOT)),
                        text(fields, "who"),
                        text(fields, "what"));
            }
            throw new IllegalArgumentException(file + ": not an entry: " + line);
        } catch (MalformedRecord e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage() + ": " + line, e);
        }
    }

    private static String text(Node.Mapping fields, String name) {
        if (fields.value(name) instanceof Node.Scalar scalar) {
            return scalar.text();
        }
        throw new IllegalArgumentException("an entry without " + name);
    }

    @Override
    public void close() {
        try {
            to.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
