package io.sluice.analyzer.decide;

import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.PolicySet;
import org.junit.jupiter.api.Test;

/** The task of a subject reads its partial only after the group's load has reached its last value. */
class LaggingShareTest {
    private static final PolicySet SHARE = TestPolicies.policies("{'name':'s','per':['caller','service'],"
            + "'window':'10s','panes':10,'lock':{'when':[{'share':'50%','of':['service'],'beyond':10}]}}");

    private final LoadBook book = new LoadBook(TestBudgets.heap());
    private final Rig group = rig(0);
    private final Rig subject = rig(1);

    private Rig rig(int task) {
        Rig rig = new Rig(new InMemoryLeaseStore(), new InMemoryWindowStore(), book, TaskSettings.of(task, 2, 1));
        rig.policies(SHARE);
        return rig;
    }

    private void event(RequestEvent event) {
        group.meter.add(event);
        subject.meter.add(event);
    }

    /** The task of the subject reads what there is of subjects. */
    private void read(long now) {
        subject.meter.drainAll((key, partial) -> {
            if (!partial.load()) {
                subject.task.partial(key, partial, now);
            }
        });
        subject.task.position(subject.meter.position(now));
        subject.task.tick(now);
    }

    @Test
    void partial_afterTheLastLoadOfItsGroup_isJudged() {
        for (long time = TIME; time < TIME + 12_000; time += 1_000) {
            event(TestEvents.admitted("calm", "orders", time));
            group.passed(time);
            read(time);
        }
        long time = TIME + 12_500;
        for (int i = 0; i < 60; i++) {
            event(TestEvents.admitted("hog", "orders", time));
        }
        group.passed(time);
        subject.task.tick(time);
        assertThat(subject.said).isEmpty();

        read(time + 500);

        assertThat(subject.said)
                .singleElement()
                .satisfies(lock -> assertThat(lock.subject()).containsExactly("hog", "orders"));
    }
}
