package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kafka.embedded.EmbeddedKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Results for a user without all rights, and for one that may only read. */
@Tag("server")
class TopicAccessTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOPIC = "logs";

    private EmbeddedKafka kafka;
    private Admin admin;
    private Admin reader;

    @BeforeEach
    void start() {
        kafka = EmbeddedKafka.builder()
                .property("listeners", "SASL_PLAINTEXT://127.0.0.1:0")
                .property("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .property("super.users", "User:admin")
                .user("admin", "a")
                .user("reader", "r")
                .start();
        admin = Admin.create(user("admin", "a"));
        reader = Admin.create(user("reader", "r"));
        new TopicAdministration(admin).create(List.of(new TopicDefinition(TOPIC, 1, Map.of(), -1)));
    }

    @AfterEach
    void stop() {
        reader.close();
        admin.close();
        kafka.close();
    }

    @Tag("full")
    @Test
    void aHiddenTopicIsAProblemAndSettingsThatCantBeReadAreAWarning() throws Exception {
        TopicAdministration administration = new TopicAdministration(reader);
        assertThat(administration.verifySource(TOPIC))
                .singleElement()
                .asString()
                .contains("may not be looked at", "--operation Describe --topic " + TOPIC);

        allow(AclOperation.DESCRIBE);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(administration.verifySource(TOPIC))
                        .singleElement()
                        .matches(TopicProblem::warning)
                        .asString()
                        .contains("were not checked", "--operation DescribeConfigs --topic " + TOPIC));
    }

    @Test
    void aFollowerWaitsUntilItMayRead() throws Exception {
        Heard heard = new Heard();
        try (TopicFollower follower = new TopicFollower(user("reader", "r"), List.of(TOPIC), heard)) {
            follower.start();
            // a slow broker may be a trouble before
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(follower.trouble()).containsIgnoringCase("authorized"));

            allow(AclOperation.READ);

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard.all).containsExactly(Heard.END));
        }
    }

    @Tag("full")
    @Test
    void aFollowerWithAWrongPasswordSaysSoAndCanBeClosed() {
        try (TopicFollower follower = new TopicFollower(user("reader", "guessed"), List.of(TOPIC), new Heard())) {
            follower.start();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(follower.trouble())
                            .contains("Authentication failed")
                            .doesNotContain("guessed"));
        }
    }

    private void allow(AclOperation operation) throws Exception {
        admin.createAcls(List.of(new AclBinding(
                        new ResourcePattern(ResourceType.TOPIC, TOPIC, PatternType.LITERAL),
                        new AccessControlEntry("User:reader", "*", operation, AclPermissionType.ALLOW))))
                .all()
                .get();
    }

    private Map<String, Object> user(String name, String password) {
        return Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "SCRAM-SHA-512",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + name + "\" password=\""
                        + password + "\";");
    }
}
