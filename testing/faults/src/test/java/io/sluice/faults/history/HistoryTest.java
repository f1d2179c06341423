package io.sluice.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    @TempDir
    Path folder;

    @Test
    void whatSeveralWritersAddedIsOneHistoryInOrderOfTime() {
        Entry first = new Entry(1, Entry.Kind.APPLIED, "agent-1", "amber");
        Entry second = new Entry(2, Entry.Kind.DECIDED, "decide-0", "{\"policy\":\"p\"}\n\t\u0001");
        Entry third = new Entry(3, Entry.Kind.OPENED, "agent-1", "amber");
        try (History agent = History.in(folder, "agent-1");
                History test = History.in(folder, "faults")) {
            agent.add(List.of(first, third));
            test.add(List.of(second));
        }

        assertThat(History.read(folder)).containsExactly(first, second, third);
    }

    @Test
    void aLineThatAKillCutOffIsLeftOut() throws IOException {
        Entry whole = new Entry(1, Entry.Kind.FAULT, "broker", "killed");
        try (History history = History.in(folder, "faults")) {
            history.add(List.of(whole));
        }
        Files.writeString(folder.resolve("faults.history.jsonl"), "{\"at\":2,\"ki", StandardOpenOption.APPEND);

        assertThat(History.read(folder)).containsExactly(whole);
    }

    @Test
    void aWriterThatComesBackGoesOnWhereItWas() {
        for (int life = 0; life < 2; life++) {
            try (History history = History.in(folder, "agent-1")) {
                history.add(List.of(new Entry(life, Entry.Kind.FAULT, "life", "")));
            }
        }

        assertThat(History.read(folder)).hasSize(2);
    }
}
