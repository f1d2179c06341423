package io.sluice.analyzer.run;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.topology.Parts;
import io.sluice.contract.event.Identity;
import io.sluice.settings.SourceSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topics of access logs, each with the reader that its source asks for. */
final class RequestTopics {
    private static final Logger log = LoggerFactory.getLogger(RequestTopics.class);

    private RequestTopics() {}

    /** @throws CannotStart when a source's format is unknown or malformed */
    static List<Parts.Requests> of(List<SourceSettings> sources, Map<String, Integer> partitions) throws CannotStart {
        List<Parts.Requests> requests = new ArrayList<>();
        for (SourceSettings source : sources) {
            warnOfClaims(source);
            int count = partitions.getOrDefault(source.topic(), 0);
            Integer most = source.mostPerSecond();
            requests.add(new Parts.Requests(
                    source.topic(),
                    count,
                    source.spreadOver(count),
                    most == null ? Long.MAX_VALUE : most,
                    () -> LogFormats.of(source)));
        }
        return requests;
    }

    private static void warnOfClaims(SourceSettings source) throws CannotStart {
        try {
            LogFormat format = LogFormats.of(source);
            if (format.identity() == Identity.CLAIMED) {
                log.warn(
                        "source {}: any client can claim its caller, so policies that count by caller never lock;"
                                + " set identity if the callers are verified",
                        source.topic());
            }
        } catch (IllegalArgumentException e) {
            throw new CannotStart("source " + source.topic() + ": " + e.getMessage());
        }
    }
}
