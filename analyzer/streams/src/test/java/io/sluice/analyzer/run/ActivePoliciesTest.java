package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("server")
class ActivePoliciesTest {
    private static final PolicySet A = set(1);
    private static final PolicySet B = set(2);
    private static final String ORIGIN = "sluice.policies-0 offset 41, written 2026-11-21T13:07:19Z";

    private final List<String> followed = new ArrayList<>();
    private final List<String> published = new ArrayList<>();

    private static PolicySet set(int threshold) {
        return TestPolicies.yaml("""
                policies: [ { name: p, per: [caller], lock: { when: [{ above: %d }], mode: block } } ]
                """.formatted(threshold));
    }

    private ActivePolicies policies(PolicySet file) {
        return new ActivePolicies(file, set -> followed.add(set.revision()), set -> published.add(set.revision()));
    }

    private static void record(ActivePolicies to, String key, byte[] value) {
        to.record(TestKafka.utf8(key), value, ORIGIN);
    }

    private static void active(ActivePolicies to, PolicySet set) {
        record(to, "active", PolicySetJson.writeActive(set));
    }

    private static void desired(ActivePolicies to, PolicySet set) {
        record(to, "desired", PolicySetJson.writeDesired(set));
    }

    @Test
    void theFileIsPublishedIntoAnEmptyTopic() {
        policies(A).caughtUp();

        assertThat(published).containsExactly(A.revision());
        assertThat(followed).containsExactly(A.revision());
    }

    @Test
    void theTopicIsTheTruthOnceItHoldsAnything() {
        ActivePolicies policies = policies(A);
        active(policies, B);
        policies.caughtUp();

        assertThat(published).isEmpty();
        assertThat(followed).containsExactly(B.revision());
    }

    @Test
    void historyIsNotFollowedStepByStep() {
        ActivePolicies policies = policies(null);
        active(policies, A);
        active(policies, B);
        assertThat(followed).isEmpty();
        policies.caughtUp();

        assertThat(followed).containsExactly(B.revision());
    }

    @Test
    void whatWasAskedForBeforeACrashIsPublishedAfterIt() {
        ActivePolicies policies = policies(null);
        active(policies, A);
        desired(policies, B);
        policies.caughtUp();

        assertThat(published).containsExactly(B.revision());
    }

    @Test
    void askingForWhatBecameActiveSincePublishesNothing() {
        ActivePolicies policies = policies(null);
        desired(policies, A);
        active(policies, A);
        policies.caughtUp();

        assertThat(published).isEmpty();
    }

    /** As after a change of the signing key: the record gets a signature of the new one. */
    @Test
    void record_desiredThatIsActive_isPublishedAgainOnceCaughtUp() {
        ActivePolicies policies = policies(null);
        desired(policies, A);
        active(policies, A);
        policies.caughtUp();
        assertThat(published).isEmpty();

        desired(policies, A);

        assertThat(published).containsExactly(A.revision());
    }

    @Test
    void caughtUp_newestRecordAsksForWhatIsActive_isPublishedAgain() {
        ActivePolicies policies = policies(null);
        active(policies, A);
        desired(policies, A);
        policies.caughtUp();

        assertThat(published).containsExactly(A.revision());
    }

    @Test
    void again_desiredThatIsActive_isNotPublished() {
        ActivePolicies policies = policies(null);
        active(policies, A);
        policies.caughtUp();
        policies.again();
        active(policies, A);
        desired(policies, A);
        policies.caughtUp();

        assertThat(published).isEmpty();
    }

    @Test
    void askingForAnotherAndBackAgainEndsWhereItBegan() {
        ActivePolicies policies = policies(null);
        active(policies, A);
        policies.caughtUp();
        desired(policies, B);
        desired(policies, A);

        assertThat(published).containsExactly(B.revision(), A.revision());
    }

    @Test
    void whatIsReadAgainFromTheBeginningBringsNoOldSetBack() {
        ActivePolicies policies = policies(null);
        history(policies);
        policies.caughtUp();

        policies.again();
        history(policies);
        policies.caughtUp();

        assertThat(published).isEmpty();
        assertThat(followed).isNotEmpty().containsOnly(B.revision());
    }

