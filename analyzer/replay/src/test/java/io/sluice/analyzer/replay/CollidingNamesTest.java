package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.settings.PolicyFile;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that uses names of one {@link String#hashCode}. With hash tables that compare names one by one this takes minutes. */
@Tag("full")
class CollidingNamesTest {
    private static final int BITS = 15;

    @TempDir
    Path folder;

    private static String name(int number) {
        StringBuilder name = new StringBuilder();
        for (int bit = 0; bit < BITS; bit++) {
            name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return name.toString();
    }

    @Test
    void exactReplay_isNotSlower() throws Exception {
        List<String> lines = new ArrayList<>();
        Set<Integer> hashes = new HashSet<>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 1 << BITS; i++) {
                String name = name(i);
                hashes.add(name.hashCode());
                lines.add("{\"time\":%d,\"caller\":\"%s\"}".formatted(1_763_700_000_000L + i / 100, name));
            }
        }
        for (int i = 0; i < 200; i++) {
            lines.add("{\"time\":1763700001000,\"caller\":\"" + name(7) + "\"}");
        }
        assertThat(hashes).hasSize(1);
        Path log = Files.write(folder.resolve("colliding.jsonl"), lines);

        ReplayResult result = new Replay(
                        new Replay.Question(
                                PolicyFile.read(Replays.policy("above: 100").getBytes(StandardCharsets.UTF_8), "p"),
                                null,
                                true),
                        null,
                        List.of(),
                        new Progress(new PrintWriter(Writer.nullWriter()), false))
                .of(List.of(LogFile.of(log.toString(), InputStream.nullInputStream())));

        assertThat(result.locks()).hasSize(1);
    }
}
