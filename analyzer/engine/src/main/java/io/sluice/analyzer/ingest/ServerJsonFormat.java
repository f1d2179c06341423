package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;

/**
 * A server's access log as a JSON object a line, under the names that the server's kind of log has for its fields. All values
 * may be strings. Logs of nginx without {@code escape=json} hold {@code \xHH}, which is no JSON, and clients' bytes that are
 * no UTF-8; both are read.
 */
final class ServerJsonFormat implements LogFormat {
    private final LogSource source;
    private final Fields fields;
    private final FlatJson json;

    private ServerJsonFormat(LogSource source, boolean dotted) {
        this.source = source;
        fields = source.fields();
        json = dotted ? FlatJson.dotted(fields) : new FlatJson(fields);
    }

    /** For objects in which nothing that is wanted stands deeper. */
    static ServerJsonFormat flat(LogSource source) {
        return new ServerJsonFormat(source, false);
    }

    /** For objects that may nest: {@code http.request.method} is a member's whole name, or stands in {@code http}. */
    static ServerJsonFormat dotted(LogSource source) {
        return new ServerJsonFormat(source, true);
    }

    @Override
    public Identity identity() {
        return source.identity();
    }

    @Override
    public RequestEvent read(byte[] record) throws MalformedRecord {
        LogSource.checkLength(record);
        fields.begin(record);
        json.read(record);
        return source.event(fields);
    }
}
