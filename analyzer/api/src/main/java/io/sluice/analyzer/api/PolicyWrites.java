package io.sluice.analyzer.api;

import io.sluice.analyzer.fleet.FleetState;
import io.sluice.contract.decision.PolicySetChange;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Problem;
import io.sluice.contract.pseudonym.PseudonymousPolicies;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.settings.PolicyFile;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies policy sets over HTTP. The request names the revision that it replaces, so an operator cannot overwrite a set that another has applied
 * meanwhile. One set is applied at a time, until analyzers follow it. {@link ApiGuard} has admitted the request. Thread-safe.
 */
final class PolicyWrites {
    static final String PATH = "/api/v1/policies";
    /** Of a request, in bytes: half of what a Kafka record may hold by default. */
    static final int LONGEST_BODY = 512 << 10;

    private static final List<String> TYPES = List.of("application/json", "application/yaml", "application/x-yaml");
    private static final List<String> OPTIONS = List.of("author", "reason");
    private static final long POLL_MILLIS = 20;

    private final FleetState fleet;
    private final OperatorWriter writer;
    private final Pseudonyms pseudonyms;
    private final Duration adoption;
    private final LongSupplier wallClock;
    private final Semaphore turn = new Semaphore(1);

    /** @param adoption how long to wait for analyzers to follow a set */
    PolicyWrites(
            FleetState fleet, OperatorWriter writer, Pseudonyms pseudonyms, Duration adoption, LongSupplier wallClock) {
        this.fleet = fleet;
        this.writer = writer;
        this.pseudonyms = pseudonyms;
        this.adoption = adoption;
        this.wallClock = wallClock;
    }

    /**
     * Validates a set, and asks for it.
     *
     * @throws IOException when Kafka did not take it
     */
    Answer apply(Writes.Asked asked) throws MalformedRecord, IOException, Question.Wrong {
        if (!TYPES.contains(asked.type())) {
            throw new Question.Wrong(415, "needs Content-Type: " + String.join(" or ", TYPES));
        }
        Question options = Question.of("/", asked.query());
        options.allow(OPTIONS);
        String author = asked.user().author(bounded("author", options.last("author"), OperatorRequest.LONGEST_AUTHOR));
        String reason =
                OperatorRequest.reason(bounded("reason", options.last("reason"), OperatorRecord.LONGEST_REASON));
        PolicySet set;
        try {
            set = PseudonymousPolicies.of(PolicyFile.read(asked.body(), "body"), pseudonyms);
        } catch (InvalidPolicies e) {
            return invalid(e);
        }
        if (!turn.tryAcquire()) {
            throw new Question.Wrong(503, "another policy set is being applied; try again in a few seconds");
        }
        try {
            return replace(set, author, reason, asked.ifMatch());
        } finally {
            turn.release();
        }
    }

    private Answer replace(PolicySet set, String author, String reason, @Nullable String ifMatch)
            throws IOException, Question.Wrong {
        PolicySet active = fleet.policies();
        String before = active == null ? "" : active.revision();
        if (ifMatch == null) {
            throw new Question.Wrong(
                    428, "If-Match is missing: allowed is the revision to replace in quotes, now \"" + before + "\"");
        }
        if (!ifMatch.equals('"' + before + '"')) {
            throw new Question.Wrong(
                    412,
                    "If-Match: found " + ifMatch + ", in force is \"" + before
                            + "\": another set was applied meanwhile, or is not followed yet");
        }
        if (before.equals(set.revision())) {
            return result(before, before, true, "");
        }
        OperatorWriter.Written written =
                writer.write(set, new PolicySetChange(set.revision(), before, author, reason, wallClock.getAsLong()));
        return result(set.revision(), before, adopted(set.revision()), written.unrecorded());
    }

    private boolean adopted(String revision) throws IOException {
        long end = System.nanoTime() + adoption.toNanos();
        while (System.nanoTime() - end < 0) {
            PolicySet active = fleet.policies();
            if (active != null && active.revision().equals(revision)) {
                return true;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("stopped before analyzers followed the set", e);
            }
        }
        return false;
    }

    private static Answer result(String revision, String before, boolean inForce, String unrecorded) {
        return Answer.ok(to -> {
            to.writeStringField("revision", revision);
            to.writeStringField("before", before);
            to.writeBooleanField("inForce", inForce);
            if (!unrecorded.isEmpty()) {
                to.writeStringField("unrecorded", unrecorded);
            }
        });
    }

    private static Answer invalid(InvalidPolicies failure) {
        return new Answer(400, Answer.text(to -> {
            to.writeStartObject();
            to.writeStringField("error", "the policies are not valid");
            to.writeArrayFieldStart("problems");
            for (Problem problem : failure.problems()) {
                to.writeStartObject();
                to.writeStringField("field", problem.field());
                to.writeNumberField("line", problem.place().line());
                to.writeStringField("message", problem.message());
                to.writeEndObject();
            }
            to.writeEndArray();
            to.writeEndObject();
        }));
    }

    private static @Nullable String bounded(String name, @Nullable String value, int most) throws MalformedRecord {
        if (value != null && (value.isEmpty() || value.length() > most)) {
            throw new MalformedRecord(name + ": found " + value.length() + " characters, allowed are 1 to " + most);
        }
        return value;
    }
}
