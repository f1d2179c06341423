package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;

/**
 * nginx's access log as a JSON object a line, its variables under their own names: {@code log_format … escape=json}. All
 * values may be strings. Logs without {@code escape=json} hold {@code \xHH}, which is no JSON, and clients' bytes that are
 * no UTF-8; both are read.
 */
final class NginxJsonFormat implements LogFormat {
    private final LogSource source;
    private final Fields fields;
    private final FlatJson json;

    NginxJsonFormat(LogSource source) {
        this.source = source;
        fields = source.fields();
        json = new FlatJson(fields);
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
