package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareTest {
    private static final long TIME = 1_763_700_000_000L;

    private final Counts counts = new Counts();
    private final LoadBook book = new LoadBook(TestBudgets.heap());
    private final DetectorState memory =
            new DetectorState(new InMemoryWindowStore(), TestBudgets.windows(8), key -> false, counts);
    private final Detection detection = new Detection(
            new Windows(new InMemoryWindowStore(), 's', TestBudgets.windows(8)),
            memory,
            book,
            new Watches(1, key -> false, (key, end) -> {}),
            65_000,
            TestBudgets.task(),
            counts);
    private final List<Finding> findings = new ArrayList<>();
    private UsageKey acme = new UsageKey("none@0", List.of());
    private UsageKey all = acme;

    private void given(String share) {
        PolicySet set = TestPolicies.policies(
                "{'name':'s','per':['caller'],'window':'10s','panes':10,'lock':{'when':[" + share + "]}}");
        detection.policies(set);
        acme = new UsageKey(set.policies().get(0).revision(), List.of("acme"));
        all = new UsageKey(acme.policyRevision(), List.of());
    }

    /** A load of this much in the pane before TIME, as of TIME. */
    private Load load(long total, long since, long asOf) {
        long[] panes = new long[11];
        panes[9] = total;
        return new Load(asOf / 1000 - 10, panes, panes, new long[11], since, asOf);
    }

    private static UsagePartial partial(long admitted, long time) {
        return new UsagePartial(false, time / 1000, admitted, admitted, 0, time, time, new Origin(0, 1), 0);
    }

    private void acmeUses(long admitted, long time) {
        detection.partial(acme, partial(admitted, time), TIME, this::note);
        Load load = book.load(all);
        if (load != null) {
            detection.load(all, load.asOf(), TIME, this::note);
        }
    }

    private boolean note(Finding finding, long now) {
        findings.add(finding);
        return true;
    }

    @ParameterizedTest
    @CsvSource({"39, 0", "40, 0", "41, 1"})
    void overIsMoreThanTheShare(long used, int found) {
        given("{'share':'40%'}");
        book.accept(all, load(100, TIME - 60_000, TIME));

        acmeUses(used, TIME - 900);

        assertThat(findings).hasSize(found);
    }

    @ParameterizedTest
    @CsvSource({"99, 0", "100, 0", "101, 1"})
    void aLoadHasToPassBeyond(long total, int found) {
        given("{'share':'40%','beyond':100}");
        book.accept(all, load(total, TIME - 60_000, TIME));

        acmeUses(90, TIME - 900);

        assertThat(findings).hasSize(found);
    }

    @ParameterizedTest
    @CsvSource({"9, 0", "10, 1", "11, 1"})
    void theOthersHaveToBeThere(long others, int found) {
        given("{'share':'40%','others':10}");
        book.accept(all, load(90 + others, TIME - 60_000, TIME));

        acmeUses(90, TIME - 900);

        assertThat(findings).hasSize(found);
    }

    @Test
    void whoIsAloneCrowdsNobodyOut() {
        given("{'share':'40%'}");
        book.accept(all, load(90, TIME - 60_000, TIME));

        acmeUses(90, TIME - 900);

        assertThat(findings).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"7999, 0", "8000, 0", "8001, 1"})
    void aLoadYoungerThanAWindowIsNotAsked(long age, int found) {
        given("{'share':'40%'}");
        book.accept(all, load(100, TIME - age, TIME));

        acmeUses(90, TIME - 900);

        assertThat(findings).hasSize(found);
        assertThat(counts.of(Count.ABSTAINED) > 0).isEqualTo(found == 0);
    }

    @ParameterizedTest
    @CsvSource({"1999, 1", "2000, 1", "2001, 0"})
    void aLoadOlderThanTwoSecondsIsNotAsked(long age, int found) {
        given("{'share':'40%'}");
        long[] panes = new long[11];
        Arrays.fill(panes, 10);
        book.accept(all, new Load((TIME - age) / 1000 - 10, panes, panes, new long[11], TIME - 60_000, TIME - age));

        acmeUses(90, TIME - 4000);

        assertThat(findings).hasSize(found);
    }

    @Test
    void withoutALoadNothingIsFound() {
        given("{'share':'40%'}");

        acmeUses(90, TIME - 900);

        assertThat(findings).isEmpty();
        assertThat(counts.of(Count.ABSTAINED)).isEqualTo(1);
    }

    @Test
    void aSubjectAheadOfItsLoadIsAskedAgainWhenTheLoadHasCaughtUp() {
        given("{'share':'40%'}");
        book.accept(all, load(100, TIME - 60_000, TIME - 1000));
        acmeUses(90, TIME - 500);
        assertThat(findings).isEmpty();

        Load newer = load(100, TIME - 60_000, TIME);
        book.accept(all, newer);
        detection.load(all, newer.asOf(), TIME, this::note);

        assertThat(findings).singleElement().satisfies(it -> {
            assertThat(it.observed()).isEqualTo(0.9);
            assertThat(it.sum()).isEqualTo(90);
            assertThat(it.load()).isEqualTo(100);
            assertThat(it.crossed()).isEqualTo(TIME - 500);
        });
    }

    /** Only a late event can be missing in a load that is as of a later time. */
    @ParameterizedTest
    @CsvSource({"false, 1", "true, 0"})
    void partial_behindItsLoad_isAskedAtOnceUnlessItIsLate(boolean late, int found) {
        given("{'share':'40%'}");
        Load load = load(100, TIME - 60_000, TIME);
        book.accept(all, load);

        detection.partial(acme, partial(90, TIME - 900), late, TIME, this::note);
        assertThat(findings).hasSize(found);

        detection.load(all, load.asOf(), TIME, this::note);
        assertThat(findings).hasSize(1);
    }

    /** The window of 10 s, and as long as an event may be late or early. */
    @ParameterizedTest
    @CsvSource({"75000, 1", "75001, 0"})
    void load_laterThanItsWindow_findsNoCandidates(long after, int found) {
        given("{'share':'40%'}");
        acmeUses(90, TIME);
        detection.passed(TIME + after);

        long[] panes = new long[11];
        panes[10] = 100;
        Load load = new Load(TIME / 1000 - 10, panes, panes, new long[11], TIME - 60_000, TIME);
        book.accept(all, load);
        detection.load(all, load.asOf(), TIME, this::note);

        assertThat(findings).hasSize(found);
    }

    @Test
    void whatWasAskedAndAnsweredIsNotAskedAgain() {
        given("{'share':'40%'}");
        Load load = load(100, TIME - 60_000, TIME);
        book.accept(all, load);
        acmeUses(41, TIME - 900);
        assertThat(findings).hasSize(1);

        detection.load(all, load.asOf(), TIME, this::note);

        assertThat(findings).hasSize(1);
    }
}
