package io.sluice.agent.quota;

/**
 * Permits of one subject of a limit.
 *
 * @param limit the limit
 * @param subject the subject as a minimal JSON array, such as {@code ["acme"]}: distinct subjects have distinct texts
 * @param route the subject of the topmost limit that is charged with this one, or {@code subject} itself: charges of one route belong on one server,
 *     which can then take all or none
 * @param permits to take, at least 1; or a correction, see {@link QuotaStrategy#adjust}
 */
public record QuotaCharge(QuotaLimit limit, String subject, String route, long permits) {
    /**
     * Returns the charge with other permits.
     *
     * @param other the permits
     * @return a charge of the same subject
     */
    public QuotaCharge with(long other) {
        return new QuotaCharge(limit, subject, route, other);
    }
}
