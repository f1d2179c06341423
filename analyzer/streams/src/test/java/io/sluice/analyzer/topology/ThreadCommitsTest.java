package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadCommitsTest {
    private final ThreadCommits commits = new ThreadCommits(() -> 0, true);
    private final List<String> left = new ArrayList<>();
    private final Runnable first = new Task("first", left);
    private final Runnable second = new Task("second", left);
    private final Runnable third = new Task("third", left);

    @BeforeEach
    void threeTasks() {
        commits.join(first);
        commits.join(second);
        commits.join(third);
        commits.working();
    }

    @Test
    void theFirstTaskOfACommitTakesAllOthersWithIt() {
        commits.committing(second);

        assertThat(left).containsExactlyInAnyOrder("first", "second", "third");
    }

    @Test
    void theOthersThenOnlyLetGoOfTheirOwn() {
        commits.committing(second);
        left.clear();

        commits.committing(third);

        assertThat(left).containsExactly("third");
    }

    @Test
    void theNextCommitIsAllOfTheirsAgain() {
        commits.committing(second);
        commits.working();
        left.clear();

        commits.committing(third);

        assertThat(left).containsExactlyInAnyOrder("first", "second", "third");
    }

    @Test
    void whoIsClosedIsLeftAloneAndStillLetsGoOfItsOwnWhenItIsAsked() {
        commits.part(first);

        commits.committing(second);
        assertThat(left).containsExactlyInAnyOrder("second", "third");

        commits.committing(first);
        assertThat(left).endsWith("first");
    }

    private record Task(String name, List<String> left) implements Runnable {
        @Override
        public void run() {
            left.add(name);
        }
    }
}
