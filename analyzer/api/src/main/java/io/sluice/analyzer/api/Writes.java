package io.sluice.analyzer.api;

import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.operator.OperatorRecord;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes over HTTP: an operator's locks, put by {@code POST} and released by {@code DELETE}, both on the lock's own path.
 * {@link ApiGuard} has admitted the request. Thread-safe.
 */
final class Writes {
    /** Of a request, in bytes. */
    static final int LONGEST_BODY = 16_384;

    private static final int CREATED = 201;

    private final FleetState fleet;
    private final OperatorWriter writer;
    private final LongSupplier wallClock;

    /** A request for a change. */
    static final class Asked {
        private final String method;
        private final @Nullable String query;
        private final @Nullable String contentType;
        private final byte[] body;

        /** @param query {@code null} for none */
        Asked(String method, @Nullable String query, @Nullable String contentType, byte[] body) {
            this.method = method;
            this.query = query;
            this.contentType = contentType;
            this.body = body;
        }
    }

    Writes(FleetState fleet, OperatorWriter writer, LongSupplier wallClock) {
        this.fleet = fleet;
        this.writer = writer;
        this.wallClock = wallClock;
    }

    /** @param path the parts behind {@code /api/v1/} */
    Answer to(List<String> path, Asked asked) {
        if (path.size() < 2 || !path.get(0).equals("locks")) {
            return Answer.problem(405, "only /api/v1/locks/POLICY/VALUE... can be changed");
        }
        if (!fleet.read()) {
            return Answer.problem(503, "the topics are still being read");
        }
        try {
            OperatorRequest request = request(asked);
            Target target = Target.in(fleet.policies(), path.get(1), path.subList(2, path.size()));
            OperatorRecord said = request.of(target, wallClock.getAsLong());
            return FleetAnswers.said(CREATED, said, writer.write(said));
        } catch (Refused e) {
            return e.answer;
        } catch (MalformedRecord e) {
            return Answer.problem(400, String.valueOf(e.getMessage()));
        } catch (Target.Missing e) {
            return Answer.problem(404, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Answer.problem(503, String.valueOf(e.getMessage()));
        }
    }

    private static OperatorRequest request(Asked asked) throws MalformedRecord, Refused {
        if (asked.method.equals("DELETE")) {
            return OperatorRequest.release(asked.query);
        }
        // a form in another site's page can't send this type
        if (!json(asked.contentType)) {
            throw new Refused(415, "needs Content-Type: application/json");
        }
        return OperatorRequest.lock(asked.body);
    }

    private static boolean json(@Nullable String type) {
        return type != null
                && type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT).equals("application/json");
    }

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Answer answer;

        Refused(int status, String message) {
            super(message);
            answer = Answer.problem(status, message);
        }
    }
}
