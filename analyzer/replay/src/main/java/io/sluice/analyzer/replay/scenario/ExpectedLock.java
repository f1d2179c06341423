package io.sluice.analyzer.replay.scenario;

import io.sluice.analyzer.replay.Lines;
import io.sluice.analyzer.replay.ReplayLock;
import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A lock that a scenario must lead to.
 *
 * @param line where it stands in its file, from 1
 * @param fields the expected fields; the others may have any value
 */
record ExpectedLock(long line, Map<LockField, Object> fields) {
    ExpectedLock {
        fields = Collections.unmodifiableMap(new EnumMap<>(fields));
    }

    /**
     * Reads a file of them, one JSON object a line.
     *
     * @throws IOException with everything that is wrong in it, for the user
     */
    static List<ExpectedLock> read(Path file) throws IOException {
        List<ExpectedLock> locks = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        try (Lines lines = Scenario.lines(file)) {
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                try {
                    locks.add(read(line, lines.number()));
                } catch (MalformedRecord e) {
                    problems.add(file + ":" + lines.number() + ": " + e.getMessage());
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new IOException(String.join("\n", problems));
        }
        return locks;
    }

    private static ExpectedLock read(byte[] line, long number) throws MalformedRecord {
        Map<LockField, Object> fields = new EnumMap<>(LockField.class);
        try (JsonObjectReader reader = JsonObjectReader.of(line, "lock")) {
            while (reader.next()) {
                LockField field = LockField.spelt(reader.field());
                if (field == null) {
                    throw new MalformedRecord(
                            "found the field '" + reader.field() + "', allowed: " + LockField.spellings());
                }
                fields.put(field, field.read(reader));
            }
            reader.required(fields.get(LockField.POLICY), "policy");
            reader.required(fields.get(LockField.SUBJECT), "subject");
        }
        return new ExpectedLock(number, fields);
    }

    boolean matches(ReplayLock lock) {
        return fields.entrySet().stream().allMatch(field -> field.getKey().agrees(field.getValue(), lock));
    }
}
