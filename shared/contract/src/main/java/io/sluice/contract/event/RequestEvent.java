package io.sluice.contract.event;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One access-log entry: caller, request, time, result and cost. Its texts are bounded by
 * {@link AttributeText}, so that what a client invents can't grow a key or a table without bound.
 *
 * @param time event time in epoch milliseconds, 0 or more
 * @param caller never empty
 * @param ip in the spelling of {@link Addresses#canonical}
 * @param status the response's status, 100 to 599, 0 when unknown
 * @param bytes the response's size, 0 when unknown; with {@code count} over 1 the total; at most {@link #MAX_COST}
 * @param micros the service time in microseconds, 0 when unknown; with {@code count} over 1 the total; at most {@link #MAX_COST}
 * @param agent the agent or instance that served the request, if known
 * @param outcome what became of the request
 * @param count how many requests this entry stands for, 1 to {@link #MAX_COUNT}
 * @param labels further attributes, never {@code null}, at most {@link #MAX_LABELS}
 * @param cost what the request cost in a unit of the service's own, such as tokens, 0 when unknown; with {@code count} over 1 the total; at
 *     most {@link #MAX_COST}
 */
public record RequestEvent(
        long time,
        String caller,
        @Nullable String service,
        @Nullable String route,
        @Nullable String method,
        @Nullable String ip,
        int status,
        long bytes,
        long micros,
        @Nullable String agent,
        Outcome outcome,
        long count,
        Identity identity,
        Map<String, String> labels,
        long cost)
        implements RequestAttributes {
    /** The largest size in bytes and the longest time in microseconds: a pebibyte, 35 years. It keeps sums from overflowing. */
    public static final long MAX_COST = 1L << 50;

    /** The most requests that one entry can stand for. */
    public static final long MAX_COUNT = 1_000_000_000;

    public static final int MAX_LABELS = 64;

    /** @throws IllegalArgumentException naming the field that is out of its range */
    public RequestEvent {
        require(time >= 0, "time must be 0 or more");
        require(!caller.isEmpty(), "caller must not be empty");
        require(isStatus(status), "status must be 0 or from 100 to 599");
        require(bytes >= 0 && bytes <= MAX_COST, "bytes must be from 0 to 2^50");
        require(micros >= 0 && micros <= MAX_COST, "micros must be from 0 to 2^50");
        require(count >= 1 && count <= MAX_COUNT, "count must be from 1 to 1000000000");
        require(labels.size() <= MAX_LABELS, "labels must be at most 64");
        require(cost >= 0 && cost <= MAX_COST, "cost must be from 0 to 2^50");
        caller = AttributeText.bounded(caller);
        service = service == null ? null : AttributeText.bounded(service);
        route = route == null ? null : AttributeText.boundedRoute(route);
        method = method == null ? null : AttributeText.bounded(method);
        ip = ip == null ? null : AttributeText.bounded(ip);
        agent = agent == null ? null : AttributeText.bounded(agent);
        labels = labels.isEmpty() ? Map.of() : bounded(labels);
    }

    /** An event without a cost. */
    public RequestEvent(
            long time,
            String caller,
            @Nullable String service,
            @Nullable String route,
            @Nullable String method,
            @Nullable String ip,
            int status,
            long bytes,
            long micros,
            @Nullable String agent,
            Outcome outcome,
            long count,
            Identity identity,
            Map<String, String> labels) {
        this(
                time, caller, service, route, method, ip, status, bytes, micros, agent, outcome, count, identity,
                labels, 0);
    }

    /** The same event with another cost. */
    public RequestEvent costing(long otherCost) {
        return new RequestEvent(
                time, caller, service, route, method, ip, status, bytes, micros, agent, outcome, count, identity,
                labels, otherCost);
    }

    /** The same event at another time. */
    public RequestEvent at(long otherTime) {
        return new RequestEvent(
                otherTime, caller, service, route, method, ip, status, bytes, micros, agent, outcome, count, identity,
                labels, cost);
    }

    /** The same event, standing for another number of requests. */
    public RequestEvent counting(long otherCount) {
        return new RequestEvent(
                time,
                caller,
                service,
                route,
                method,
                ip,
                status,
                bytes,
                micros,
                agent,
                outcome,
                otherCount,
                identity,
                labels,
                cost);
    }

    /** The same event of another service, or of another address. */
    public RequestEvent from(@Nullable String otherService, @Nullable String otherIp) {
        return new RequestEvent(
                time,
                caller,
                otherService,
                route,
                method,
                otherIp,
                status,
                bytes,
                micros,
                agent,
                outcome,
                count,
                identity,
                labels,
                cost);
    }

    /** The same event of another caller at another address. */
    public RequestEvent named(String otherCaller, @Nullable String otherIp) {
        return new RequestEvent(
                time,
                otherCaller,
                service,
                route,
                method,
                otherIp,
                status,
                bytes,
                micros,
                agent,
                outcome,
                count,
                identity,
                labels,
                cost);
    }

    static boolean isStatus(long status) {
        return status == 0 || (status >= 100 && status <= 599);
    }

    private static Map<String, String> bounded(Map<String, String> labels) {
        Map<String, String> bounded = new HashMap<>();
        labels.forEach((name, value) -> bounded.put(AttributeText.bounded(name), AttributeText.bounded(value)));
        return Map.copyOf(bounded);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    @Override
    public @Nullable String label(String name) {
        return labels.get(name);
    }

    /** Returns whether the gate turned the request away. */
    public boolean rejected() {
        return outcome.rejected();
    }
}
