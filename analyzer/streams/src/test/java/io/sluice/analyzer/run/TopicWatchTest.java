package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.run.TopicWatch.Topic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class TopicWatchTest {
    private static final Uuid ID = new Uuid(1, 2);

    private final Map<String, Topic> topics =
            new HashMap<>(Map.of("usage", new Topic(ID, 2), "loads", new Topic(ID, 2)));
    private final List<String> told = new ArrayList<>();
    private boolean answers = true;
    private final TopicWatch watch = new TopicWatch(
            () -> {
                if (!answers) {
                    throw new TimeoutException("no broker");
                }
                return topics;
            },
            told::add);

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            watch.look();
        }
    }

    @Test
    void topicsThatStayAreNoNewsAndWhoCantAskKnowsNothing() {
        look(10);
        answers = false;
        look(10);

        assertThat(told).isEmpty();
    }

    @Test
    void aDeletedTopicIsToldOnceWhenItWasMissedThrice() {
        look(1);
        topics.remove("usage");
        look(TopicWatch.SIGHTINGS - 1);
        assertThat(told).isEmpty();

        look(5);

        assertThat(told)
                .containsExactly("topic usage: was deleted while the analyzer ran; ./sluice topics create,"
                        + " then start the analyzer again");
    }

    @Test
    void whoKnowsAlreadyThatATopicIsGoneHearsAtOnceWhichOne() {
        look(1);
        assertThat(watch.now()).isEmpty();

        topics.remove("usage");

        assertThat(watch.now()).isEqualTo("topic usage: " + TopicWatch.DELETED);
        assertThat(told).isEmpty();
        answers = false;
        assertThat(watch.now()).isEmpty();
    }

    @Test
    void aTopicThatABrokerDidNotKnowForAMomentIsNotGone() {
        look(1);
        for (int i = 0; i < 5; i++) {
            Topic topic = topics.remove("usage");
            look(TopicWatch.SIGHTINGS - 1);
            topics.put("usage", topic);
            look(1);
        }

        assertThat(told).isEmpty();
    }

    @Test
    void topicsMadeAnewOrGrownAreToldALineEach() {
        look(1);
        topics.put("usage", new Topic(new Uuid(3, 4), 2));
        topics.put("loads", new Topic(ID, 3));

        look(TopicWatch.SIGHTINGS);

        assertThat(told)
                .containsExactly(
                        "topic loads: has 3 partitions, and had 2 when the analyzer started; restart it, and it prints the"
                                + " remedy\ntopic usage: was made anew while the analyzer ran; ./sluice topics verify, then start"
                                + " the analyzer again");
    }
}
