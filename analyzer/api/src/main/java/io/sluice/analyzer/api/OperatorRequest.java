package io.sluice.analyzer.api;

import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An operator's request for a subject's gate, before it is known whether there is such a subject.
 *
 * @param mode {@link Mode#OPEN} for a release
 * @param rate requests a second over the fleet, with {@link Mode#THROTTLE} only
 */
record OperatorRequest(Mode mode, double rate, long ttlMillis, String author, String reason) {
    private static final long LOCK_MILLIS = TimeUnit.HOURS.toMillis(1);
    private static final long RELEASE_MILLIS = TimeUnit.MINUTES.toMillis(10);
    /** Of an author's name, in characters. */
    static final int LONGEST_AUTHOR = 200;

    /**
     * A lock, from the body that asks for it.
     *
     * @param user the sender
     */
    static OperatorRequest lock(byte[] body, User user) throws MalformedRecord {
        String mode = Mode.BLOCK.spelling();
        double rate = 0;
        long millis = LOCK_MILLIS;
        String author = null;
        String reason = null;
        try (JsonObjectReader object = JsonObjectReader.of(body, "body")) {
            while (object.next()) {
                switch (object.field()) {
                    case "mode" -> mode = object.text();
                    case "rate" -> rate = object.number(0, Double.MAX_VALUE);
                    case "ttlMillis" ->
                        millis = object.whole(OperatorRecord.SHORTEST_MILLIS, OperatorRecord.LONGEST_MILLIS);
                    case "author" -> author = object.name(LONGEST_AUTHOR);
                    case "reason" -> reason = object.name(OperatorRecord.LONGEST_REASON);
                    default ->
                        throw new MalformedRecord("body: found the field " + object.field()
                                + ", allowed are mode, rate, ttlMillis, author and reason");
                }
            }
        }
        return new OperatorRequest(mode(mode, rate), rate, millis, user.author(author), reason(reason));
    }

    /**
     * A release, from the query that asks for it.
     *
     * @param user the sender
     */
    static OperatorRequest release(@Nullable String rawQuery, User user) throws MalformedRecord {
        long millis = RELEASE_MILLIS;
        String author = null;
        String reason = null;
        for (String pair : (rawQuery == null ? "" : rawQuery).split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
            switch (name) {
                case "ttlMillis" -> millis = millis(value);
                case "author" -> author = text(name, value, LONGEST_AUTHOR);
                case "reason" -> reason = text(name, value, OperatorRecord.LONGEST_REASON);
                case "" -> {
                    // no query at all
                }
                default ->
                    throw new MalformedRecord("query: found " + name + ", allowed are ttlMillis, author and reason");
            }
        }
        return new OperatorRequest(Mode.OPEN, 0, millis, user.author(author), reason(reason));
    }

    private static Mode mode(String spelling, double rate) throws MalformedRecord {
        Mode mode = Mode.spelt(spelling);
        if (mode != Mode.BLOCK && mode != Mode.THROTTLE && mode != Mode.SHADOW) {
            throw new MalformedRecord("body.mode: found " + spelling + ", allowed is block, throttle or shadow");
        }
        if ((mode == Mode.THROTTLE) != (rate > 0)) {
            throw new MalformedRecord("body.rate: needed with mode throttle, more than 0, and only there");
        }
        return mode;
    }

    private static long millis(String value) throws MalformedRecord {
        // fifteen digits are more than the longest, and no overflow
        long millis = value.matches("\\d{1,15}") ? Long.parseLong(value) : 0;
        if (millis < OperatorRecord.SHORTEST_MILLIS || millis > OperatorRecord.LONGEST_MILLIS) {
            throw new MalformedRecord("ttlMillis: found " + value + ", allowed is a whole number from "
                    + OperatorRecord.SHORTEST_MILLIS + " to " + OperatorRecord.LONGEST_MILLIS + " (365 days)");
        }
        return millis;
    }

    private static String text(String name, String value, int most) throws MalformedRecord {
        if (value.isEmpty() || value.length() > most) {
            throw new MalformedRecord(name + ": found " + value.length() + " characters, allowed are 1 to " + most);
        }
        return value;
    }

    /**
     * Returns the reason of a change.
     *
     * @throws MalformedRecord when it is missing or blank
     */
    static String reason(@Nullable String reason) throws MalformedRecord {
        if (reason == null) {
            throw new MalformedRecord("reason is missing: every change needs an author and a reason");
        }
        if (reason.isBlank()) {
            throw new MalformedRecord(
                    "reason: found blanks, allowed are 1 to " + OperatorRecord.LONGEST_REASON + " characters");
        }
        return reason;
    }

    OperatorRecord of(Target target, long at) {
        String policy = target.policy().name();
        List<String> per = target.policy().perNames();
        return mode == Mode.OPEN
                ? new OperatorRecord.Release(policy, target.subject(), per, ttlMillis, author, reason, at)
                : new OperatorRecord.Lock(policy, target.subject(), per, mode, rate, ttlMillis, author, reason, at);
    }
}
