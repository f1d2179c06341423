package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the dashboard as a server sends them. */
@Tag("server")
class DashboardFilesTest extends ApiFixture {
    @ParameterizedTest
    @CsvSource({
        "/, text/html",
        "/dashboard/app.js, text/javascript",
        "/dashboard/app.css, text/css",
        "/dashboard/uplot.js, text/javascript"
    })
    void dashboard_files_areServedWithPolicyAndETag(String path, String type) throws Exception {
        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith(type);
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                .doesNotContain("unsafe");
        HttpRequest again = HttpRequest.newBuilder(uri(path))
                .header("If-None-Match", response.headers().firstValue("ETag").orElseThrow())
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(again, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dashboard/",
                "/dashboard/none.js",
                "/dashboard/%2e%2e/openapi.json",
                "/dashboard/..%2fopenapi.json"
            })
    void dashboard_otherPaths_areNotFound(String path) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void dashboard_scripts_staySmall() throws Exception {
        long bytes = 0;
        for (String name : scripts()) {
            HttpResponse<byte[]> script = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(uri("/dashboard/" + name)).build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            assertThat(script.statusCode()).as(name).isEqualTo(200);
            bytes += script.body().length;
        }
        assertThat(bytes).isLessThan(150_000);
    }

    private static List<String> scripts() throws IOException {
        List<String> names = new ArrayList<>(List.of("uplot.js"));
        try (Stream<Path> files =
                Files.list(Path.of("../../analyzer/api/src/main/resources/io/sluice/analyzer/api/dashboard"))) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".js"))
                    .forEach(names::add);
        }
        return names;
    }

    @Test
    void pathAboveTheRoot_isRefused() throws Exception {
        assertThat(get("/../etc/passwd").statusCode()).isEqualTo(400);
    }
}
