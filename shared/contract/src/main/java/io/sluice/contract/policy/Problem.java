package io.sluice.contract.policy;

import io.sluice.contract.json.Place;

/**
 * Something wrong in a policy document.
 *
 * @param field the way to it from the document's root, such as {@code policies[0].lock.mode}
 * @param message what was found and what is allowed
 */
public record Problem(Place place, String field, String message) {

    /** {@code policies.yml:12: policies[0].lock.mode: found 'blok', allowed: block, throttle, shed, shadow}. */
    @Override
    public String toString() {
        return place + ": " + (field.isEmpty() ? "" : field + ": ") + message;
    }
}
