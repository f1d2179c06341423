package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.BeyondBounds;
import io.sluice.analyzer.replay.LogBytes;
import io.sluice.analyzer.replay.Replay;
import io.sluice.analyzer.replay.ReplayBounds;
import io.sluice.analyzer.replay.ReplayResult;
import io.sluice.analyzer.replay.ReportJson;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.pseudonym.PseudonymousPolicies;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.settings.PolicyFile;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Replays uploaded logs, and the newest part of the request log with changed policies. Nothing is kept and nothing takes effect. Thread-safe.
 */
final class ReplayAnswers {
    /** Longest body of an upload, in bytes, where the heap is large enough. */
    private static final int UPLOAD = 32 << 20;

    /** Longest body of a policy set, in bytes. */
    static final int POLICIES = 1 << 20;

    private static final int PART_OF_HEAP = 16;
    private static final long UNPACKED = 256L << 20;
    private static final Duration TIME = Duration.ofSeconds(60);
    private static final int CALLERS = 20_000;
    private static final int WAITING = 100_000;
    private static final int LOCKS = 2_000;
    private static final long RECORDS = 1_000_000;
    private static final int MINUTES = 60;

    private final FleetState fleet;
    private final RequestLogs logs;
    private final Pseudonyms pseudonyms;
    private final int upload;
    private final ReplayBounds bounds;

    /**
     * @param pseudonyms under which the request log and the policies in force name callers
     * @param heapBytes the most that the heap may take; bounds shrink with it
     */
    ReplayAnswers(FleetState fleet, RequestLogs logs, Pseudonyms pseudonyms, long heapBytes) {
        this.fleet = fleet;
        this.logs = logs;
        this.pseudonyms = pseudonyms;
        upload = (int) Math.min(UPLOAD, heapBytes / PART_OF_HEAP);
        bounds = new ReplayBounds(UNPACKED, TIME, heapBytes / PART_OF_HEAP, CALLERS, WAITING, LOCKS);
    }

    /** Returns the longest body of an upload, in bytes. */
    int longestUpload() {
        return upload;
    }

    /** Answers {@code GET /replay}: the bounds of uploads, and the formats by name. */
    void bounds(JsonGenerator to) throws IOException {
        to.writeNumberField("uploadBytes", upload);
        to.writeNumberField("unpackedBytes", bounds.bytes());
        to.writeNumberField("seconds", bounds.time().toSeconds());
        to.writeNumberField("locks", bounds.locks());
        Answer.texts("formats", LogFormats.names().stream().sorted().toList(), to);
    }

    /** Answers {@code POST /replay}. */
    Answer replay(Question question, @Nullable String contentType, byte[] body) throws Question.Wrong {
        question.allow(List.of("format", "caller", "policies"));
        Upload upload = Upload.of(contentType, body);
        PolicySet set = upload.policies() == null ? chosen(question) : policies(upload.policies(), Pseudonyms.NONE);
        String format = question.last("format");
        if (format != null && !LogFormats.names().contains(format)) {
            throw new Question.Wrong(
                    400, "format: found " + format + ", allowed: " + String.join(", ", LogFormats.names()));
        }
        List<String> callers = question.all("caller");
        if (callers.stream().anyMatch(String::isBlank)) {
            throw new Question.Wrong(400, "caller: found an empty name, allowed: a field such as $remote_user");
        }
        AccessLog log = new LogBytes(upload.name(), upload.log(), bounds.bytes());
        Replay replay = new Replay(new Replay.Question(set, null, false, true), format, callers, bounds);
        return answer(replay, List.of(log), to -> {});
    }

    private @Nullable PolicySet chosen(Question question) throws Question.Wrong {
        String which = question.last("policies");
        if (which != null && !which.equals("active")) {
            throw new Question.Wrong(400, "policies: found " + which + ", allowed: active, or a part with a file");
        }
        return which == null ? null : fleet.policies();
    }

    /** Answers {@code POST /policies/trial}: what a set would have done with the newest part of the request log. */
    Answer trial(Question question, byte[] body) throws Question.Wrong {
        question.allow(List.of("minutes"));
        int minutes = question.number("minutes", MINUTES, 1, MINUTES);
        PolicySet set = policies(body, pseudonyms);
        try {
            RequestLogs.Found found = logs.newest(minutes, RECORDS);
            if (found.logs().isEmpty()) {
                throw new Question.Wrong(404, "the request log holds nothing of the last " + minutes + " min");
            }
            Replay replay =
                    new Replay(new Replay.Question(set, fleet.policies(), false, true), null, List.of(), bounds);
            return answer(replay, found.logs(), to -> to.writeNumberField("minutes", found.minutes()));
        } catch (BeyondBounds e) {
            throw new Question.Wrong(413, String.valueOf(e.getMessage()));
        } catch (KafkaException e) {
            throw KafkaProblem.answer(e);
        }
    }

    private static Answer answer(Replay replay, List<AccessLog> logs, Answer.Writer more) throws Question.Wrong {
        try {
            ReplayResult result = replay.of(logs);
            byte[] report = ReportJson.write(result);
            return Answer.ok(to -> {
                more.write(to);
                Answer.fields(report, to);
            });
        } catch (BeyondBounds e) {
            throw new Question.Wrong(413, String.valueOf(e.getMessage()));
        } catch (IOException | IllegalArgumentException e) {
            throw new Question.Wrong(400, String.valueOf(e.getMessage()));
        }
    }

    private static PolicySet policies(byte[] content, Pseudonyms pseudonyms) throws Question.Wrong {
        try {
            return PseudonymousPolicies.of(PolicyFile.read(content, "policies"), pseudonyms);
        } catch (InvalidPolicies e) {
            throw new Question.Wrong(
                    400, e.problems().stream().map(Object::toString).collect(Collectors.joining("\n")));
        } catch (MalformedRecord e) {
            throw new Question.Wrong(400, String.valueOf(e.getMessage()));
        }
    }
}
