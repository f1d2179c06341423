package io.sluice.analyzer.ingest;

import java.util.List;
import java.util.Map;

/**
 * Field names of a kind of log. Immutable.
 *
 * @param unit in which service times are written
 * @param forwarded the name of a field that lists addresses as {@code X-Forwarded-For} does; empty for none
 * @param theirs for each of our names theirs, of which the first that is present counts
 */
record Dialect(DurationUnit unit, String forwarded, Map<String, List<String>> theirs) {
    /** nginx's variables. */
    static final Dialect NGINX = new Dialect(
            DurationUnit.SECONDS,
            "",
            Map.of(
                    "time", List.of("msec", "time_iso8601", "time_local"),
                    "ip", List.of("remote_addr"),
                    "request", List.of("request"),
                    "method", List.of("request_method"),
                    "route", List.of("request_uri", "uri"),
                    "status", List.of("status"),
                    "bytes", List.of("body_bytes_sent", "bytes_sent"),
                    "millis", List.of("request_time")));

    /**
     * The names that Istio gives to Envoy's command operators, and most others too. {@code DOWNSTREAM_REMOTE_ADDRESS} is the
     * client as Envoy itself sees it; with {@code use_remote_address} and {@code xff_num_trusted_hops} it takes that from as much
     * of {@code X-Forwarded-For} as its owner trusts.
     */
    static final Dialect ENVOY = new Dialect(
            DurationUnit.MILLIS,
            "x_forwarded_for",
            Map.of(
                    "time", List.of("start_time"),
                    "ip", List.of("downstream_remote_address"),
                    "method", List.of("method"),
                    "route", List.of("path"),
                    "status", List.of("response_code"),
                    "bytes", List.of("bytes_sent"),
                    "millis", List.of("duration")));

    /** The Elastic Common Schema: the client where service or proxy log it, the source where only the connection is known. */
    static final Dialect ECS = new Dialect(
            DurationUnit.NANOS,
            "",
            Map.of(
                    "time", List.of("@timestamp"),
                    "ip", List.of("client.ip", "client.address", "source.ip", "source.address"),
                    "method", List.of("http.request.method"),
                    "route", List.of("url.path", "url.original"),
                    "status", List.of("http.response.status_code"),
                    "bytes", List.of("http.response.body.bytes", "http.response.bytes"),
                    "millis", List.of("event.duration")));

    /** Their names of one of our fields; empty when they have none. */
    List<String> names(String ours) {
        return theirs.getOrDefault(ours, List.of());
    }
}
