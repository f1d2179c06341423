package io.sluice.demo.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.demo.stage.Locks;
import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.traffic.Tally;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoryTest {

    @Test
    void aGoodRunHasNoProblems() {
        assertThat(Outcomes.good().problems()).isEmpty();
    }

    @Test
    void aRunWithoutALockHasFailed() {
        Outcome outcome = Outcomes.of(List.of(), List.of(), new Tally(10, 0, 0));

        assertThat(outcome.problems()).containsExactly("no lock came for acme");
        assertThat(Story.of(outcome)).anyMatch(line -> line.contains("was not locked"));
    }

    @Test
    void aGatewayThatDidNotRejectIsNamed() {
        Outcome outcome = Outcomes.of(List.of(Outcomes.LOCK), Outcomes.reactions("gateway-1"), new Tally(10, 0, 0));

        assertThat(outcome.problems()).containsExactly("gateway-2 never rejected acme");
    }

    @Test
    void oneRejectedNeighbourIsAProblem() {
        Outcome outcome =
                Outcomes.of(List.of(Outcomes.LOCK), Outcomes.reactions("gateway-1", "gateway-2"), new Tally(10, 1, 0));

        assertThat(outcome.problems()).singleElement().asString().startsWith("1 requests of well-behaved callers");
    }

    @Test
    void aLockedNeighbourIsAProblem() {
        SeenLock wrong = new SeenLock(Locks.block("amber", 1000, 2000), 2000, 0);
        Outcome outcome = Outcomes.of(
                List.of(Outcomes.LOCK, wrong), Outcomes.reactions("gateway-1", "gateway-2"), new Tally(10, 0, 0));

        assertThat(outcome.problems()).singleElement().asString().startsWith("amber was locked");
    }

    @Test
    void theStoryTellsWhoWhenAndHowFast() {
        String story = String.join("\n", Story.of(Outcomes.good()));

        assertThat(story)
                .contains("acme crowded 20 others out")
                .contains("10.00 s  it crossed the line: 62 % of 806 requests in 5 s, allowed are 40 %")
                .contains("10.25 s  gateway-1 rejected it, 250 ms later")
                .contains("10.28 s  gateway-2 rejected it, 280 ms later")
                .contains("half within 250 ms, all within 280 ms")
                .contains("14.00 s  acme backed off")
                .contains("19.00 s  its gate opened again")
                .contains("3,000 requests, 2,400 of them rejected")
                .contains("1,600 requests, none rejected")
                .contains("7.5 ms before, 61 ms while crowded")
                .doesNotContain("went wrong");
    }

    @Test
    void theStoryFitsIntoEightyColumnsOfAscii() {
        assertThat(Story.of(Outcomes.good())).allMatch(line -> line.length() <= 80 && line.matches("\\p{ASCII}*"));
        assertThat(Story.next()).allMatch(line -> line.length() <= 80 && line.matches("\\p{ASCII}*"));
    }

    @Test
    void theReportHoldsWhatTheStoryTells() throws MalformedRecord {
        Node.Mapping report = (Node.Mapping) JsonNodes.read(Report.of(Outcomes.good()), "report");

        assertThat(text(report, "noisyCaller")).isEqualTo("acme");
        assertThat(text(report, "requests")).isEqualTo("4600");
        assertThat(text(report, "noisyRejected")).isEqualTo("2400");
        assertThat(text(report, "neighboursRejected")).isEqualTo("0");
        assertThat(text((Node.Mapping) report.value("reactionMillis"), "p50")).isEqualTo("250");
        assertThat(text((Node.Mapping) report.value("reactionMillis"), "max")).isEqualTo("280");
        Node.Mapping lock =
                (Node.Mapping) ((Node.Listing) report.value("locks")).items().get(0);
        assertThat(text(lock, "policy")).isEqualTo("noisy-neighbour");
        assertThat(text(lock, "at")).isEqualTo("12000");
        assertThat(text(lock, "released")).isEqualTo("21000");
        List<Node> gateways = ((Node.Listing) report.value("gateways")).items();
        assertThat(gateways)
                .extracting(gateway -> text((Node.Mapping) gateway, "agent"))
                .containsExactly("gateway-1", "gateway-2");
        assertThat(gateways)
                .extracting(gateway -> text((Node.Mapping) gateway, "lockedAt"))
                .containsExactly("12250", "12280");
    }

    @Test
    void aReportOfNothingIsWholeToo() throws MalformedRecord {
        Outcome outcome = Outcomes.of(List.of(), List.of(), Tally.NOTHING);

        Node.Mapping report = (Node.Mapping) JsonNodes.read(Report.of(outcome), "report");

        assertThat(((Node.Listing) report.value("locks")).items()).isEmpty();
        assertThat(((Node.Mapping) report.value("reactionMillis")).entries()).isEmpty();
        assertThat(((Node.Listing) report.value("gateways")).items()).hasSize(2);
    }

    private static String text(Node.Mapping of, String key) {
        return ((Node.Scalar) of.value(key)).text();
    }
}
