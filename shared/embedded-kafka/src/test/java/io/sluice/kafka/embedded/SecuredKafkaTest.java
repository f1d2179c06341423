package io.sluice.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One broker with an open and a SCRAM listener, an authorizer, an administrator and a plain user. */
@Tag("server")
@Tag("full")
final class SecuredKafkaTest {

    private static final String SECURED = "SASL_PLAINTEXT";

    private static EmbeddedKafka kafka;
    private static Clients admin;
    private static Clients writer;

    @BeforeAll
    static void start() throws Exception {
        kafka = secured().start();
        admin = Clients.scram(kafka.bootstrapServers(SECURED), "admin", "admin-secret");
        writer = Clients.scram(kafka.bootstrapServers(SECURED), "writer", "writer-secret");
        admin.createTopic("allowed");
        admin.createTopic("forbidden");
        try (Admin client = Admin.create(admin.config())) {
            client.createAcls(List.of(allow(ResourceType.TOPIC, "allowed"), allow(ResourceType.TRANSACTIONAL_ID, "t")))
                    .all()
                    .get();
            // a broker answers before it has applied them
            await().until(() ->
                    client.describeAcls(AclBindingFilter.ANY).values().get().size() == 2);
        }
    }

    private static EmbeddedKafka.Builder secured() {
        return EmbeddedKafka.builder()
                .property("listeners", "PLAINTEXT://127.0.0.1:0,SASL_PLAINTEXT://127.0.0.1:0")
                .property("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .property("super.users", "User:admin")
                // ended in order: a restart waits for no session, and a standstill must not fence it
                .property("broker.session.timeout.ms", "600000")
                .user("admin", "admin-secret")
                .user("writer", "writer-secret");
    }

    private static AclBinding allow(ResourceType type, String name) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:writer", "*", AclOperation.ALL, AclPermissionType.ALLOW));
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @Test
    void aUserReachesWhatItsAclAllows() throws Exception {
        writer.send("allowed", "hello");

        assertThat(writer.read("allowed")).containsExactly("hello");
    }

    @Test
    void aUserIsRefusedWhatNoAclAllows() {
        assertThatThrownBy(() -> writer.send("forbidden", "hello"))
                .hasRootCauseInstanceOf(TopicAuthorizationException.class);
    }

    @Test
    void aWrongPasswordIsRefused() {
        Clients wrong = Clients.scram(kafka.bootstrapServers(SECURED), "writer", "guessed");

        assertThatThrownBy(() -> wrong.send("allowed", "hello"))
                .hasRootCauseInstanceOf(SaslAuthenticationException.class);
    }

    @Test
    void anAnonymousClientOfTheOpenListenerIsNoSuperUser() {
        Clients anonymous = Clients.of(kafka.bootstrapServers("PLAINTEXT"));

        assertThatThrownBy(() -> anonymous.send("allowed", "hello"))
                .hasRootCauseInstanceOf(TopicAuthorizationException.class);
    }

    @Test
    void theBrokerMayTalkToItselfToFinishATransaction() throws Exception {
        Map<String, Object> config = new HashMap<>(writer.config());
        config.put("transactional.id", "t");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("allowed", "in a transaction")).get();
            producer.commitTransaction();
            // the second one waits until the first one's markers are written by the broker's own connection
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("allowed", "in another")).get();
            producer.abortTransaction();
        }
        try (Admin client = Admin.create(admin.config())) {
            assertThat(client.describeTransactions(List.of("t")).all())
                    .succeedsWithin(Duration.ofMinutes(2))
                    .extracting(found -> found.get("t").state().toString())
                    .isIn("CompleteAbort", "PrepareAbort");
        }
    }

    @Test
    void aListenerThatIsNotThereIsNamedWithThoseThatAre() {
        assertThatThrownBy(() -> kafka.bootstrapServers("SSL"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SSL")
                .hasMessageContaining("PLAINTEXT, SASL_PLAINTEXT");
    }

    @Test
    void aUserThatOldDataDoesNotKnowIsAnErrorAtStart(@TempDir Path data) {
        secured().data(data).start().close();

        assertThatThrownBy(() -> secured().data(data).user("newcomer", "secret").start())
                .isInstanceOf(KafkaStartException.class)
                .hasMessageContaining("newcomer");
    }

    @Test
    void usersAndAclsSurviveARestart(@TempDir Path data) throws Exception {
        try (EmbeddedKafka first = secured().data(data).start()) {
            Clients.scram(first.bootstrapServers(SECURED), "admin", "admin-secret")
                    .createTopic("allowed");
        }
        try (EmbeddedKafka second = secured().data(data).start()) {
            Clients.scram(second.bootstrapServers(SECURED), "admin", "admin-secret")
                    .send("allowed", "again");
        }
    }
}
