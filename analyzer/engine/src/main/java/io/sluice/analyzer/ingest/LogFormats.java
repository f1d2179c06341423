package io.sluice.analyzer.ingest;

import io.sluice.settings.SourceSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** The formats there are. */
public final class LogFormats {
    private static final List<String> BUILT_IN = List.of("json", "combined", "nginx-json", "envoy-json", "ecs");

    private LogFormats() {}

    /**
     * A new reader for a source, for one thread.
     *
     * @throws IllegalArgumentException when the format is unknown or the source's settings don't fit it, with a message
     *     for their author
     */
    public static LogFormat of(SourceSettings source) {
        return new BoundFormat(format(source), source);
    }

    private static LogFormat format(SourceSettings source) {
        return switch (source.format()) {
            case "json" -> JsonFormat.of(source);
            case "combined" -> new CombinedFormat(LogSource.combined(source));
            case "nginx-json" -> ServerJsonFormat.flat(LogSource.nginxJson(source));
            case "envoy-json" -> ServerJsonFormat.flat(LogSource.envoyJson(source));
            case "ecs" -> ServerJsonFormat.dotted(LogSource.ecs(source));
            default -> provided(source);
        };
    }

    private static LogFormat provided(SourceSettings source) {
        String format = source.format();
        for (LogFormatProvider provider : ServiceLoader.load(LogFormatProvider.class)) {
            if (provider.name().equals(format)) {
                return provider.create(source);
            }
        }
        throw new IllegalArgumentException("format: found '" + format + "', there are " + String.join(", ", names()));
    }

    /** The names of all formats, built in and added. */
    public static List<String> names() {
        List<String> names = new ArrayList<>(BUILT_IN);
        for (LogFormatProvider provider : ServiceLoader.load(LogFormatProvider.class)) {
            names.add(provider.name());
        }
        return names;
    }
}
