package io.sluice.analyzer.api;

import static io.sluice.analyzer.api.Guards.admission;
import static io.sluice.analyzer.api.Guards.headers;
import static io.sluice.analyzer.api.Guards.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.contract.event.Cidr;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.ProxySettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Users with roles: by token, session and trusted proxy, and each refusal. */
class UserAccessTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final byte[] KEY = TOKEN.getBytes(StandardCharsets.UTF_8);
    private static final String LEE = "lee-0123456789abcdef";
    private static final String OLGA = "olga-0123456789abcdef";
    private static final String PAT = "pat-0123456789abcdef";
    private static final String SECRET = "the-proxy-0123456789";
    private static final String LOCK = "/api/v1/locks/p/x";
    private static final String HOST = "localhost:8480";
    private static final HttpSettings WRITING =
            new HttpSettings("127.0.0.1", 8480, Path.of("token"), true, List.of("ops.example"));

    @TempDir
    Path folder;

    private Users users;
    private ApiGuard guard;

    @BeforeEach
    void usersOfEachRole() throws Exception {
        users = users("# the team", "lee look " + LEE, "", "olga  operate  " + OLGA, "pat policies " + PAT);
        guard = Guards.of(WRITING, TOKEN, users, "", proxy(null));
    }

    private Users users(String... lines) throws IOException {
        return Users.of(TOKEN, Files.write(folder.resolve("users"), List.of(lines)));
    }

    private static ProxySettings proxy(Path secret) {
        return new ProxySettings(List.of(Cidr.parse("10.1.0.0/16")), secret, "X-Forwarded-User", "X-Forwarded-Groups");
    }

    private static HttpFields bearer(String token) {
        return headers("Host", HOST, "Authorization", "Bearer " + token);
    }

    @ParameterizedTest
    @CsvSource({
        LEE + ", GET, /api/v1/locks, 200",
        LEE + ", POST, " + LOCK + ", 403",
        LEE + ", DELETE, " + LOCK + ", 403",
        LEE + ", POST, /api/v1/enforcement, 403",
        LEE + ", PUT, /api/v1/policies, 403",
        LEE + ", POST, /api/v1/session/links, 200",
        OLGA + ", POST, " + LOCK + ", 200",
        OLGA + ", DELETE, " + LOCK + "?reason=r, 200",
        OLGA + ", POST, /api/v1/enforcement, 200",
        OLGA + ", PUT, /api/v1/policies?reason=r, 403",
        OLGA + ", PUT, /api/v1/%70olicies?reason=r, 403",
        LEE + ", DELETE, /api/v1/session/links, 403",
        PAT + ", PUT, /api/v1/policies?reason=r, 200",
        PAT + ", DELETE, " + LOCK + ", 200",
        TOKEN + ", PUT, /api/v1/policies, 200",
        "nobody-0123456789abcdef, GET, /api/v1/locks, 401"
    })
    void token_ofEachRole_allowsWhatTheRoleIncludes(String token, String method, String target, int status) {
        ApiGuard.Admission admission = admission(guard, "127.0.0.1", method, bearer(token), target);

        assertThat(admission.refusal() == null ? 200 : admission.refusal().status())
                .isEqualTo(status);
    }

    @Test
    void token_ofALooker_refusalNamesBothRoles() {
        assertThat(refusal(guard, "POST", bearer(LEE), LOCK))
                .map(ApiGuard.Refusal::message)
                .contains("lee has the role look, needed is operate");
    }

    @Test
    void change_writesOff_isRefusedForEveryRole() {
        ApiGuard reading =
                Guards.of(new HttpSettings("127.0.0.1", 8480, Path.of("token"), List.of()), TOKEN, users, "");

        for (String token : List.of(LEE, OLGA, PAT, TOKEN)) {
            assertThat(refusal(reading, "DELETE", bearer(token), LOCK))
                    .map(ApiGuard.Refusal::message)
                    .hasValueSatisfying(message -> assertThat(message).contains("http.writes: true"));
        }
    }

    private String cookie(String token) {
        return first(Session.start(KEY, users.byToken(token).orElseThrow(), now(), false));
    }

    private static String first(String setCookie) {
        return setCookie.substring(0, setCookie.indexOf(';'));
    }

    private static long now() {
        return System.currentTimeMillis() / 1000;
    }

    private String proof(String token) {
        return Session.proof(KEY, users.byToken(token).orElseThrow().user(), now());
    }

    @Test
    void session_readsAndChanges_asItsUser() {
        HttpFields page =
                headers("Host", HOST, "Cookie", cookie(OLGA), "Origin", "http://" + HOST, Session.PROOF, proof(OLGA));

        assertThat(admission(guard, "127.0.0.1", "GET", headers("Host", HOST, "Cookie", cookie(OLGA)), LOCK)
                        .user())
                .isEqualTo(new User("olga", AccessRole.OPERATE));
        assertThat(admission(guard, "127.0.0.1", "DELETE", page, LOCK).user())
                .isEqualTo(new User("olga", AccessRole.OPERATE));
        assertThat(refusal(guard, "PUT", page, "/api/v1/policies"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:9999", "http://127.0.0.1:8480", "null", ""})
    void session_changeFromAnotherOrigin_isRefused(String origin) {
        HttpFields.Mutable page =
                HttpFields.build(headers("Host", HOST, "Cookie", cookie(OLGA), Session.PROOF, proof(OLGA)));
        if (!origin.isEmpty()) {
            page.add("Origin", origin);
        }

        assertThat(refusal(guard, "DELETE", page, LOCK))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @Test
    void session_changeWithoutValidCsrfToken_isRefused() throws Exception {
        long now = now();
        User olga = users.byToken(OLGA).orElseThrow().user();
        for (String proof : List.of(
                "",
                proof(LEE),
                Session.proof(KEY, olga, now - Session.SECONDS - 1),
                Session.proof("another-token-16".getBytes(StandardCharsets.UTF_8), olga, now),
                proof(OLGA).replaceFirst("^[0-9]", "9"))) {
            HttpFields page =
                    headers("Host", HOST, "Cookie", cookie(OLGA), "Origin", "http://" + HOST, Session.PROOF, proof);
            assertThat(refusal(guard, "DELETE", page, LOCK))
                    .as(proof)
                    .map(ApiGuard.Refusal::message)
                    .hasValueSatisfying(message -> assertThat(message).contains("X-Sluice-CSRF", "/api/v1/session"));
        }
    }

    @Test
    void session_ofAnotherKeyOrEndedOrForged_isRefused() throws Exception {
        Users.Entry olga = users.byToken(OLGA).orElseThrow();
        byte[] other = "another-token-16".getBytes(StandardCharsets.UTF_8);
        for (String cookie : List.of(
                first(Session.start(other, olga, now(), false)),
                first(Session.start(KEY, olga, now() - Session.SECONDS, false)),
                first(Session.end(false)),
                cookie(OLGA).replaceFirst("=[0-9]", "=9"),
                cookie(LEE).replace(".lee.", ".pat."),
                cookie(LEE).replace(".lee.", ".."),
                "sluice-session=" + TOKEN)) {
            assertThat(refusal(guard, "GET", headers("Host", "localhost", "Cookie", cookie), "/api/v1/locks"))
                    .as(cookie)
                    .map(ApiGuard.Refusal::status)
                    .contains(401);
        }
    }

    @Test
    void session_tokenOrRoleOfItsUserChanges_ends() throws Exception {
        HttpFields request = headers("Host", HOST, "Cookie", cookie(OLGA));
        for (String line :
                List.of("olga operate another-0123456789", "olga policies " + OLGA, "olaf operate " + OLGA)) {
            ApiGuard changed = Guards.of(WRITING, TOKEN, users(line), "");
            assertThat(refusal(changed, "GET", request, LOCK))
                    .as(line)
                    .map(ApiGuard.Refusal::status)
                    .contains(401);
        }
    }

    @Test
    void session_cookie_isHiddenFromScriptsAndOtherSites() {
        String plain = Session.start(KEY, users.byToken(PAT).orElseThrow(), now(), false);

        assertThat(plain).contains("; HttpOnly", "; SameSite=Strict").doesNotContain("Secure", TOKEN, PAT);
        assertThat(Session.start(KEY, users.byToken(PAT).orElseThrow(), now(), true))
                .endsWith("; Secure");
    }

    private static HttpFields proxied(String... more) {
        return HttpFields.build(headers("Host", "ops.example", "X-Forwarded-User", "ann@example.com"))
                .add(headers(more));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "staff,sluice-look | LOOK",
                "sluice-operate, sluice-look | OPERATE",
                "sluice-look,sluice-policies,sluice-root | POLICIES"
            })
    void proxy_groups_giveTheGreatestRole(String groups, AccessRole role) {
        assertThat(admission(guard, "10.1.2.3", "GET", proxied("X-Forwarded-Groups", groups), LOCK)
                        .user())
                .isEqualTo(new User("ann@example.com", role, true));
    }

    @Test
    void proxy_userWithoutRole_isRefused() {
        assertThat(admission(guard, "10.1.2.3", "GET", proxied("X-Forwarded-Groups", "staff,operate"), LOCK)
                        .refusal())
                .isEqualTo(new ApiGuard.Refusal(
                        403,
                        "ann@example.com has no role: X-Forwarded-Groups has none of sluice-look, sluice-operate,"
                                + " sluice-policies"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.2.0.1", "127.0.0.1", "::1", "192.168.1.1", "unknown"})
    void proxy_headersFromOtherAddresses_areIgnored(String remote) {
        HttpFields forged = proxied("X-Forwarded-Groups", "sluice-policies");

        assertThat(admission(guard, remote, "GET", forged, LOCK).refusal().status())
                .isEqualTo(401);
    }

    @Test
    void proxy_twoUsersOrMalformedName_isRefused() {
        for (HttpFields headers : List.of(
                proxied("X-Forwarded-User", "root", "X-Forwarded-Groups", "sluice-look"),
                headers("Host", "ops.example", "X-Forwarded-User", "a b", "X-Forwarded-Groups", "sluice-look"))) {
            assertThat(admission(guard, "10.1.2.3", "GET", headers, LOCK)
                            .refusal()
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    void proxy_secretIsMissingOrWrong_isRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        ApiGuard secret = Guards.of(WRITING, TOKEN, users, "", proxy(file));
        HttpFields right = proxied("X-Forwarded-Groups", "sluice-look", TrustedProxy.SECRET, SECRET);
        HttpFields wrong = proxied("X-Forwarded-Groups", "sluice-look", TrustedProxy.SECRET, SECRET + "0");
        HttpFields missing = proxied("X-Forwarded-Groups", "sluice-look");

        assertThat(admission(secret, "10.1.2.3", "GET", right, LOCK).refusal()).isNull();
        assertThat(admission(secret, "10.2.2.3", "GET", right, LOCK).refusal()).isNotNull();
        for (HttpFields headers : List.of(wrong, missing)) {
            assertThat(admission(secret, "10.1.2.3", "GET", headers, LOCK)
                            .refusal()
                            .message())
                    .contains("http.proxy.secret-file")
                    .doesNotContain(SECRET);
        }
    }

    @Test
    void proxy_change_needsOriginAndCsrfToken() {
        User ann = new User("ann@example.com", AccessRole.OPERATE, true);
        String proof = Session.proof(KEY, ann, now());
        HttpFields bare = proxied("X-Forwarded-Groups", "sluice-operate");
        HttpFields foreign =
                HttpFields.build(bare).add("Origin", "https://localhost").add(Session.PROOF, proof);
        HttpFields unproven = HttpFields.build(bare).add("Origin", "https://ops.example");
        HttpFields page = HttpFields.build(unproven).add(Session.PROOF, proof);

        assertThat(admission(guard, "10.1.2.3", "DELETE", page, LOCK).user()).isEqualTo(ann);
        for (HttpFields headers : List.of(bare, foreign, unproven)) {
            assertThat(admission(guard, "10.1.2.3", "DELETE", headers, LOCK)
                            .refusal()
                            .status())
                    .isEqualTo(403);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ann operate, found 2 parts",
        "ann operate 0123456789abcde, has 15 characters",
        "ann admin 0123456789abcdef0, 'allowed is look, operate, policies'",
        "a;b look 0123456789abcdef0, the name is malformed",
        "ann look " + LEE + ", has the token of another user",
        "lee look 0123456789abcdef0, is there twice",
        "ann look " + TOKEN + ", has the token of another user"
    })
    void usersFile_malformed_isRefusedWithLineAndWithoutToken(String line, String problem) {
        assertThatThrownBy(() -> users("lee look " + LEE, line))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("http.users-file: " + folder.resolve("users") + ":2: ")
                .hasMessageContaining(problem)
                .hasMessageNotContainingAny(LEE, TOKEN, "0123456789abcde ");
    }

    @Test
    void author_ofANamedUser_isItsName() throws Exception {
        User olga = new User("olga", AccessRole.OPERATE);

        assertThat(olga.author(null)).isEqualTo("olga");
        assertThat(olga.author("olga")).isEqualTo("olga");
        assertThat(User.COMMON.author("ann")).isEqualTo("ann");
        assertThatThrownBy(() -> olga.author("pat"))
                .hasMessage("author: found pat, allowed is olga, who sends the request");
        assertThatThrownBy(() -> User.COMMON.author(null)).hasMessageContaining("author is missing");
        assertThatThrownBy(() -> User.COMMON.author(" \t")).hasMessage("author: found blanks, allowed is a name");
    }

    /** {@code http.users-file} and the proxy name users independently of each other. */
    @Test
    void link_forAProxysUser_isRefused_evenIfTheUsersFileHasTheName() {
        SignIn signIn = new SignIn(TOKEN, users, false, true);
        HttpFields pat = headers("Host", "ops.example", "X-Forwarded-User", "pat", "X-Forwarded-Groups", "sluice-look");
        User proxied = admission(guard, "10.1.2.3", "GET", pat, LOCK).user();
        User ofTheFile = admission(guard, "127.0.0.1", "GET", bearer(PAT), LOCK).user();

        assertThat(signIn.link(proxied, now())).isEqualTo(Answer.problem(404, "a proxy signs pat in"));
        assertThat(signIn.link(ofTheFile, now()).status()).isEqualTo(201);
        assertThat(signIn.link(User.COMMON, now()).status()).isEqualTo(201);
    }

    @Test
    void links_signInOnceWithinAMinute_andAreBounded() {
        SignInLinks links = new SignInLinks();
        String code = links.create("lee", 100);
        String late = links.create("lee", 100);
        String first = links.create("olga", 100);

        assertThat(links.use(code, 100 + SignInLinks.SECONDS - 1)).contains("lee");
        assertThat(links.use(code, 101)).isEmpty();
        assertThat(links.use(late, 100 + SignInLinks.SECONDS)).isEmpty();
        assertThat(links.use("", 100)).isEmpty();
        for (int i = 0; i < SignInLinks.MOST; i++) {
            links.create("pat", 100);
        }
        assertThat(links.use(first, 101)).isEmpty();
    }
}
