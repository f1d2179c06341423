package io.sluice.quota.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Permits of several limits, such as a tenant's and its organisation's, are taken from all or from none. */
interface HierarchyContract extends ContractFixture {
    int TENANTS = 3;
    String EVERYTHING = "[]";

    @ParameterizedTest
    @MethodSource("algorithms")
    default void severalCharges_areTakenAllOrNone(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit tenants = Limits.daily("tenants", algorithm, 10);
        QuotaLimit organisations = Limits.daily("organisations", algorithm, 4);
        String organisation = Limits.subject("org");
        String tenant = Limits.subject("tenant");
        List<QuotaCharge> both = both(tenants, tenant, organisations, organisation);

        for (int left = 3; left >= 0; left--) {
            assertThat(Asked.acquire(client, both)).isEqualTo(QuotaAnswer.granted(1, left));
        }
        QuotaAnswer refused = Asked.acquire(client, both);
        assertThat(refused.granted()).isFalse();
        assertThat(refused.charge()).isEqualTo(1);
        assertThat(refused.remaining()).isZero();
        // the refused request took nothing of the tenant's
        QuotaCharge six = new QuotaCharge(tenants, tenant, organisation, 6);
        assertThat(Asked.acquire(client, List.of(six))).isEqualTo(QuotaAnswer.granted(0, 0));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void threeLevels_whicheverRefuses_nothingIsTakenOfTheOthers(Algorithm algorithm) {
        QuotaStrategy client = connect();
        QuotaLimit tenants = Limits.daily("tenants", algorithm, 10);
        QuotaLimit organisations = Limits.daily("organisations", algorithm, 6);
        // its subject has no values: of this test by its policy
        QuotaLimit everything = Limits.daily(Limits.policy("everything"), algorithm, 9);
        String tenant = Limits.subject("tenant");
        String organisation = Limits.subject("org");
        String otherTenant = Limits.subject("tenant");
        String otherOrganisation = Limits.subject("org");

        assertThat(Asked.acquire(client, three(tenants, tenant, organisations, organisation, everything, 4)))
                .isEqualTo(QuotaAnswer.granted(1, 2));
        QuotaAnswer ofOrganisation =
                Asked.acquire(client, three(tenants, tenant, organisations, organisation, everything, 3));
        QuotaAnswer ofEverything =
                Asked.acquire(client, three(tenants, otherTenant, organisations, otherOrganisation, everything, 6));

        assertThat(ofOrganisation.granted()).isFalse();
        assertThat(ofOrganisation.charge()).isEqualTo(1);
        assertThat(ofEverything.granted()).isFalse();
        assertThat(ofEverything.charge()).isEqualTo(2);
        assertThat(ofEverything.remaining()).isEqualTo(5);
        assertThat(take(client, tenants, tenant, 6)).isEqualTo(QuotaAnswer.granted(0, 0));
        assertThat(take(client, organisations, organisation, 2)).isEqualTo(QuotaAnswer.granted(0, 0));
        assertThat(take(client, tenants, otherTenant, 10)).isEqualTo(QuotaAnswer.granted(0, 0));
        assertThat(take(client, organisations, otherOrganisation, 6)).isEqualTo(QuotaAnswer.granted(0, 0));
        assertThat(take(client, everything, EVERYTHING, 5)).isEqualTo(QuotaAnswer.granted(0, 0));
    }

    private static QuotaAnswer take(QuotaStrategy client, QuotaLimit limit, String subject, long permits) {
        return Asked.acquire(client, List.of(new QuotaCharge(limit, subject, EVERYTHING, permits)));
    }

    /** Returns the charges of a tenant under its organisation under everything. */
    private static List<QuotaCharge> three(
            QuotaLimit tenants,
            String tenant,
            QuotaLimit organisations,
            String organisation,
            QuotaLimit everything,
            long permits) {
        return List.of(
                new QuotaCharge(tenants, tenant, EVERYTHING, permits),
                new QuotaCharge(organisations, organisation, EVERYTHING, permits),
                new QuotaCharge(everything, EVERYTHING, EVERYTHING, permits));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    default void severalCharges_moreThanOneEverHas_isNever(Algorithm algorithm) {
        QuotaLimit tenants = Limits.daily("tenants", algorithm, 10);
        QuotaLimit organisations = Limits.daily("organisations", algorithm, 4);
        String organisation = Limits.subject("org");
        String tenant = Limits.subject("tenant");
        List<QuotaCharge> five = List.of(
                new QuotaCharge(tenants, tenant, organisation, 5),
                new QuotaCharge(organisations, organisation, organisation, 5));

        QuotaAnswer refused = Asked.acquire(connect(), five);

        assertThat(refused.granted()).isFalse();
        assertThat(refused.charge()).isEqualTo(1);
        assertThat(refused.retryAfterNanos()).isEqualTo(QuotaAnswer.NEVER);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("algorithms")
    default void tenantsOfManyClients_shareTheirOrganisation(Algorithm algorithm) throws Exception {
        QuotaLimit tenants = Limits.daily("tenants", algorithm, 100);
        QuotaLimit organisations = Limits.daily("organisations", algorithm, 200);
        String organisation = Limits.subject("org");
        List<String> subjects = new ArrayList<>();
        List<Callable<Integer>> takers = new ArrayList<>();
        for (int i = 0; i < TENANTS; i++) {
            String tenant = Limits.subject("tenant");
            subjects.add(tenant);
            for (int client = 0; client < 2; client++) {
                QuotaStrategy strategy = connect();
                takers.add(() -> takeAll(strategy, both(tenants, tenant, organisations, organisation)));
            }
        }

        List<Integer> granted = Crowd.run(takers);

        int ahead = (int) (takers.size() * ahead(200));
        assertThat(granted.stream().mapToInt(x -> x).sum()).isBetween(200 - ahead, 200);
        if (ahead == 0) {
            QuotaStrategy client = connect();
            for (int i = 0; i < TENANTS; i++) {
                int left = 100 - granted.get(2 * i) - granted.get(2 * i + 1);
                assertThat(left).isNotNegative();
                QuotaCharge alone = new QuotaCharge(tenants, subjects.get(i), organisation, 1);
                assertThat(takeAll(client, List.of(alone))).isEqualTo(left);
            }
        }
    }

    private static int takeAll(QuotaStrategy strategy, List<QuotaCharge> charges) {
        int granted = 0;
        while (Asked.acquire(strategy, charges).granted()) {
            granted++;
        }
        return granted;
    }

    private static List<QuotaCharge> both(
            QuotaLimit tenants, String tenant, QuotaLimit organisations, String organisation) {
        return List.of(
                new QuotaCharge(tenants, tenant, organisation, 1),
                new QuotaCharge(organisations, organisation, organisation, 1));
    }
}
