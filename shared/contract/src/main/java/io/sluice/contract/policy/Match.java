package io.sluice.contract.policy;

import io.sluice.contract.event.RequestAttributes;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.Node;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects requests: all attributes must match, each with any of its patterns, and none of the exceptions. An attribute
 * that a request lacks never matches. Compiled when it is built; matching takes linear time and allocates nothing.
 * Immutable.
 */
public final class Match {
    /** Every request. */
    public static final Match ANY = new Match(List.of(), List.of(), List.of());

    private final Term[] terms;
    private final StatusRange[] statuses;
    private final Match[] nots;
    private final Match requestOnly;
    private final String text;

    Match(List<Term> terms, List<StatusRange> statuses, List<Match> nots) {
        this.terms = terms.toArray(Term[]::new);
        this.statuses = statuses.toArray(StatusRange[]::new);
        this.nots = nots.toArray(Match[]::new);
        this.requestOnly = usesStatus() ? possible() : this;
        this.text = new String(JsonNodes.write(document()), StandardCharsets.UTF_8);
    }

    /** Returns whether a request may match, judged by its request attributes alone. */
    public boolean matches(RequestAttributes request) {
        return requestOnly.matches(request, 0);
    }

    /** Returns whether an event matches; a rejected one has no status of its own, so its request attributes alone decide. */
    public boolean matches(RequestEvent event) {
        return event.rejected() ? requestOnly.matches(event, 0) : matches(event, event.status());
    }

    /** @param status the response's, 0 for none */
    boolean matches(RequestAttributes request, int status) {
        for (Term term : terms) {
            if (!term.matches(term.attribute().rawValueOf(request))) {
                return false;
            }
        }
        if (statuses.length > 0 && !statusMatches(status)) {
            return false;
        }
        for (Match not : nots) {
            if (not.matches(request, status)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether no request of this service can match. */
    public boolean excludesService(String service) {
        for (Term term : terms) {
            if (term.attribute().kind() == Attribute.Kind.SERVICE && !term.matches(service)) {
                return true;
            }
        }
        return false;
    }

    /** Why an event does not match, in words that quote it; empty when it does. For people: it is slower than matching. */
    public Optional<String> misfit(RequestEvent event) {
        return matches(event) ? Optional.empty() : Misfit.of(event.rejected() ? requestOnly : this, event);
    }

    boolean statusMatches(int status) {
        for (StatusRange range : statuses) {
            if (range.contains(status)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a subject matches, for a match on no other attributes than the subject's own.
     *
     * @param per the attributes that the subject's values belong to
     */
    public boolean matchesSubject(List<Attribute> per, List<String> subject) {
        for (Term term : terms) {
            if (!term.matchesSubject(per, subject)) {
                return false;
            }
        }
        for (Match not : nots) {
            if (not.matchesSubject(per, subject)) {
                return false;
            }
        }
        return statuses.length == 0;
    }

    /** Returns whether requests of a subject may match, as far as the subject's own values tell. */
    public boolean mayMatchSubject(List<Attribute> per, List<String> subject) {
        for (Term term : terms) {
            if (!term.mayMatchSubject(per, subject)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a subject of these attributes alone decides if its requests match: all of them do then, or none. */
    public boolean decidedBy(List<Attribute> per) {
        for (Term term : terms) {
            if (!term.decidedBy(per)) {
                return false;
            }
        }
        for (Match not : nots) {
            if (!not.decidedBy(per)) {
                return false;
            }
        }
        return statuses.length == 0;
    }

    /** Returns whether each condition stands in the other match as well, so that all that the other matches match this one. */
    boolean isPartOf(Match other) {
        return terms().stream().allMatch(term -> other.terms().stream().anyMatch(term::equalTo))
                && (statuses.length == 0 || statuses().equals(other.statuses()))
                && other.nots().containsAll(nots());
    }

    /** The widest match on request attributes alone: what may match this one, whatever the response will be. */
    public Match requestOnly() {
        return requestOnly;
    }

    private Match possible() {
        return new Match(
                terms(),
                List.of(),
                nots().stream().map(Match::certain).filter(Objects::nonNull).toList());
    }

    /** Returns the first match that applies for certain, whatever the response will be; {@code null} for nothing. */
    private @Nullable Match certain() {
        if (statuses.length > 0) {
            return null;
        }
        return new Match(
                terms(), List.of(), nots().stream().map(Match::requestOnly).toList());
    }

    /** Returns whether it asks for the response's status anywhere. */
    public boolean usesStatus() {
        return statuses.length > 0 || nots().stream().anyMatch(Match::usesStatus);
    }

    /** Returns whether all it matches have one and the same value of this attribute. */
    public boolean fixes(Attribute attribute) {
        return terms().stream().anyMatch(term -> term.attribute().equals(attribute) && term.exact());
    }

    /** The attributes it looks at, exceptions included. */
    public Set<Attribute> attributes() {
        Set<Attribute> attributes = new HashSet<>();
        for (Term term : terms) {
            attributes.add(term.attribute());
        }
        if (statuses.length > 0) {
            attributes.add(Attribute.STATUS);
        }
        for (Match not : nots) {
            attributes.addAll(not.attributes());
        }
        return Collections.unmodifiableSet(attributes);
    }

    List<Term> terms() {
        return List.of(terms);
    }

    List<StatusRange> statuses() {
        return List.of(statuses);
    }

    List<Match> nots() {
        return List.of(nots);
    }

    /** As it stands in a policy file, keys and values in alphabetical order. */
    Node.Mapping document() {
        return MatchDocument.of(terms(), statuses(), nots());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Match match && match.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** As compact JSON. */
    @Override
    public String toString() {
        return text;
    }
}
