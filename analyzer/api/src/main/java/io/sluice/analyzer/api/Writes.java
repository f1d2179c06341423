package io.sluice.analyzer.api;

import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.operator.OperatorRecord;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Changes over HTTP: an operator's locks, put by {@code POST} and released by {@code DELETE}, both on the lock's own path; the kill switch; and policy
 * sets. {@link ApiGuard} has admitted the request. Thread-safe.
 */
final class Writes {
    /** Of a request about locks or the kill switch, in bytes. */
    static final int LONGEST_BODY = 16_384;

    private static final int CREATED = 201;

    private final FleetState fleet;
    private final OperatorWriter writer;
    private final PolicyWrites policies;
    private final LongSupplier wallClock;

    /** A request for a change. */
    static final class Asked {
        private final User user;
        private final String method;
        private final @Nullable String query;
        private final @Nullable String contentType;
        private final @Nullable String ifMatch;
        private final byte[] body;

        Asked(Request request, User user, byte[] body) {
            this.user = user;
            method = request.getMethod();
            query = request.getHttpURI().getQuery();
            contentType = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
            ifMatch = request.getHeaders().get(HttpHeader.IF_MATCH);
            this.body = body;
        }

        User user() {
            return user;
        }

        @Nullable
        String query() {
            return query;
        }

        @Nullable
        String ifMatch() {
            return ifMatch;
        }

        byte[] body() {
            return body;
        }

        /** Returns the media type without parameters; empty for none. */
        String type() {
            return contentType == null
                    ? ""
                    : contentType.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
        }
    }

    Writes(FleetState fleet, OperatorWriter writer, PolicyWrites policies, LongSupplier wallClock) {
        this.fleet = fleet;
        this.writer = writer;
        this.policies = policies;
        this.wallClock = wallClock;
    }

    /** Returns the length of the longest body for a path, in bytes. */
    static int longestBody(String path) {
        return path.equals(PolicyWrites.PATH) ? PolicyWrites.LONGEST_BODY : LONGEST_BODY;
    }

    /** @param path the parts behind {@code /api/v1/} */
    Answer to(List<String> path, Asked asked) {
        if (!fleet.read()) {
            return Answer.problem(503, "the topics are still being read");
        }
        try {
            return change(path, asked);
        } catch (Question.Wrong e) {
            return Answer.problem(e.status, String.valueOf(e.getMessage()));
        } catch (MalformedRecord e) {
            return Answer.problem(400, String.valueOf(e.getMessage()));
        } catch (Target.Missing e) {
            return Answer.problem(404, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Answer.problem(503, String.valueOf(e.getMessage()));
        }
    }

    private Answer change(List<String> path, Asked asked)
            throws MalformedRecord, IOException, Target.Missing, Question.Wrong {
        String first = path.get(0);
        boolean lock = first.equals("locks") && path.size() > 1;
        if (lock && asked.method.equals("DELETE")) {
            return operator(OperatorRequest.release(asked.query, asked.user), path);
        }
        if (lock && asked.method.equals("POST")) {
            json(asked);
            return operator(OperatorRequest.lock(asked.body, asked.user), path);
        }
        if (path.equals(List.of("enforcement")) && asked.method.equals("POST")) {
            json(asked);
            return written(EnforcementRequest.of(asked.body, asked.user, wallClock.getAsLong()));
        }
        if (path.equals(List.of("policies")) && asked.method.equals("PUT")) {
            return policies.apply(asked);
        }
        throw new Question.Wrong(
                405,
                "can be changed: /api/v1/locks/POLICY/VALUE... by POST and DELETE, /api/v1/enforcement by POST,"
                        + " /api/v1/policies by PUT");
    }

    private Answer operator(OperatorRequest request, List<String> path) throws Target.Missing, IOException {
        Target target = Target.in(fleet.policies(), path.get(1), path.subList(2, path.size()));
        return written(request.of(target, wallClock.getAsLong()));
    }

    private Answer written(OperatorRecord record) throws IOException {
        return FleetAnswers.said(CREATED, record, writer.write(record));
    }

    /** A form in another site's page can't send this type. */
    private static void json(Asked asked) throws Question.Wrong {
        if (!asked.type().equals("application/json")) {
            throw new Question.Wrong(415, "needs Content-Type: application/json");
        }
    }
}
