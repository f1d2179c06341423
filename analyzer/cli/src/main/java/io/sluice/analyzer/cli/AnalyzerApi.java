package io.sluice.analyzer.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.analyzer.api.ApiClient;
import io.sluice.analyzer.api.TokenFile;
import io.sluice.analyzer.api.Tree;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.topic.TimeLimit;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.InvalidSettings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Asks a running analyzer, by the address and the token that it has from the same settings. */
final class AnalyzerApi {
    private static final Duration PATIENCE = TimeLimit.of(Duration.ofSeconds(10));
    private static final JsonFactory JSON = new JsonFactory();

    /** Of the API, and of what the server refuses before the API has seen it. */
    private static final String JSON_TYPE = "(?i)application/(problem\\+)?json\\b.*";

    @Option(
            names = "--at",
            paramLabel = "HOST:PORT",
            description =
                    "Address of any analyzer instance; https:// before it for TLS. Default: http.bind and http.port.")
    @Nullable
    String at;

    /** That of http.token-file, read once: the file may be a pipe, and some commands ask several times. */
    private @Nullable String token;

    /** A document as it was answered. */
    byte[] get(Connection connection, String path) throws InvalidSettings, Refused, InterruptedException {
        HttpSettings http = connection.settings().http();
        if (token == null) {
            token = token(http.tokenFile(), "http.token-file");
        }
        return send(http, path, token, HttpRequest.newBuilder().GET());
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
        return address(connection.settings().http()).root();
    }

    private byte[] send(HttpSettings http, String path, @Nullable String token, HttpRequest.Builder request)
            throws Refused, InterruptedException {
        AnalyzerAddress address = address(http);
        request.uri(address.root().resolve("/api/v1/" + path)).timeout(PATIENCE);
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpRequest sent = request.build();
        String asked = sent.method() + " " + sent.uri().getRawPath();
        try {
            HttpResponse<byte[]> answer = ApiClient.builder(http)
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(sent, HttpResponse.BodyHandlers.ofByteArray());
            // other statuses may be those of a proxy in front of it
            boolean own = answer.statusCode() == 200 || answer.statusCode() == 404;
            if (own && !answer.headers().firstValue("Content-Type").orElse("").matches(JSON_TYPE)) {
                throw address.stranger(answer.statusCode(), asked);
            }
            if (answer.statusCode() == 200 || answer.statusCode() == 201) {
                return answer.body();
            }
            String error = PrintableText.of(error(answer.body()));
            throw new Refused("the analyzer at " + address.name() + " answered " + answer.statusCode() + " " + error
                    + remedy(answer.statusCode(), error));
        } catch (IOException e) {
            throw address.unanswered(e, asked);
        }
    }

    private AnalyzerAddress address(HttpSettings http) throws Refused {
        String scheme = ApiClient.scheme(http);
        if (at != null) {
            return AnalyzerAddress.of(at, scheme);
        }
        if (http.port() == 0) {
            throw new Refused("http.port is 0, so no analyzer of these settings answers; name one with --at HOST:PORT");
        }
        boolean everywhere = http.bind().equals("0.0.0.0") || http.bind().equals("::");
        String host = everywhere ? "127.0.0.1" : http.bind();
        return AnalyzerAddress.of(
                (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + http.port(), scheme);
    }

    /** The content of a file with a token, {@code null} for no file. */
    static @Nullable String token(@Nullable Path file, String name) throws Refused {
        try {
            return file == null ? null : TokenFile.read(file, name);
        } catch (IOException e) {
            throw new Refused(String.valueOf(e.getMessage()));
        }
    }

    private static String error(byte[] body) {
        try {
            Node.Mapping answer = Tree.of(body);
            return Tree.text(answer, Tree.has(answer, "error") ? "error" : "title");
        } catch (MalformedRecord e) {
            return "something that is no JSON";
        }
    }

    private static String remedy(int status, String error) {
        return switch (status) {
            case 401 ->
                "\nhttp.token-file has to name the token that the analyzer has; --token-file of './sluice dashboard' one"
                        + " of its users";
            case 403 ->
                error.contains("http.allowed-hosts")
                        ? "\nname it by its address, or list its name in the analyzer's http.allowed-hosts"
                        : "";
            case 503 ->
                error.contains(ApiClient.STILL_READING) ? "\nit has just started: try again in a few seconds" : "";
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
