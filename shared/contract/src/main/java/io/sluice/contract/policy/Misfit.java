package io.sluice.contract.policy;

import io.sluice.contract.event.RequestEvent;
import java.util.Optional;
import java.util.stream.Collectors;

/** Explains why an event does not match; for people, and slower than matching. */
final class Misfit {
    private Misfit() {}

    static Optional<String> of(Match asked, RequestEvent event) {
        for (Term term : asked.terms()) {
            String value = term.attribute().rawValueOf(event);
            if (!term.matches(value)) {
                return Optional.of(term.attribute() + (value == null ? " is missing" : " is " + value) + ", wanted "
                        + String.join(" or ", term.spelled()));
            }
        }
        if (!asked.statuses().isEmpty() && !asked.statusMatches(event.status())) {
            String wanted = asked.statuses().stream().map(StatusRange::toString).collect(Collectors.joining(" or "));
            return Optional.of("status is " + event.status() + ", wanted " + wanted);
        }
        return asked.nots().stream()
                .filter(not -> not.matches(event, event.rejected() ? 0 : event.status()))
                .findFirst()
                .map(not -> "it is left out by not: " + not);
    }
}
