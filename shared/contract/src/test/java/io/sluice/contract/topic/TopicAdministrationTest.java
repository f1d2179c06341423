package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kafka.embedded.EmbeddedKafka;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("server")
class TopicAdministrationTest {
    private static final long MAX_LEASE = 600_000;
    private static EmbeddedKafka kafka;
    private static TestTopics topics;

    private final TopicNames names = new TopicNames("t" + UUID.randomUUID() + ".");
    private final List<TopicDefinition> definitions = Topics.definitions(names, 4, -1, MAX_LEASE);
    private TopicAdministration administration;

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.builder().start();
        topics = new TestTopics(kafka.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        topics.close();
        kafka.close();
    }

    @BeforeEach
    void administration() {
        administration = new TopicAdministration(topics.admin());
    }

    @Test
    void whatIsCreatedIsFoundInOrder() {
        List<String> created = administration.create(definitions);

        assertThat(created)
                .containsExactly(
                        names.requests(),
                        names.usage(),
                        names.loads(),
                        names.gateLocks(),
                        names.policies(),
                        names.operator(),
                        names.agents(),
                        names.decisions(),
                        names.deadLetters());
        assertThat(administration.verify(names, definitions)).isEmpty();
    }

    @Test
    void creatingTwiceCreatesNothingMore() {
        administration.create(definitions);

        assertThat(administration.create(definitions)).isEmpty();
    }

    @Test
    void onlyMissingTopicsAreCreated() throws Exception {
        topics.create(names.requests(), 7);

        assertThat(administration.create(definitions)).hasSize(8).doesNotContain(names.requests());
    }

    @Test
    void theBrokerHasTheSettingsOfTheDefinitions() throws Exception {
        administration.create(definitions);

        for (TopicDefinition definition : definitions) {
            Config config = config(definition.name());
            definition
                    .settings()
                    .forEach((setting, value) ->
                            assertThat(config.get(setting).value()).as(setting).isEqualTo(value));
        }
    }

    @ParameterizedTest
    @CsvSource({"600000, 3600000", "1800000, 3600000", "1800001, 3600002", "7200000, 14400000"})
    void locksAreKeptTwiceTheLongestLeaseAndAnHourAtLeast(long maxLease, String retention) {
        TopicDefinition locks = Topics.definitions(names, 4, -1, maxLease).get(3);

        assertThat(locks.settings()).containsEntry("retention.ms", retention);
    }

