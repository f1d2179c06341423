package io.sluice.benchmarks.strategies;

import io.sluice.agent.quota.QuotaLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Two clients of each contender of one store ask for four times the limit of one caller, while the store works, is killed and restarted, is frozen
 * and continued.
 */
final class FaultRun {
    static final long LIMIT = 100;

    /** An agent's default. */
    private static final Duration WAIT = Duration.ofMillis(50);

    private static final int CLIENTS = 2;

    private static final int ANSWERS = 50;
    private static final int MOST_ASKED = 5_000;

    private final @Nullable MeasuredStore store;
    private final List<QuotaContender> contenders;
    private final Spans spans;
    private final Map<QuotaContender, RequestLog> logs = new LinkedHashMap<>();

    /**
     * Milliseconds of each part.
     *
     * @param work while the store works
     * @param fault while it is dead or frozen
     * @param back after each fault
     */
    record Spans(long work, long fault, long back) {}

    /** One fault: since when the store worked before, when it began, when its end began, and until when its aftermath was recorded. */
    record Fault(long worked, long began, long ended, long over) {}

    /** What was recorded, and when the store worked first. */
    record Recording(
            Map<QuotaContender, RequestLog> logs,
            long from,
            long to,
            @Nullable Fault dead,
            @Nullable Fault frozen) {}

    /** Makes a run of contenders with the same store; none has no faults. */
    FaultRun(@Nullable MeasuredStore store, List<QuotaContender> contenders, Spans spans) {
        this.store = store;
        this.contenders = contenders;
        this.spans = spans;
    }

    static QuotaLimit limit(QuotaContender contender) {
        return contender.limit("tight", LIMIT);
    }

    Recording run() throws Exception {
        List<QuotaClient> clients = new ArrayList<>();
        List<Pacer> pacers = new ArrayList<>();
        try {
            for (QuotaContender contender : contenders) {
                RequestLog log = new RequestLog();
                logs.put(contender, log);
                for (int i = 0; i < CLIENTS; i++) {
                    QuotaClient client = contender.connect(limit(contender), WAIT);
                    clients.add(client);
                    warmUp(client);
                    pacers.add(new Pacer(client, log));
                }
            }
            pacers.forEach(Pacer::start);
            return record();
        } finally {
            pacers.forEach(Pacer::stop);
            clients.forEach(QuotaClient::close);
        }
    }

    /** Connects, and compiles: a store that seems to fail at first would be asked again only later. */
    private static void warmUp(QuotaClient client) throws InterruptedException {
        int answered = 0;
        for (int asked = 0; answered < ANSWERS && asked < MOST_ASKED; asked++) {
            long before = client.unanswered();
            client.acquire("warm-up");
            answered = client.unanswered() == before ? answered + 1 : 0;
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private Recording record() throws Exception {
        long from = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(spans.work);
        long to = System.nanoTime();
        if (store == null) {
            return new Recording(logs, from, to, null, null);
        }
        store.server().kill();
        Fault dead = back(from, to, store.server()::restart);
        long frozenAt = System.nanoTime();
        store.server().freeze();
        Fault frozen = back(dead.over(), frozenAt, store.server()::thaw);
        return new Recording(logs, from, to, dead, frozen);
    }

    private Fault back(long worked, long began, Repair repair) throws Exception {
        TimeUnit.MILLISECONDS.sleep(spans.fault);
        long ended = System.nanoTime();
        repair.apply();
        TimeUnit.MILLISECONDS.sleep(spans.back);
        return new Fault(worked, began, ended, System.nanoTime());
    }

    private interface Repair {
        void apply() throws Exception;
    }
}
