package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sources as a test needs them, all else by default. */
final class Sources {
    private Sources() {}

    static SourceSettings of(String format, String... caller) {
        return new SourceSettings(
                "requests", format, List.of(caller), null, null, Set.of(429), Map.of(), Map.of(), List.of());
    }

    static SourceSettings ipv6Prefix(SourceSettings of, int bits) {
        return new SourceSettings(
                of.topic(),
                of.format(),
                of.caller(),
                of.service(),
                of.identity(),
                of.rejected(),
                of.fields(),
                of.labels(),
                of.routes(),
                of.spread(),
                of.mostPerSecond(),
                bits);
    }

    static SourceSettings service(SourceSettings of, String service) {
        return new SourceSettings(
                of.topic(),
                of.format(),
                of.caller(),
                service,
                of.identity(),
                of.rejected(),
                of.fields(),
                of.labels(),
                of.routes());
    }

    static SourceSettings identity(SourceSettings of, @Nullable Identity identity) {
        return new SourceSettings(
                of.topic(),
                of.format(),
                of.caller(),
                of.service(),
                identity,
                of.rejected(),
                of.fields(),
                of.labels(),
                of.routes());
    }

    static SourceSettings fields(SourceSettings of, Map<String, String> fields) {
        return new SourceSettings(
                of.topic(),
                of.format(),
                of.caller(),
                of.service(),
                of.identity(),
                of.rejected(),
                fields,
                of.labels(),
                of.routes());
    }

    static SourceSettings labels(SourceSettings of, Map<String, String> labels) {
        return new SourceSettings(
                of.topic(),
                of.format(),
                of.caller(),
                of.service(),
                of.identity(),
                of.rejected(),
                of.fields(),
                labels,
                of.routes());
    }

    static SourceSettings routes(SourceSettings of, String... routes) {
        return new SourceSettings(
                of.topic(),
                of.format(),
                of.caller(),
                of.service(),
                of.identity(),
                of.rejected(),
                of.fields(),
                of.labels(),
                List.of(routes));
    }

    static SourceSettings rejected(SourceSettings of, Integer... statuses) {
        return new SourceSettings(
                of.topic(),
                of.format(),
                of.caller(),
                of.service(),
                of.identity(),
                Set.of(statuses),
                of.fields(),
                of.labels(),
                of.routes());
    }

    static RequestEvent read(SourceSettings source, String line) throws MalformedRecord {
        return LogFormats.of(source).read(line.getBytes(StandardCharsets.UTF_8));
    }
}
