/**
 * The contract of every central store of quotas, as JUnit tests: a test of a strategy extends {@link
 * io.sluice.quota.contract.QuotaStrategyContract} and starts a real store.
 */
@NullMarked
package io.sluice.quota.contract;

import org.jspecify.annotations.NullMarked;
