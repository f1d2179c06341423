package io.sluice.agent.internal.quota;

import io.sluice.agent.quota.QuotaCharge;

/** Identifies a quota in a store. */
record QuotaKey(String policy, String slot, String subject) {
    static QuotaKey of(QuotaCharge charge) {
        return new QuotaKey(charge.limit().policy(), charge.limit().slot(), charge.subject());
    }
}
