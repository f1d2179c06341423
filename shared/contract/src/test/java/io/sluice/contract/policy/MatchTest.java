package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.contract.event.AttributeText;
import io.sluice.contract.event.Identity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchTest {
    private static final Request GET_ORDERS = Request.of("acme")
            .at("10.1.2.3")
            .on("orders", "/orders/{id}", "GET")
            .labelled("plan", "gold");

    @Test
    void anyMatchesARequestThatLacksEverything() {
        assertThat(Match.ANY.matches(Request.of("acme"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "caller, acme, true",
        "caller, acm*, true",
        "caller, ACME, false",
        "ip, 10.0.0.0/8, true",
        "ip, 10.1.2.3, true",
        "ip, 10.1.2.4, false",
        "service, orders, true",
        "service, order, false",
        "route, /orders/*, true",
        "method, get, true",
        "method, POST, false",
        "labels.plan, gold, true",
        "labels.plan, silver, false",
        "labels.tier, *, false",
        "identity, authenticated, true",
        "identity, network, false"
    })
    void anAttributeMatchesItsValue(String attribute, String value, boolean matches) {
        assertThat(match(attribute, value).matches(GET_ORDERS)).isEqualTo(matches);
    }

    /** Requests have values of 128 bytes at most, abbreviated where they were longer. */
    @Test
    void aValueOfMoreBytesThanRequestsHave_matchesItsAbbreviation() {
        String name = "Ж".repeat(100);

        assertThat(match("caller", name).matches(Request.of(AttributeText.bounded(name))))
                .isTrue();
        assertThat(match("caller", name).matches(Request.of(AttributeText.bounded(name + "Ж"))))
                .isFalse();
    }

    @Test
    void aRouteOfMoreBytes_staysAsItIs() {
        String route = "/" + "Ж".repeat(100);

        assertThat(match("route", route).matches(Request.of("acme").on("orders", route, "GET")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "caller, acme, true",
        "caller, other, false",
        "service, anything, true",
        "ip, 2001:db8:0:1::5, true",
        "ip, 2001:db8::/32, true",
        "ip, 2001:db9::/32, false"
    })
    void aSubjectMayMatch_unlessItsOwnValuesDoNot(String attribute, String value, boolean may) {
        List<Attribute> per = List.of(Attribute.parse("caller"), Attribute.parse("ip"));

        assertThat(match(attribute, value).mayMatchSubject(per, List.of("acme", "2001:db8:0:1::/64")))
                .isEqualTo(may);
    }

    @ParameterizedTest
    @CsvSource({"10.0.1.0/24, true", "10.0.2.0/24, false", "10.0.0.0/8, true", "10.0.1.7, true", "11.0.0.0/8, false"})
    void aSubjectOfTwoNetworks_mayMatch_unlessOneOfThemDoesNot(String network, boolean may) {
        List<Attribute> per = List.of(Attribute.parse("ip/16"), Attribute.parse("ip/24"));

        assertThat(match("ip", network).mayMatchSubject(per, List.of("10.0.0.0/16", "10.0.1.0/24")))
                .isEqualTo(may);
    }

    @Test
    void anAttributeThatTheRequestLacksNeverMatches() {
        assertThat(match("service", "*").matches(Request.of("acme"))).isFalse();
        assertThat(match("ip", "0.0.0.0/0").matches(Request.of("acme"))).isFalse();
    }

    @Test
    void allAttributesMustMatchEachWithAnyOfItsValues() {
        Match match = Matches.of(Map.of("caller", List.of("other", "acme"), "method", List.of("GET")));

        assertThat(match.matches(GET_ORDERS)).isTrue();
        assertThat(match.matches(GET_ORDERS.on("orders", "/", "POST"))).isFalse();
    }

    @Test
    void anExceptionIsLeftOutOnlyWhenAllOfItMatches() {
        Match match = Matches.except(
                match("service", "orders"), Matches.of(Map.of("caller", List.of("batch-*"), "method", List.of("GET"))));

        assertThat(match.matches(Request.of("batch-1").on("orders", "/", "GET")))
                .isFalse();
        assertThat(match.matches(Request.of("batch-1").on("orders", "/", "PUT")))
                .isTrue();
        assertThat(match.matches(Request.of("acme").on("orders", "/", "GET"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "401, 401, true",
        "401, 403, false",
        "4xx, 403, true",
        "4xx, 399, false",
        "4xx, 500, false",
        "5xx, 0, false"
    })
    void aStatusMatchesItselfOrItsClass(String pattern, int status, boolean matches) {
        assertThat(match("status", pattern).matches(GET_ORDERS.answered(status)))
                .isEqualTo(matches);
    }

    @Test
    void aRejectedEventIsJudgedByItsRequestAttributesAlone() {
        Match failedLogins = Matches.of(Map.of("service", List.of("orders"), "status", List.of("401")));

        assertThat(failedLogins.matches(GET_ORDERS.rejected())).isTrue();
        assertThat(failedLogins.matches(
                        Request.of("acme").on("other", "/", "GET").rejected()))
                .isFalse();
    }

    @Test
    void aRequestIsJudgedWithoutTheStatusItDoesNotHaveYet() {
        assertThat(Matches.of(Map.of("service", List.of("orders"), "status", List.of("401")))
                        .matches(GET_ORDERS))
                .isTrue();
    }

    @Test
    void anExceptionForAStatusTakesNoRequestAway() {
        Match notFailed = Matches.except(match("service", "orders"), match("status", "5xx"));

        assertThat(notFailed.matches(GET_ORDERS)).isTrue();
        assertThat(notFailed.matches(GET_ORDERS.answered(500))).isFalse();
        assertThat(notFailed.matches(GET_ORDERS.answered(200))).isTrue();
    }

    @Test
    void anExceptionFromAnExceptionIsAsWideAsItCanBe() {
        // all but (acme, save acme's failures)
        Match match = Matches.except(Match.ANY, Matches.except(match("caller", "acme"), match("status", "5xx")));

        assertThat(match.matches(GET_ORDERS)).isTrue();
        assertThat(match.matches(GET_ORDERS.answered(200))).isFalse();
        assertThat(match.matches(GET_ORDERS.answered(500))).isTrue();
    }

    @Test
    void requestOnlyMatchesWhateverSomeStatusWouldMatch() {
        Match match = Matches.except(Matches.of(Map.of("status", List.of("401"))), match("caller", "batch-*"));

        assertThat(match.requestOnly()).isEqualTo(Matches.except(Match.ANY, match("caller", "batch-*")));
        assertThat(match.requestOnly().usesStatus()).isFalse();
    }

    @Test
    void aSubjectMatchesByItsOwnValues() {
        List<Attribute> per = List.of(Attribute.parse("ip/24"), Attribute.parse("caller"));
        Match match = Matches.of(Map.of("ip", List.of("10.0.0.0/8"), "caller", List.of("a*")));

        assertThat(match.matchesSubject(per, List.of("10.1.2.0/24", "acme"))).isTrue();
        assertThat(match.matchesSubject(per, List.of("11.1.2.0/24", "acme"))).isFalse();
        assertThat(match.matchesSubject(per, List.of("10.1.2.0/24", "bob"))).isFalse();
    }

    @Test
    void onlyOneExactValueFixesAnAttribute() {
        Attribute service = Attribute.parse("service");

        assertThat(match("service", "orders").fixes(service)).isTrue();
        assertThat(match("service", "orders-*").fixes(service)).isFalse();
        assertThat(Matches.of(Map.of("service", List.of("a", "b"))).fixes(service))
                .isFalse();
        assertThat(match("caller", "orders").fixes(service)).isFalse();
    }

    @Test
    void twoMatchesOfTheSameMeaningAreEqualHoweverTheyWereWritten() {
        Match one = Matches.of(Map.of("method", List.of("post", "GET"), "caller", List.of("a")));
        Match other = Matches.of(Map.of("caller", List.of("a"), "method", List.of("GET", "POST", "GET")));

        assertThat(one)
                .isEqualTo(other)
                .hasSameHashCodeAs(other)
                .hasToString("{\"caller\":\"a\",\"method\":[\"GET\",\"POST\"]}");
    }

    @Test
    void aValueThatIsNotAllowedIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> match("ip", "10.0.0.1/8"));
        assertThatIllegalArgumentException().isThrownBy(() -> match("status", "4x"));
        assertThatIllegalArgumentException().isThrownBy(() -> match("colour", "red"));
        assertThatIllegalArgumentException().isThrownBy(() -> match("caller", ""));
    }

    @ParameterizedTest
    @CsvSource({"authenticated, AUTHENTICATED", "network, NETWORK", "claimed, CLAIMED"})
    void anIdentityMatchesByItsName(String name, Identity identity) {
        assertThat(match("identity", name).matches(GET_ORDERS.believed(identity)))
                .isTrue();
    }

    private static Match match(String attribute, String value) {
        return Matches.of(Map.of(attribute, List.of(value)));
    }
}
