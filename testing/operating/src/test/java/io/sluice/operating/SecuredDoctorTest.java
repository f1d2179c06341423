package io.sluice.operating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.contract.agent.Freshness;
import io.sluice.operating.SecuredCluster.Result;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SluiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code doctor} on a cluster that denies what no rule allows: it finds nothing wrong for an operator, and names the rights others lack. */
@Tag("server")
@Tag("full")
class SecuredDoctorTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String OPERATOR = "sluice-operator";
    private static final String REMEDY =
            "→ a user with the right to alter ACLs can grant it: './sluice topics create --acls --principal operator=User:YOU'";
    /** Not one of the usual operators: the rights that it is given here can be taken again. */
    private static final String NEWCOMER = "sluice-publisher";

    @TempDir
    static Path folder;

    private static SecuredCluster cluster;
    private static Analyzer analyzer;
    private static GateAgent agent;

    @BeforeAll
    static void aFleetAtWork() throws Exception {
        cluster = SecuredCluster.start(folder);
        assertThat(cluster.run("admin", "topics", "create", "--acls").code()).isZero();
        // a broker hears of rules a moment after they were made
        await().atMost(PATIENCE)
                .until(() -> cluster.run("sluice-analyzer", "topics", "verify").code() == 0);
        SluiceSettings settings = SluiceSettings.read(
                cluster.settings("sluice-analyzer"),
                Map.of("SLUICE_ANALYZER_STATE_DIR", folder.resolve("state").toString()));
        Path policies = Files.writeString(
                folder.resolve("policies.yml"),
                "policies: [{ name: noisy-neighbour, per: [caller], lock: { when: [{ above: 100000 }] } }]");
        analyzer = Analyzer.start(AnalyzerOptions.of(settings, settings.kafka().client(), PolicyFile.read(policies)));
        agent = GateAgent.builder()
                .kafka(cluster.client("sluice-agent"))
                .service("orders")
                .build();
        await().atMost(PATIENCE).until(() -> agent.freshness() == Freshness.FRESH);
        for (String caller : List.of("acme", "globex", "initech")) {
            Request request = agent.request(caller).route("/orders").build();
            try (Verdict verdict = agent.check(request)) {
                agent.log(request, verdict, 200, 10, 1_000);
            }
        }
        await().atMost(PATIENCE).until(() -> agent.status().sent() == 3);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable each : List.of(agent, analyzer, cluster)) {
            each.close();
        }
    }

    @Test
    void givenAnOperatorsPropertiesFileThenAllIsWell() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Result looked = cluster.run(OPERATOR, "doctor");
            assertThat(looked.out().lines())
                    .as(looked.out() + looked.err())
                    .hasSizeGreaterThan(8)
                    .allMatch(line -> line.startsWith("OK ") || line.equals("no check failed"));
            assertThat(looked.code()).isZero();
        });
    }

    @Test
    void givenAnAgentsCredentialThenEachRightThatIsMissingIsNamedWithItsRemedy() {
        Result looked = cluster.run("sluice-agent", "doctor");

        assertThat(looked.code()).isEqualTo(1);
        assertThat(rights(looked))
                .contains("you may not ")
                .contains(
                        "read sluice.agents",
                        "read sluice.decisions",
                        "read sluice.dead-letters",
                        "read sluice.requests",
                        "write sluice.decisions",
                        "write sluice.operator",
                        "write sluice.policies")
                .doesNotContain("gate-locks", "read sluice.operator", "read sluice.policies");
        assertThat(looked.out())
                .contains(REMEDY, "Not authorized to access topics: [sluice.agents]")
                .doesNotContain("is it running?");
    }

    @ParameterizedTest
    @CsvSource({
        "TOPIC, sluice.gate-locks, READ, you may not read sluice.gate-locks",
        "TOPIC, sluice.operator, WRITE, you may not write sluice.operator",
        "TOPIC, sluice.requests, READ, you may not read sluice.requests",
        "GROUP, sluice.sluice-analyzer, DESCRIBE, you may not describe group sluice.sluice-analyzer"
    })
    void givenOneRightTooFewThenItIsNamedWithItsRemedy(
            ResourceType type, String name, AclOperation operation, String finding) throws Exception {
        String[] grant = {"topics", "create", "--acls", "--principal", "operator=User:" + NEWCOMER};
        assertThat(cluster.run("admin", grant).code()).isZero();
        take(type, name, operation);

        // a broker hears of rules that were taken a moment later
        await().atMost(PATIENCE).untilAsserted(() -> {
            Result looked = cluster.run(NEWCOMER, "doctor");
            assertThat(looked.code()).as(looked.out()).isEqualTo(1);
            assertThat(looked.out()).contains(finding, REMEDY).doesNotContain("is it running?");
        });
    }

    private static String rights(Result looked) {
        return looked.out()
                .lines()
                .filter(line -> line.startsWith("FAIL  rights: "))
                .collect(Collectors.joining());
    }

    private static void take(ResourceType type, String name, AclOperation operation) throws Exception {
        try (Admin admin = Admin.create(cluster.client("admin"))) {
            assertThat(admin.deleteAcls(List.of(new AclBindingFilter(
                                    new ResourcePatternFilter(type, name, PatternType.ANY),
                                    new AccessControlEntryFilter(
                                            "User:" + NEWCOMER, null, operation, AclPermissionType.ALLOW))))
                            .all()
                            .get())
                    .hasSize(1);
        }
    }
}
