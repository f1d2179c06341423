package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.run.StoredSubject;
import io.sluice.analyzer.run.TaskQueries;
import io.sluice.analyzer.top.ClaimedShare;
import io.sluice.analyzer.top.Top;
import io.sluice.analyzer.window.Panes;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicNames;
import io.sluice.settings.HttpSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers about policies while other instances answer, or cannot be asked. */
class PolicyAnswersTest {
    private static final TopicNames TOPICS = new TopicNames("sluice.");

    private final FleetState fleet = new FleetState(TOPICS, 600_000);

    /** The tasks of an instance that has counted nothing yet. */
    private record Tasks(int partitions, Set<Integer> here, Set<String> others) implements TaskQueries {
        @Override
        public Top top() {
            return Top.of(List.of());
        }

        @Override
        public ClaimedShare claimed() {
            return ClaimedShare.NONE;
        }

        @Override
        public String address() {
            return "";
        }

        @Override
        public Optional<String> owner(Policy policy, List<String> subject) {
            return Optional.empty();
        }

        @Override
        public Optional<Panes> window(Policy policy, List<String> subject, long time) {
            return Optional.empty();
        }

        @Override
        public Optional<StoredSubject> subject(Policy policy, List<String> subject, long time) {
            return Optional.empty();
        }
    }

    @BeforeEach
    void aPolicyInForce() {
        fleet.record(new ConsumerRecord<>(
                TOPICS.policies(),
                0,
                0,
                PolicySetJson.ACTIVE.getBytes(StandardCharsets.UTF_8),
                PolicySetJson.writeActive(TestPolicies.above(100))));
    }

    private List<String> missing(TaskQueries tasks) throws Exception {
        Peers.Access access = Peers.Access.of(new HttpSettings("127.0.0.1", 0), null, Duration.ofMinutes(2));
        Answer answer = new PolicyAnswers(fleet, tasks, access, () -> 0)
                .to(Question.of("/policies/p/nearest", null), List.of("p", "nearest"));
        assertThat(answer.status()).as(answer.json()).isEqualTo(200);
        Node.Mapping json = Tree.of(answer.json().getBytes(StandardCharsets.UTF_8));
        return Tree.list(json, "missing").stream()
                .map(one -> Tree.text(one, "what"))
                .toList();
    }

    @Test
    void nearest_partitionsOfNoInstance_areMissing() throws Exception {
        assertThat(missing(new Tasks(3, Set.of(1), Set.of()))).containsExactly("partition 0", "partition 2");
        assertThat(missing(new Tasks(2, Set.of(0, 1), Set.of()))).isEmpty();
    }

    @Test
    void nearest_partitionsOfAnInstanceThatAnswers_areNotMissing() throws Exception {
        assertThat(missingBeside(answer -> answer)).containsExactly("partition 2");
    }

    @Test
    void nearest_instanceThatDoesNotTellItsPartitions_isMissingAlone() throws Exception {
        assertThat(missingBeside(answer -> answer.replaceFirst("\"partitions\":\\[[^]]*],", "")))
                .singleElement()
                .asString()
                .startsWith("127.0.0.1:");
    }

    /** What is missing where another instance answers for two of four partitions, and this one for one. */
    private List<String> missingBeside(UnaryOperator<String> version) throws Exception {
        LocalAnswers local = new LocalAnswers(
                fleet,
                new ServedAnalyzer("two", 600_000, () -> true, Map::of, new Tasks(4, Set.of(0, 3), Set.of())),
                () -> 0);
        HttpServer two = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        two.createContext("/api/v1", exchange -> {
            String query = exchange.getRequestURI().getRawQuery();
            try {
                String answer = local.to(Question.of("/local/nearest", query), List.of("nearest"))
                        .json();
                byte[] body = version.apply(answer).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            } catch (Question.Wrong e) {
                exchange.sendResponseHeaders(e.status, -1);
            }
            exchange.close();
        });
        two.start();
        try {
            String address = "127.0.0.1:" + two.getAddress().getPort();
            return missing(new Tasks(4, Set.of(1), Set.of(address)));
        } finally {
            two.stop(0);
        }
    }
}
