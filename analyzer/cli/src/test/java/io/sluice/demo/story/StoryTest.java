package io.sluice.demo.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.demo.stage.Locks;
import io.sluice.demo.stage.SeenLock;
import io.sluice.demo.traffic.Tally;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StoryTest {

    @Test
    void aGoodRunHasNoProblems() {
        assertThat(Outcomes.good().problems()).isEmpty();
    }

    @Test
    void aRunWithoutALockHasFailed() {
        Outcome outcome = Outcomes.of(List.of(), List.of(), new Tally(10, 0, 0, 0));

        assertThat(outcome.problems())
                .singleElement()
                .asString()
                .matches("no lock came for acme, of which [0-9,]+ requests were answered; .*");
        assertThat(Story.of(outcome)).anyMatch(line -> line.contains("was not locked"));
    }

    @Test
    void aGatewayThatDidNotRejectIsNamed() {
        Outcome outcome = Outcomes.of(List.of(Outcomes.LOCK), Outcomes.reactions("gateway-1"), new Tally(10, 0, 0, 0));

        assertThat(outcome.problems()).containsExactly("gateway-2 never rejected acme");
    }

    @Test
    void oneRejectedNeighbourIsAProblem() {
        Outcome outcome = Outcomes.of(
                List.of(Outcomes.LOCK), Outcomes.reactions("gateway-1", "gateway-2"), new Tally(10, 1, 0, 0));

        assertThat(outcome.problems()).singleElement().asString().startsWith("1 requests of well-behaved callers");
    }

    @Test
    void aLockedNeighbourIsAProblem() {
        SeenLock wrong = new SeenLock(Locks.block("amber", 1000, 2000), 2000, 0);
        Outcome outcome = Outcomes.of(
                List.of(Outcomes.LOCK, wrong), Outcomes.reactions("gateway-1", "gateway-2"), new Tally(10, 0, 0, 0));

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
                .contains("9 of 10 of their answers came within 7.5 ms before, 61 ms while crowded")
                .doesNotContain("went wrong");
    }

    @Test
    void requestsThatTimedOut_areNotCountedAsFailed() {
        Outcome outcome = Outcomes.of(
                List.of(Outcomes.LOCK), Outcomes.reactions("gateway-1", "gateway-2"), new Tally(1600, 0, 3, 2));

        assertThat(Story.of(outcome))
                .contains("  2 requests failed: no answer at all, or a server error.")
                .contains("  3 requests had no answer within 5 s.");
        assertThat(outcome.problems()).isEmpty();
    }

    @Test
    void oneRequest_isSingular() {
        Outcome outcome = Outcomes.of(
                List.of(Outcomes.LOCK), Outcomes.reactions("gateway-1", "gateway-2"), new Tally(1600, 0, 1, 1));

        assertThat(Story.of(outcome))
                .contains("  1 request failed: no answer at all, or a server error.")
                .contains("  1 request had no answer within 5 s.");
    }

    static Stream<Delays> delaysThatShowNothing() {
        Latency quick = new Latency(300, 8);
        return Stream.of(
                // the opposite of the story, or too little to be told from chance
                new Delays(new Latency(300, 474), new Latency(80, 283), new Latency(800, 159)),
                new Delays(new Latency(300, 142), new Latency(80, 107), new Latency(800, 385)),
                new Delays(quick, new Latency(80, 11), quick),
                new Delays(quick, new Latency(80, 61), new Latency(800, 50)),
                // too few
                new Delays(quick, new Latency(49, 61), quick),
                new Delays(new Latency(49, 8), new Latency(80, 61), quick),
                new Delays(quick, new Latency(80, 61), new Latency(49, 8)),
                Delays.UNKNOWN);
    }

    @ParameterizedTest
    @MethodSource("delaysThatShowNothing")
    void delaysThatDoNotShowIt_areNotTold(Delays delays) throws MalformedRecord {
        Outcome outcome = Outcomes.with(delays);

        assertThat(String.join("\n", Story.of(outcome)))
                .contains("acme was locked out by noisy-neighbour")
                .doesNotContain("answers came", "crowded");
        Node.Mapping report = (Node.Mapping) JsonNodes.read(Report.of(outcome), "report");
        assertThat(text((Node.Mapping) report.value("neighboursLatency"), "shown"))
                .isEqualTo("false");
    }

    @Test
    void whatHappened_isToldInTheOrderOfTime() {
        // its gate opened before it backed off
        Outcome outcome = Outcomes.of(
                List.of(new SeenLock(Locks.block("acme", 12_200, 27_200), 27_200, 13_000)),
                Outcomes.reactions("gateway-2", "gateway-1"),
                new Tally(1600, 0, 0, 0));

        assertThat(Story.of(outcome).stream()
                        .filter(line -> line.matches(" +[0-9.]+ s  .*"))
                        .map(line -> Double.parseDouble(line.substring(0, line.indexOf(" s  ")))))
                .hasSize(5)
                .isSorted();
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
        assertThat(text(report, "noise")).isEqualTo("11000");
        assertThat(text(report, "backedOff")).isEqualTo("16000");
        Node.Mapping latency = (Node.Mapping) report.value("neighboursLatency");
        assertThat(text(latency, "shown")).isEqualTo("true");
        assertThat(text((Node.Mapping) latency.value("crowded"), "requests")).isEqualTo("80");
        assertThat(text((Node.Mapping) latency.value("crowded"), "p90Millis")).isEqualTo("61.0");
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
