package io.sluice.quota.contract;

import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.stream.Stream;

/** A real store and clients of it, for the parts of the contract. */
interface ContractFixture {
    /** Returns the store, started. */
    QuotaCentre centre();

    /** Returns the name of the strategy's provider. */
    String strategy();

    /** Makes a client, which is closed after the test. */
    QuotaStrategy connect();

    /** Returns the algorithms of the strategy. */
    Stream<Algorithm> algorithms();

    /** Returns the most permits that a client may hold of a limit of so many without having granted them; 0 for an exact strategy. */
    long ahead(long permits);

    /** Returns how many subjects are invented to see them expire. */
    int inventedSubjects();
}