    /** A was asked for and became active, then B. */
    private static void history(ActivePolicies policies) {
        desired(policies, A);
        active(policies, A);
        desired(policies, B);
        active(policies, B);
    }

    @Test
    void aBadSetChangesNothing() {
        ActivePolicies policies = policies(null);
        active(policies, A);
        policies.caughtUp();
        followed.clear();
        record(policies, "desired", TestKafka.utf8("{"));
        record(policies, "desired", TestKafka.utf8("{\"type\":\"policies\",\"format\":1,\"policies\":7}"));
        record(policies, "active", TestKafka.utf8("{\"type\":\"policies\",\"format\":2,\"policies\":7}"));

        assertThat(published).isEmpty();
        assertThat(followed).allMatch(A.revision()::equals);
    }

    @Test
    void whatIsNoSetIsOverwrittenByTheLastGoodOneBeforeThatIsForgotten() {
        ActivePolicies policies = policies(null);
        active(policies, A);
        policies.caughtUp();
        record(policies, "active", TestKafka.utf8("[]"));

        assertThat(published).containsExactly(A.revision());
        assertThat(followed).allMatch(A.revision()::equals);
    }

    @Test
    void whatIsNoSetAtTheEndOfTheTopicIsOverwrittenAtTheStart() {
        ActivePolicies policies = policies(B);
        active(policies, A);
        record(policies, "active", TestKafka.utf8("{"));
        assertThat(published).isEmpty();
        policies.caughtUp();

        assertThat(published).containsExactly(A.revision());
        assertThat(followed).containsExactly(A.revision());
    }

    @Test
    void aTopicThatHoldsNoSetIsAsGoodAsEmpty() {
        ActivePolicies policies = policies(A);
        record(policies, "active", TestKafka.utf8("{"));
        record(policies, "desired", TestKafka.utf8("null"));
        policies.caughtUp();

        assertThat(published).contains(A.revision()).allMatch(A.revision()::equals);
        assertThat(followed).containsExactly(A.revision());
    }

    @Test
    void aSetOfANewerFormatIsNotOverwrittenByTheFile() {
        ActivePolicies policies = policies(A);
        record(policies, "active", TestKafka.utf8("{\"type\":\"policies\",\"format\":2}"));
        policies.caughtUp();

        assertThat(published).isEmpty();
    }

    @Test
    void withoutAnyPoliciesNothingIsCountedAndNothingPublished() {
        policies(null).caughtUp();

        assertThat(published).isEmpty();
        assertThat(followed).hasSize(1);
    }

    @Test
    void record_unreadablePolicies_areLoggedWithTheOriginOfTheRecord() {
        List<String> errors = errors(() -> {
            ActivePolicies policies = policies(null);
            policies.caughtUp();
            record(policies, "desired", TestKafka.utf8("{"));
        });

        assertThat(errors)
                .singleElement()
                .asString()
                .contains(
                        "the desired policies (sluice.policies-0 offset 41, written 2026-11-21T13:07:19Z) can't be read");
    }

    @Test
    void caughtUp_unreadablePoliciesThatWereReplaced_areNotLogged() {
        List<String> errors = errors(() -> {
            ActivePolicies policies = policies(null);
            record(policies, "desired", TestKafka.utf8("{"));
            desired(policies, A);
            policies.caughtUp();
        });

        assertThat(errors).isEmpty();
    }

    @Test
    void caughtUp_unreadablePoliciesThatStillStand_areLoggedOnce() {
        List<String> errors = errors(() -> {
            ActivePolicies policies = policies(null);
            active(policies, A);
            record(policies, "desired", TestKafka.utf8("{"));
            record(policies, "desired", TestKafka.utf8("{"));
            policies.caughtUp();
        });

        assertThat(errors).singleElement().asString().contains("offset 41");
    }

    private static List<String> errors(Runnable work) {
        Logger logger = (Logger) LoggerFactory.getLogger(ActivePolicies.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            work.run();
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream()
                .filter(line -> line.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
