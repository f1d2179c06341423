package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.fleet.DecisionLog;
import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.lock.Mode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /history} from the decision log. Each answer reads the log from Kafka; {@value #AT_ONCE} do at once, and
 * an answer holds {@value #MOST} decisions at most. Thread-safe.
 */
final class HistoryAnswers {
    static final int MOST = 1_000;
    private static final int USUAL = 200;
    private static final int AT_ONCE = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int HOUR_MILLIS = 3_600_000;
    // the longest that a question may hold: nine digits
    private static final int LONGEST_SECONDS = 999_999_999;

    private static final Pattern MILLIS = Pattern.compile("[0-9]{1,15}");

    private final DecisionLog log;
    private final LongSupplier brokerTime;
    private final Semaphore reading = new Semaphore(AT_ONCE);

    HistoryAnswers(DecisionLog log, LongSupplier brokerTime) {
        this.log = log;
        this.brokerTime = brokerTime;
    }

    Answer to(Question question) throws Question.Wrong {
        question.allow(List.of("policy", "subject", "sinceSeconds", "before", "limit"));
        int limit = question.number("limit", USUAL, 1, MOST);
        long seconds = question.number("sinceSeconds", HOUR_MILLIS / 1_000, 1, LONGEST_SECONDS);
        long before = before(question.last("before"));
        String policy = question.last("policy");
        List<String> subject = question.all("subject");
        if (policy == null && !subject.isEmpty()) {
            throw new Question.Wrong(400, "subject: needs policy, too");
        }
        if (!reading.tryAcquire()) {
            throw new Question.Wrong(503, "the history is being read for others; ask again in a second");
        }
        try {
            long now = brokerTime.getAsLong();
            DecisionLog.Found found = log.read(
                    new DecisionLog.Query(
                            null, key -> wanted(key, policy, subject), now - seconds * 1_000, before, limit),
                    PATIENCE);
            if (!found.leaderless().isEmpty()) {
                throw new Question.Wrong(503, "no leader answers for " + String.join(", ", found.leaderless()));
            }
            return Answer.ok(to -> write(found, now, to));
        } catch (IOException e) {
            if (e.getCause() instanceof KafkaException kafka) {
                throw KafkaProblem.answer(kafka);
            }
            throw new Question.Wrong(503, String.valueOf(e.getMessage()));
        } finally {
            reading.release();
        }
    }

    private static long before(@Nullable String text) throws Question.Wrong {
        if (text == null) {
            return Long.MAX_VALUE;
        }
        if (!MILLIS.matcher(text).matches()) {
            throw new Question.Wrong(400, "before: found " + text + ", allowed are epoch milliseconds");
        }
        return Long.parseLong(text);
    }

    private static boolean wanted(List<String> key, @Nullable String policy, List<String> subject) {
        return policy == null
                || (key.get(0).equals(policy)
                        && key.size() > subject.size()
                        && key.subList(1, 1 + subject.size()).equals(subject));
    }

    private static void write(DecisionLog.Found found, long now, JsonGenerator to) throws IOException {
        to.writeNumberField("brokerTime", now);
        to.writeNumberField("wholeSince", found.wholeSince());
        to.writeBooleanField("truncated", found.truncated());
        to.writeArrayFieldStart("decisions");
        for (DecisionLog.Entry entry : found.entries()) {
            boolean unknown = entry.record() instanceof LockTransition transition
                    && transition.lock().mode() == Mode.UNKNOWN;
            if (!unknown) {
                Answer.record(DecisionJson.write(entry.record()), entry.append(), to);
            }
        }
        to.writeEndArray();
    }
}
