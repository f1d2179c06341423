package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.top.ClaimedShare;
import io.sluice.analyzer.top.Top;
import io.sluice.analyzer.top.TopSubject;
import io.sluice.contract.json.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The JSON of the busiest callers of one instance's tasks between instances. */
final class TopJson {
    private TopJson() {}

    static void write(Top top, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart("totals");
        for (Map.Entry<String, Double> total : top.totals().entrySet()) {
            to.writeNumberField(total.getKey(), total.getValue());
        }
        to.writeEndObject();
        to.writeArrayFieldStart("subjects");
        for (TopSubject subject : top.subjects()) {
            to.writeStartObject();
            to.writeStringField("revision", subject.revision());
            Answer.texts("subject", subject.subject(), to);
            to.writeNumberField("offered", subject.offered());
            to.writeNumberField("error", subject.error());
            to.writeNumberField("amount", subject.amount());
            to.writeNumberField("admitted", subject.admitted());
            to.writeNumberField("rejected", subject.rejected());
            to.writeNumberField("micros", subject.micros());
            to.writeEndObject();
        }
        to.writeEndArray();
    }

    /** The share of claimed callers, as an object of its own. */
    static void write(ClaimedShare share, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart("claimed");
        to.writeNumberField("requests", share.requests());
        to.writeNumberField("claimed", share.claimed());
        to.writeNumberField("share", Math.round(share.share() * 1_000) / 1_000.0);
        to.writeEndObject();
    }

    /** An instance of an earlier version does not count them. */
    static ClaimedShare readClaimed(Node.Mapping from) {
        if (!Tree.has(from, "claimed")) {
            return ClaimedShare.NONE;
        }
        Node.Mapping claimed = Tree.object(from, "claimed");
        return new ClaimedShare(Tree.whole(claimed, "requests"), Tree.whole(claimed, "claimed"));
    }

    static Top read(Node.Mapping from) {
        Map<String, Double> totals = new HashMap<>();
        Tree.object(from, "totals").entries().forEach(total -> totals.put(total.key(), Tree.number(total.value())));
        List<TopSubject> subjects = new ArrayList<>();
        for (Node item : Tree.list(from, "subjects")) {
            subjects.add(new TopSubject(
                    Tree.text(item, "revision"),
                    Tree.texts(item, "subject"),
                    Tree.number(item, "offered"),
                    Tree.number(item, "error"),
                    Tree.number(item, "amount"),
                    Tree.number(item, "admitted"),
                    Tree.number(item, "rejected"),
                    Tree.number(item, "micros")));
        }
        return new Top(totals, subjects);
    }
}
