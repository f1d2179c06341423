package io.sluice.analyzer.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.analyzer.api.ApiClient;
import io.sluice.analyzer.api.Tree;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.PrintableText;
import io.sluice.settings.FileErrors;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.InvalidSettings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Asks a running analyzer, by the address and the token that it has from the same settings. */
final class AnalyzerApi {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final JsonFactory JSON = new JsonFactory();

    @Option(
            names = "--at",
            paramLabel = "HOST:PORT",
            description =
                    "Address of any analyzer instance; https:// before it for TLS. Default: http.bind and http.port.")
    @Nullable
    String at;

    /** A document as it was answered. */
    byte[] get(Connection connection, String path) throws InvalidSettings, Refused, InterruptedException {
        HttpSettings http = connection.settings().http();
        return send(
                http, path, token(http.tokenFile()), HttpRequest.newBuilder().GET());
    }

    /** The answer to a request without a body that makes something. */
    byte[] post(Connection connection, String path, @Nullable String token)
            throws InvalidSettings, Refused, InterruptedException {
        return send(
                connection.settings().http(),
                path,
                token,
                HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.noBody()));
    }

    /** The address of the analyzer, with a slash at its end. */
    URI root(Connection connection) throws InvalidSettings, Refused {
        HttpSettings http = connection.settings().http();
        return uri(ApiClient.scheme(http), address(http), "").resolve("/");
    }

    private byte[] send(HttpSettings http, String path, @Nullable String token, HttpRequest.Builder request)
            throws Refused, InterruptedException {
        String address = address(http);
        request.uri(uri(ApiClient.scheme(http), address, path)).timeout(PATIENCE);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<byte[]> answer = ApiClient.builder(http)
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() == 200 || answer.statusCode() == 201) {
                return answer.body();
            }
            throw new Refused("the analyzer at " + address + " answered " + answer.statusCode() + " "
                    + PrintableText.of(error(answer.body())) + remedy(answer.statusCode()));
        } catch (SSLException e) {
            throw new Refused("no analyzer answers at " + address + " (" + e.getMessage()
                    + ")\nhttp.tls.ca has to name the authority of its certificate, which has to be for this address");
        } catch (IOException e) {
            throw new Refused("no analyzer answers at " + address + " ("
                    + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage())
                    + ")\nis one running? Check with './sluice doctor'. Set another address with --at HOST:PORT, or http.bind"
                    + " and http.port in sluice.yml. Without an analyzer: './sluice locks list'");
        }
    }

    private String address(HttpSettings http) throws Refused {
        if (at != null) {
            return at;
        }
        if (http.port() == 0) {
            throw new Refused("http.port is 0, so no analyzer of these settings answers; name one with --at HOST:PORT");
        }
        boolean everywhere = http.bind().equals("0.0.0.0") || http.bind().equals("::");
        String host = everywhere ? "127.0.0.1" : http.bind();
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + http.port();
    }

    private static URI uri(String scheme, String address, String path) throws Refused {
        try {
            boolean whole = address.startsWith("http://") || address.startsWith("https://");
            return URI.create((whole ? address : scheme + "://" + address) + "/api/v1/" + path);
        } catch (IllegalArgumentException e) {
            throw new Refused(
                    "--at: found " + PrintableText.of(address) + ", allowed is HOST:PORT or https://HOST:PORT");
        }
    }

    private static @Nullable String token(@Nullable Path file) throws Refused {
        return token(file, "http.token-file");
    }

    /** The content of a file with a token, {@code null} for no file. */
    static @Nullable String token(@Nullable Path file, String name) throws Refused {
        try {
            return file == null ? null : Files.readString(file).strip();
        } catch (IOException e) {
            throw new Refused(name + ": " + FileErrors.message(file, e));
        }
    }

    private static String error(byte[] body) {
        try {
            return Tree.text(Tree.of(body), "error");
        } catch (MalformedRecord e) {
            return "something that is no JSON";
        }
    }

    private static String remedy(int status) {
        return switch (status) {
            case 401 -> "\nhttp.token-file has to name the token that the analyzer has";
            case 403 -> "\nname it by its address, or list its name in the analyzer's http.allowed-hosts";
            case 503 -> "\nit has just started: try again in a few seconds";
            default -> "";
        };
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Takes a part of a document, as bytes of JSON. */
    interface Part {
        void take(byte[] json) throws Exception;
    }

    /** Each item of a list that stands in a field of the document. */
    static void items(byte[] document, String field, Part to) throws Exception {
        try (JsonParser read = JSON.createParser(document)) {
            read.nextToken();
            while (read.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = read.currentName().equals(field);
                read.nextToken();
                if (!wanted) {
                    read.skipChildren();
                    continue;
                }
                while (read.nextToken() != JsonToken.END_ARRAY) {
                    to.take(BoundedJson.write(json -> json.copyCurrentStructure(read)));
                }
            }
        }
    }
}
