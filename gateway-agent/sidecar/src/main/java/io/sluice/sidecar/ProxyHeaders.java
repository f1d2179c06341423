package io.sluice.sidecar;

import io.sluice.agent.http.HeaderText;
import io.sluice.contract.event.RequestEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * The headers that a proxy adds to a check, read in one pass. What is {@code null} is missing or
 * empty.
 *
 * @param cost the request's cost, 1 by default
 * @param logged whether the check goes into the access log from here
 * @param forwarded whether a client's address was passed on
 * @param labels by name in lower case
 */
record ProxyHeaders(
        @Nullable String caller,
        @Nullable String service,
        @Nullable String uri,
        @Nullable String method,
        long cost,
        boolean logged,
        boolean forwarded,
        Map<String, @Nullable String> labels) {

    static final String CALLER = "X-Sluice-Caller";
    static final String FORWARDED = "X-Forwarded-For";
    private static final String SERVICE = "X-Sluice-Service";
    private static final String COST = "X-Sluice-Cost";
    private static final String LABEL = "X-Sluice-Label-";
    private static final String URI = "X-Original-URI";
    private static final String METHOD = "X-Original-Method";

    /** @throws Unreadable when something of ours stands twice that may stand once, or means nothing */
    static ProxyHeaders read(HttpFields headers) throws UnreadableCheckException {
        HttpField caller = null;
        HttpField service = null;
        HttpField uri = null;
        HttpField method = null;
        HttpField cost = null;
        boolean logged = true;
        boolean forwarded = false;
        Map<String, @Nullable String> labels = Map.of();
        for (HttpField field : headers) {
            if (!field.getName().regionMatches(true, 0, "X-", 0, 2)) {
                continue;
            }
            if (field.is(CALLER)) {
                caller = once(caller, field, CALLER);
            } else if (field.is(SERVICE)) {
                service = once(service, field, SERVICE);
            } else if (field.is(URI)) {
                uri = once(uri, field, URI);
            } else if (field.is(METHOD)) {
                method = once(method, field, METHOD);
            } else if (field.is(COST)) {
                cost = once(cost, field, COST);
            } else if (field.is(FORWARDED)) {
                forwarded |= value(field) != null;
            } else if (field.is(Check.LOG)) {
                logged = Check.logged(List.of(text(field)));
            } else if (field.getName().regionMatches(true, 0, LABEL, 0, LABEL.length())) {
                labels = labels.isEmpty() ? new LinkedHashMap<>() : labels;
                label(labels, field);
            }
        }
        return new ProxyHeaders(
                value(caller), value(service), value(uri), value(method), cost(value(cost)), logged, forwarded, labels);
    }

    private static long cost(@Nullable String text) throws UnreadableCheckException {
        if (text == null) {
            return 1;
        }
        try {
            long cost = Long.parseLong(text);
            if (cost >= 0 && cost <= RequestEvent.MAX_COST) {
                return cost;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new UnreadableCheckException(COST + " must be a whole number from 0 to " + RequestEvent.MAX_COST);
    }

    private static HttpField once(@Nullable HttpField before, HttpField field, String name)
            throws UnreadableCheckException {
        if (before != null) {
            throw new UnreadableCheckException(name + " stands twice");
        }
        return field;
    }

    private static void label(Map<String, @Nullable String> labels, HttpField field) throws UnreadableCheckException {
        String name = field.getName().substring(LABEL.length()).toLowerCase(Locale.ROOT);
        if (name.isEmpty()) {
            throw new UnreadableCheckException(LABEL + "NAME needs a name");
        }
        labels.put(name, value(field));
        if (labels.size() > RequestEvent.MAX_LABELS) {
            throw new UnreadableCheckException("more than " + RequestEvent.MAX_LABELS + " headers " + LABEL + "NAME");
        }
    }

    private static @Nullable String value(@Nullable HttpField field) {
        String value = field == null ? "" : text(field);
        return value.isBlank() ? null : value;
    }

    /** Returns the header's text, empty when there is none. */
    static String text(HttpField field) {
        String value = field.getValue();
        return value == null ? "" : HeaderText.utf8(value);
    }
}
