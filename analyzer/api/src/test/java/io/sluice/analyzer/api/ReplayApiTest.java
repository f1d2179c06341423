package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.pseudonym.PseudonymousPolicies;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.settings.HttpSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replays over HTTP of uploaded logs and of the request log, and how near subjects are to thresholds, on a real broker. */
@Tag("server")
class ReplayApiTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long START = 1_763_700_000_000L;
    private static final String BOUNDARY = "----WebKitFormBoundaryTest";
    private static final String POLICY =
            "policies: [{ name: tried, per: [caller], window: 1m, lock: { when: [{ above: 5 }], mode: block, for: 1m } }]";

    @TempDir
    static Path folder;

    private static ServedFleet served;

    @BeforeAll
    static void analyzerThatHasCountedRequests() throws Exception {
        served = new ServedFleet(folder, 2, above(100));
        served.fleet.send("noisy", 150);
        served.fleet.send("near", 75);
        served.fleet.send("quiet", 12);
        TestKafka.send(served.fleet.topics.requests(), List.of("not \u0001 JSON"));
        await().atMost(PATIENCE).until(() -> get("/api/v1/locks").body().contains("\"noisy\""));
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    /** A window that outlasts the tests. */
    private static PolicySet above(int threshold) {
        return TestPolicies.set("{'policies':[{'name':'p','per':['caller'],'window':'1h','lock':{'when':[{'above':"
                + threshold + "}]}}]}");
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(served.uri().resolve(path)).build());
    }

    private static HttpResponse<String> post(String path, String type, byte[] body)
            throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(served.uri() + path))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build());
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> replay(String query, byte[] log, String policies) throws Exception {
        return post("/api/v1/replay" + query, "multipart/form-data; boundary=" + BOUNDARY, body(log, policies));
    }

    /** Parts as browsers and curl send them. */
    private static byte[] body(byte[] log, String policies) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        part(body, "log", "access.log", log);
        if (!policies.isEmpty()) {
            part(body, "policies", "policies.yml", policies.getBytes(StandardCharsets.UTF_8));
        }
        body.write(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.UTF_8));
        return body.toByteArray();
    }

    private static void part(ByteArrayOutputStream to, String name, String file, byte[] content) throws IOException {
        to.write(("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"" + file
                        + "\"\r\nContent-Type: application/octet-stream\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        to.write(content);
        to.write("\r\n".getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] log(int requests) {
        return IntStream.range(0, requests)
                .mapToObj(i -> TestFleet.event(i % 5 == 4 ? "other" : "acme", START + i * 1_000L))
                .collect(Collectors.joining("\n"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(content);
        }
        return packed.toByteArray();
    }

    @Test
    void replay_logAndPolicies_showsLocksAndTimeline() throws Exception {
        HttpResponse<String> answer = replay("", log(60), POLICY);

        Node.Mapping report = Tree.of(answer.body().getBytes(StandardCharsets.UTF_8));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(Tree.list(report, "locks")).hasSizeGreaterThanOrEqualTo(1);
        assertThat(Tree.texts(Tree.list(report, "locks").get(0), "subject")).containsExactly("acme");
        Node.Mapping timeline = Tree.object(report, "timeline");
        assertThat(Tree.list(timeline, "requests")).hasSize(60);
        assertThat(Tree.list(timeline, "rejected").stream()
                        .mapToLong(Tree::whole)
                        .sum())
                .isEqualTo(Tree.list(report, "locks").stream()
                        .mapToLong(lock -> Tree.whole(lock, "rejected"))
                        .sum())
                .isPositive();
    }

    @Test
    void replay_compressedLog_withPoliciesInForce() throws Exception {
        HttpResponse<String> answer = replay("?policies=active&format=json", gzip(log(400)), "");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("\"events\":400", "\"policies\":[{\"name\":\"p\"");
    }

    @Test
    void replay_withoutPolicies_suggestsLimits() throws Exception {
        assertThat(replay("", log(60), "").body()).contains("\"suggestion\":{", "\"locks\":[]");
    }

    @Test
    void replay_invalidPolicies_namesEachProblem() throws Exception {
        HttpResponse<String> answer = replay("", log(10), "policies: [{ name: Wrong!, window: 1x }]");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("Wrong!", "1x");
    }

    @Test
    void replay_logThatNoFormatReads_isAnError() throws Exception {
        HttpResponse<String> answer = replay("", "no log\n".getBytes(StandardCharsets.UTF_8), POLICY);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains("no format reads", "set it with the parameter format")
                .doesNotContain("--");
    }

    @Test
    void replay_notesAboutOptions_nameParameters() throws Exception {
        byte[] oneCaller = (TestFleet.event("acme", START) + "\n" + TestFleet.event("acme", START + 1_000))
                .getBytes(StandardCharsets.UTF_8);

        HttpResponse<String> answer = replay("", oneCaller, POLICY);

        assertThat(answer.body())
                .contains("all requests come from one caller", "the parameter caller")
                .doesNotContain("--");
    }

    @Test
    void replay_emptyNameOfACallersField_isRefused() throws Exception {
        HttpResponse<String> answer = replay("?caller=", log(10), "");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("caller: found an empty name, allowed: a field such as $remote_user");
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, {}, 415, multipart/form-data",
        "multipart/form-data; boundary=x, --y, 400, complete",
        "multipart/form-data; boundary=x, '--x\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n1\r\n--x--\r\n', 400, allowed are log and policies"
    })
    void replay_bodyThatIsNoUpload_isRefused(String type, String body, int status, String message) throws Exception {
        HttpResponse<String> answer = post("/api/v1/replay", type, body.getBytes(StandardCharsets.UTF_8));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(message);
    }

    @Test
    void replay_longerThanTheBound_isRefusedWithTheBound() throws Exception {
        Node.Mapping bounds = Tree.of(get("/api/v1/replay").body().getBytes(StandardCharsets.UTF_8));
        int longest = (int) Tree.whole(bounds, "uploadBytes");
        assertThat(longest).isBetween(1 << 20, 32 << 20);

        HttpResponse<String> answer = replay("", new byte[longest], "");

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("longer than " + longest + " bytes");
    }

    @Test
    void replay_uploadsThatDoNotArrive_holdTwoSlotsAndFurtherOnesAreRefused() throws Exception {
        String head =
                "POST /api/v1/replay HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\n"
                        + "Content-Length: 1000\r\n\r\n--x";
        List<Socket> uploads = new ArrayList<>();
        try {
            // an upload may find a slot taken by the replay that looks, so each round sends another one
            await().atMost(PATIENCE).until(() -> {
                Socket upload = new Socket(
                        InetAddress.getLoopbackAddress(), served.uri().getPort());
                uploads.add(upload);
                upload.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
                return replay("", log(10), POLICY).statusCode() == 503;
            });
        } finally {
            for (Socket upload : uploads) {
                upload.close();
            }
        }
        await().atMost(PATIENCE).until(() -> replay("", log(10), POLICY).statusCode() == 200);
    }

    @Test
    void trial_changedThreshold_showsLocksOfTheLastHour() throws Exception {
        String set = get("/api/v1/policies").body().replace("\"above\":100", "\"above\":50");
        assertThat(set).contains("\"above\":50");

        HttpResponse<String> answer =
                post("/api/v1/policies/trial?minutes=60", "application/json", set.getBytes(StandardCharsets.UTF_8));

        Node.Mapping report = Tree.of(answer.body().getBytes(StandardCharsets.UTF_8));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(Tree.whole(report, "minutes")).isEqualTo(60);
        assertThat(Tree.list(report, "locks").stream().map(lock -> Tree.texts(lock, "subject")))
                .contains(List.of("noisy"), List.of("near"))
                .doesNotContain(List.of("quiet"));
        assertThat(answer.body()).contains("\"changes\":[{");
        // nothing took effect
        assertThat(get("/api/v1/policies").body()).contains("\"above\":100");
        assertThat(get("/api/v1/locks").body()).doesNotContain("\"near\"");
    }

    /** Request log and policies in force name callers by their pseudonyms, the file that is tried by their names. */
    @Test
    void trial_pseudonymKey_replacesNamesAsApplyDoes(@TempDir Path state) throws Exception {
        String file = "policies: [{ name: p, per: [caller], window: 1h, lock: { when: [{ above: 100 }] },"
                + " overrides: [{ match: { caller: %s }, lock: { when: [{ above: 1000 }] } }] }]";
        Pseudonyms keys =
                Pseudonyms.read(Files.writeString(state.resolve("key"), "k1: " + "0123456789abcdef".repeat(4)));
        PolicySet inForce = PseudonymousPolicies.of(TestPolicies.yaml(file.formatted("vip")), keys);
        try (ServedFleet pseudonymous = new ServedFleet(
                state,
                1,
                inForce,
                new HttpSettings("127.0.0.1", 8480),
                "test-pseudonyms",
                plain -> new ServedAnalyzer(
                        plain.name(),
                        plain.maxLease(),
                        plain.running(),
                        plain.counts(),
                        plain.tasks(),
                        plain.catchingUp(),
                        keys))) {
            pseudonymous.fleet.send(keys.keys().get(0).caller("vip"), 150);
            URI trial = URI.create(pseudonymous.uri() + "/api/v1/policies/trial");

            await().atMost(PATIENCE).untilAsserted(() -> {
                HttpResponse<String> same = postYaml(trial, file.formatted("vip"));
                assertThat(same.statusCode()).as(same.body()).isEqualTo(200);
                assertThat(same.body()).contains("\"events\":150", "\"changes\":[]");
            });
            HttpResponse<String> prefix = postYaml(trial, file.formatted("'a*'"));
            assertThat(prefix.statusCode()).as(prefix.body()).isEqualTo(400);
            assertThat(prefix.body()).contains("found 'a*', with pseudonyms allowed are whole names");
        }
    }

    private static HttpResponse<String> postYaml(URI to, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(to)
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    @Test
    void nearest_countsSubjectsByTheirPartOfTheThreshold() throws Exception {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Node.Mapping answer =
                    Tree.of(get("/api/v1/policies/p/nearest?limit=2").body().getBytes(StandardCharsets.UTF_8));
            assertThat(Tree.list(answer, "nearest").stream().map(one -> Tree.texts(one, "subject")))
                    .containsExactly(List.of("noisy"), List.of("near"));
            List<Long> buckets =
                    Tree.list(answer, "buckets").stream().map(Tree::whole).toList();
            assertThat(buckets).hasSize(11);
            assertThat(buckets.get(1)).as("quiet").isEqualTo(1);
            assertThat(buckets.get(7)).as("near").isEqualTo(1);
            assertThat(buckets.get(10)).as("noisy").isEqualTo(1);
            assertThat(Tree.list(answer, "missing")).isEmpty();
        });
        assertThat(get("/api/v1/policies/q/nearest").statusCode()).isEqualTo(404);
    }

    @Test
    void changes_afterANewRevision_nameFieldsBeforeAndAfter() throws Exception {
        TestKafka.send(served.fleet.topics.policies(), PolicySetJson.ACTIVE, PolicySetJson.writeActive(above(101)));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get("/api/v1/policies/changes").body())
                        .contains("\"what\":\"changed\"", "\"policy\":\"p\"", "100", "101"));
        TestKafka.send(served.fleet.topics.policies(), PolicySetJson.ACTIVE, PolicySetJson.writeActive(above(100)));
        await().atMost(PATIENCE).until(() -> get("/api/v1/policies").body().contains("\"above\":100"));
    }

    @Test
    void neighbours_namesCallersWithTheSameAddressOrLabel() throws Exception {
        TestKafka.send(
                served.fleet.topics.requests(),
                List.of(
                        located("shared-1", "203.0.113.7", "gold"),
                        located("shared-2", "203.0.113.7", "silver"),
                        located("shared-2", "203.0.113.7", "silver"),
                        located("shared-3", "203.0.113.8", "gold"),
                        located("alone", "203.0.113.9", "lead")));

        Node.Mapping answer =
                Tree.of(get("/api/v1/callers/shared-1/neighbours").body().getBytes(StandardCharsets.UTF_8));

        assertThat(Tree.whole(answer, "requests")).isEqualTo(1);
        assertThat(Tree.list(answer, "shared").stream()
                        .map(one -> Tree.text(one, "attribute") + " "
                                + Tree.text(one, "value") + " "
                                + Tree.text(Tree.list(one, "callers").get(0), "caller")))
                .containsExactlyInAnyOrder("ip 203.0.113.7 shared-2", "labels.plan gold shared-3");
        assertThat(get("/api/v1/callers/alone/neighbours").body()).contains("\"shared\":[]");
    }

    private static String located(String caller, String address, String plan) {
        return "{\"time\":" + System.currentTimeMillis() + ",\"caller\":\"" + caller + "\",\"ip\":\"" + address
                + "\",\"service\":\"orders\",\"status\":200,\"labels\":{\"plan\":\"" + plan + "\"}}";
    }

    @Test
    void deadLetters_haveAnEscapedSample() {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(get("/api/v1/dead-letters").body()).contains("\"sample\":\"not \\\\x01 JSON\""));
    }
}