    @Test
    void everyMissingTopicIsNamedWithTheCommandThatMakesIt() {
        List<TopicProblem> problems = administration.verify(names, definitions);

        assertThat(problems).hasSize(9).allMatch(problem -> problem.remedy().equals("./sluice topics create"));
        assertThat(problems.get(0)).hasToString(names.requests() + ": is missing; ./sluice topics create");
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "gate-locks, cleanup.policy, delete, 'compact,delete', false",
        "gate-locks, cleanup.policy, compact, 'compact,delete', false",
        "usage, cleanup.policy, compact, delete, false",
        "loads, cleanup.policy, delete, compact, false",
        "policies, cleanup.policy, delete, compact, false",
        "gate-locks, message.timestamp.type, CreateTime, LogAppendTime, false",
        "operator, message.timestamp.type, CreateTime, LogAppendTime, false",
        "loads, message.timestamp.type, CreateTime, LogAppendTime, true",
        "policies, message.timestamp.type, CreateTime, LogAppendTime, true",
        "operator, cleanup.policy, compact, 'compact,delete', true",
        "operator, cleanup.policy, delete, 'compact,delete', false",
        "operator, retention.ms, 604800000, 31622400000, false",
        "requests, message.timestamp.type, CreateTime, LogAppendTime, true",
        "gate-locks, retention.ms, 3599999, 3600000, false",
        "usage, retention.ms, 1000, 3600000, false",
        "policies, max.message.bytes, 1048575, 1048576, false",
        "operator, max.message.bytes, 131071, 131072, false",
    })
    void aWrongSettingIsNamedAndItsRemedyMendsIt(
            String topic, String setting, String found, String needed, boolean warning) throws Exception {
        String name = names.prefix() + topic;
        administration.create(definitions);
        alter(name, setting, found);

        List<TopicProblem> problems =
                await().until(() -> administration.verify(names, definitions), list -> !list.isEmpty());

        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.topic()).isEqualTo(name);
            assertThat(problem.problem()).isEqualTo(setting + " is " + found + ", " + needed + " is needed");
            assertThat(problem.warning()).isEqualTo(warning);
        });
        kafkaConfigs(problems.get(0).remedy());
        await().untilAsserted(() ->
                assertThat(administration.verify(names, definitions)).isEmpty());
    }

    @Test
    void operatorTopicOfAnEarlierVersion_isAWarning_whoseRemediesLoseNothing() throws Exception {
        administration.create(definitions);
        alter(names.operator(), "cleanup.policy", "compact");
        alter(names.operator(), "retention.ms", "604800000");

        List<TopicProblem> problems =
                await().until(() -> administration.verify(names, definitions), list -> list.size() == 2);

        assertThat(problems).allMatch(TopicProblem::warning);
        assertThat(problems)
                .extracting(TopicProblem::problem)
                .containsExactly(
                        "retention.ms is 604800000, 31622400000 is needed",
                        "cleanup.policy is compact, compact,delete is needed");
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "gate-locks, retention.ms, 3600000",
        "gate-locks, retention.ms, -1",
        "gate-locks, cleanup.policy, 'delete,compact'",
        "requests, retention.ms, 1000",
        "dead-letters, retention.ms, 1000",
        "policies, max.message.bytes, 2097152",
        "operator, max.message.bytes, 131072",
        "usage, segment.ms, 60000",
    })
    void whatIsTheOperatorsOwnChoiceIsNoProblem(String topic, String setting, String value) throws Exception {
        administration.create(definitions);

        alter(names.prefix() + topic, setting, value);

        assertThat(administration.verify(names, definitions)).isEmpty();
    }

    @Test
    void policiesMustHaveOnePartition() throws Exception {
        administration.create(definitions);
        topics.partitions(names.policies(), 2);

        assertThat(await().until(() -> administration.verify(names, definitions), list -> !list.isEmpty()))
                .singleElement()
                .asString()
                .startsWith(names.policies() + ": has 2 partitions, exactly 1 is needed");
    }

    @Test
    void gateLocksMustHaveAsManyPartitionsAsUsage() throws Exception {
        administration.create(definitions);
        topics.partitions(names.usage(), 6);

        assertThat(await().until(() -> administration.verify(names, definitions), list -> !list.isEmpty()))
                .singleElement()
                .asString()
                .contains(names.gateLocks() + ": has 4 partitions")
                .endsWith("--alter --topic " + names.gateLocks() + " --partitions 6");
    }

    @Test
    void otherNumbersOfPartitionsThanConfiguredAreFine() {
        administration.create(Topics.definitions(names, 3, 1, MAX_LEASE));

        assertThat(administration.verify(names, definitions)).isEmpty();
    }

    @Test
    void aSourceOfSomebodyElseMustExist() {
        assertThat(administration.verifySource("nobodys-log"))
                .singleElement()
                .hasToString(
                        "nobodys-log: is missing; './sluice topics create --sources' creates it; or name another topic in"
                                + " sources");
    }

    @Test
    void aSourceWithCreateTimeIsAWarning() throws Exception {
        String log = "log-" + UUID.randomUUID();
        topics.create(log, 1);

        await().untilAsserted(() ->
                assertThat(administration.verifySource(log)).singleElement().matches(TopicProblem::warning));
    }

    private static void alter(String topic, String setting, String value) throws Exception {
        Collection<AlterConfigOp> change =
                List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET));
        topics.admin()
                .incrementalAlterConfigs(Map.of(resource(topic), change))
                .all()
                .get();
        await().ignoreExceptions()
                .until(() -> config(topic).get(setting).value().equals(value));
    }

    private static Config config(String topic) throws Exception {
        return topics.admin()
                .describeConfigs(List.of(resource(topic)))
                .all()
                .get()
                .get(resource(topic));
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    /** Runs the command line that the remedy gives, by the very class that kafka-configs starts. */
    private static void kafkaConfigs(String remedy) throws Exception {
        assertThat(remedy).startsWith("kafka-configs ");
        String[] arguments = Arrays.stream(remedy.split(" ", -1))
                .skip(1)
                .map(argument -> argument.replace("'", ""))
                .toArray(String[]::new);
        Class.forName("kafka.admin.ConfigCommand")
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
    }
}
