package io.sluice.analyzer.ingest;

import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A format of a user's own: time, tab, caller. */
public final class TabSeparatedProvider implements LogFormatProvider {
    @Override
    public String name() {
        return "tab-separated";
    }

    @Override
    public LogFormat create(SourceSettings source) {
        return new LogFormat() {
            @Override
            public RequestEvent read(byte[] record) throws MalformedRecord {
                String line = new String(record, StandardCharsets.UTF_8);
                int tab = line.indexOf('\t');
                long time = tab < 0 ? -1 : Digits.of(record, 0, tab);
                if (time < 0) {
                    throw new MalformedRecord("time: a number and a tab are expected");
                }
                return new RequestEvent(
                        time,
                        line.substring(tab + 1),
                        null,
                        null,
                        null,
                        null,
                        0,
                        0,
                        0,
                        null,
                        Outcome.ALLOWED,
                        1,
                        identity(),
                        Map.of());
            }

            @Override
            public Identity identity() {
                return Identity.CLAIMED;
            }
        };
    }
}
