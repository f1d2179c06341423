package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** The size of what a browser loads, and what its files may contain. */
class DashboardSizeTest {
    private static final int SCRIPT_BYTES = 150 << 10;

    private static List<Path> files(String ending) throws Exception {
        Path folder = Path.of(Objects.requireNonNull(Dashboard.class.getResource("dashboard/index.html"))
                        .toURI())
                .getParent();
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    private static int gzipped(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(content);
        }
        return packed.size();
    }

    @Test
    void scripts_compressed_fitIntoTheirBudget() throws Exception {
        int bytes = 0;
        for (Path script : files(".js")) {
            bytes += gzipped(Files.readAllBytes(script));
        }
        try (InputStream uplot = Dashboard.class.getResourceAsStream(
                "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot.iife.min.js")) {
            bytes += gzipped(Objects.requireNonNull(uplot).readAllBytes());
        }

        assertThat(bytes).isBetween(20_000, SCRIPT_BYTES);
    }

    @Test
    void scripts_createNoMarkupFromText() throws Exception {
        for (Path script : files(".js")) {
            assertThat(Files.readString(script, StandardCharsets.UTF_8))
                    .as(script.getFileName().toString())
                    .doesNotContain(
                            "innerHTML",
                            "outerHTML",
                            "insertAdjacentHTML",
                            "document.write",
                            "eval(",
                            "setAttribute('style'");
        }
    }
}
