package io.sluice.analyzer.api;

import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.operator.OperatorRecord;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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
    private final int ipv6Prefix;
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

    /** @param ipv6Prefix leading bits that identify an IPv6 caller, 1 to 128 */
    Writes(FleetState fleet, OperatorWriter writer, PolicyWrites policies, int ipv6Prefix, LongSupplier wallClock) {
        this.fleet = fleet;
        this.writer = writer;
        this.policies = policies;
        this.ipv6Prefix = ipv6Prefix;
        this.wallClock = wallClock;
    }

    /** Returns the length of the longest body for a path, in bytes. */
    static int longestBody(String path) {
        return path.equals(PolicyWrites.PATH) ? PolicyWrites.LONGEST_BODY : LONGEST_BODY;
    }

    /** @param path the parts behind {@code /api/v1/} */
    Answer to(List<String> path, Asked asked) {
        if (!fleet.read()) {
            return Answer.problem(503, ApiClient.STILL_READING);
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
            return operator(OperatorRequest.release(asked.query, asked.user), target(path), path);
        }
        if (lock && asked.method.equals("POST")) {
            json(asked);
            return operator(
                    OperatorRequest.lock(asked.body, asked.user), target(path).lockable(), path);
        }
        if (path.equals(List.of("enforcement")) && asked.method.equals("POST")) {
            json(asked);
            return enforcement(EnforcementRequest.of(asked.body, asked.user, wallClock.getAsLong()));
        }
        if (path.equals(List.of("policies")) && asked.method.equals("PUT")) {
            return policies.apply(asked);
        }
        throw new Question.Wrong(
                405,
                "can be changed: /api/v1/locks/POLICY/VALUE... by POST and DELETE, /api/v1/enforcement by POST,"
                        + " /api/v1/policies by PUT");
    }

    private Target target(List<String> path) throws Target.Missing {
        return Target.in(fleet.policies(), path.get(1), path.subList(2, path.size()));
    }

    private Answer operator(OperatorRequest request, Target target, List<String> path) throws IOException {
        String network = TypedSubject.network(target.policy().per(), path.subList(2, path.size()), ipv6Prefix);
        return written(request.of(target, wallClock.getAsLong()), to -> {
            if (network != null) {
                to.writeStringField("network", network);
            }
        });
    }

    /** Answers with the switches that are off besides this one. */
    private Answer enforcement(OperatorRecord.Enforce record) throws IOException {
        List<KillSwitches.Off> others = fleet.switchedOff(fleet.now(wallClock.getAsLong())).stream()
                .filter(off -> !Objects.equals(off.agent(), record.agent()))
                .toList();
        return written(record, to -> KillSwitchJson.write(others, to));
    }

    private Answer written(OperatorRecord record, Answer.Writer more) throws IOException {
        return FleetAnswers.said(CREATED, record, writer.write(record), more);
    }

    /** A form in another site's page can't send this type. */
    private static void json(Asked asked) throws Question.Wrong {
        if (!asked.type().equals("application/json")) {
            throw new Question.Wrong(415, "needs Content-Type: application/json");
        }
    }
}
