package io.sluice.examples.alb;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormatProvider;
import io.sluice.settings.SourceSettings;

/** Makes {@code format: alb} known; META-INF/services names this class. */
public final class AlbFormatProvider implements LogFormatProvider {
    @Override
    public String name() {
        return "alb";
    }

    @Override
    public LogFormat create(SourceSettings source) {
        return new AlbFormat(source);
    }
}
