package io.sluice.analyzer.api;

import io.sluice.analyzer.run.TaskQueries;
import io.sluice.analyzer.top.ClaimedShare;
import io.sluice.analyzer.top.Top;
import io.sluice.contract.json.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The busiest callers over all instances that answer. */
final class TopCallersQuery {
    private final List<Top> tops = new ArrayList<>();
    private final Set<Integer> answered = new TreeSet<>();
    private final Map<String, String> behind = new TreeMap<>();
    private ClaimedShare claimed = ClaimedShare.NONE;

    private TopCallersQuery() {}

    static TopCallersQuery of(TaskQueries tasks, Peers peers, int limit) {
        TopCallersQuery survey = new TopCallersQuery();
        tasks.others().forEach(other -> peers.ask(other, "top?limit=" + limit, survey::take));
        survey.tops.add(tasks.top());
        survey.claimed = survey.claimed.plus(tasks.claimed());
        survey.answered.addAll(tasks.here());
        peers.await();
        peers.missTasks(tasks.partitions(), survey.answered);
        return survey;
    }

    private void take(Node.Mapping answer) {
        tops.add(TopJson.read(answer));
        claimed = claimed.plus(TopJson.readClaimed(answer));
        // an instance of an earlier version does not have it
        if (Tree.has(answer, "catchingUp") && !Tree.text(answer, "catchingUp").isEmpty()) {
            behind.put(Tree.text(answer, "instance"), Tree.text(answer, "catchingUp"));
        }
        answered.addAll(LocalAnswers.partitions(answer));
    }

    Top top() {
        return Top.of(tops);
    }

    /** Returns how far other instances are behind, by their names; those that are not are left out. */
    Map<String, String> behind() {
        return behind;
    }

    ClaimedShare claimed() {
        return claimed;
    }
}
