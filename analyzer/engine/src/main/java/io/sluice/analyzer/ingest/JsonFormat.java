package io.sluice.analyzer.ingest;

import io.sluice.contract.event.EventLayout;
import io.sluice.contract.event.Field;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.PlainEventReader;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.event.RouteNormalizer;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Request events as JSON, in our own names or in a team's. */
final class JsonFormat implements LogFormat {
    private PlainEventReader reader;
    private final Identity identity;

    private JsonFormat(EventLayout layout) {
        reader = new PlainEventReader(new RequestEventReader(layout));
        identity = layout.identity();
    }

    static JsonFormat of(SourceSettings source) {
        Map<Field, List<String>> names = new EnumMap<>(Field.class);
        source.fields().forEach((ours, theirs) -> names.put(field(ours), List.of(theirs)));
        if (!source.caller().isEmpty()) {
            names.put(
                    Field.CALLER,
                    source.caller().stream().map(LogSource::variable).toList());
        }
        @Nullable String service = source.service();
        @Nullable String fixed = LogSource.fixedService(service);
        if (service != null && fixed == null) {
            names.put(Field.SERVICE, List.of(LogSource.variable(service)));
        }
        Identity identity = source.identity();
        // nginx's names of request headers: any client can write them
        List<String> callers = names.getOrDefault(Field.CALLER, List.of());
        boolean header = callers.stream().anyMatch(name -> name.startsWith("http_"));
        Identity own = header ? Identity.CLAIMED : Identity.AUTHENTICATED;
        return new JsonFormat(new EventLayout(
                names,
                source.labels(),
                EnumSet.allOf(Field.class),
                source.rejected(),
                identity == null ? own : identity,
                fixed,
                new RouteNormalizer(source.routes())));
    }

    private static Field field(String spelling) {
        Field field = Field.spelt(spelling);
        if (field == null) {
            throw new IllegalArgumentException("fields: found '" + spelling + "', allowed: "
                    + Arrays.stream(Field.values()).map(Field::spelling).collect(Collectors.joining(", ")));
        }
        return field;
    }

    @Override
    public RequestEvent read(byte[] record) throws MalformedRecord {
        return reader.read(record);
    }

    @Override
    public void wanting(Set<Field> fields) {
        reader = reader.wanting(fields);
    }

    @Override
    public Identity identity() {
        return identity;
    }
}
