package io.sluice.analyzer.api;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.json.JsonObjectReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.operator.OperatorRecord;

/** Reads a request for the kill switch. */
final class EnforcementRequest {
    private EnforcementRequest() {}

    /**
     * Reads the body.
     *
     * @param user the sender
     * @param at the wall clock, epoch milliseconds
     */
    static OperatorRecord.Enforce of(byte[] body, User user, long at) throws MalformedRecord {
        Boolean enforce = null;
        String agent = null;
        long millis = 0;
        String author = null;
        String reason = null;
        try (JsonObjectReader object = JsonObjectReader.of(body, "body")) {
            while (object.next()) {
                switch (object.field()) {
                    case "enforce" -> enforce = object.truth();
                    case "agent" -> agent = agent(object.name(AgentHeartbeat.LONGEST_NAME));
                    case "ttlMillis" ->
                        millis = object.whole(OperatorRecord.SHORTEST_MILLIS, OperatorRecord.LONGEST_MILLIS);
                    case "author" -> author = object.name(OperatorRequest.LONGEST_AUTHOR);
                    case "reason" -> reason = object.name(OperatorRecord.LONGEST_REASON);
                    default ->
                        throw new MalformedRecord("body: found the field " + object.field()
                                + ", allowed are enforce, agent, ttlMillis, author and reason");
                }
            }
        }
        if (enforce == null) {
            throw new MalformedRecord("body.enforce is missing");
        }
        if (enforce && millis != 0) {
            throw new MalformedRecord(
                    "body.ttlMillis: found " + millis + " with enforce true, allowed with enforce false only:"
                            + " enforcement stays on until it is switched off");
        }
        return new OperatorRecord.Enforce(
                agent, enforce, millis, user.author(author), OperatorRequest.reason(reason), at);
    }

    private static String agent(String name) throws MalformedRecord {
        if (name.isBlank()) {
            throw new MalformedRecord(
                    "body.agent: found blanks, allowed is the ID of an agent; left out for all agents");
        }
        return name;
    }
}
