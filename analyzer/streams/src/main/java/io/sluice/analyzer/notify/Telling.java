package io.sluice.analyzer.notify;

import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers one announcement to one receiver until it is accepted, refused, or an hour is over, and counts. Written by one thread, read by any. */
final class Telling {
    private static final Logger log = LoggerFactory.getLogger(Telling.class);
    private static final long GIVE_UP_MILLIS = TimeUnit.HOURS.toMillis(1);

    final AtomicLong taken = new AtomicLong();
    final AtomicLong retried = new AtomicLong();
    final AtomicLong lost = new AtomicLong();
    private final URI url;
    private final Webhook webhook;
    private final Backoff backoff;

    /** Where it is waited between two tries. */
    interface Pause {
        /** @return whether the delivery is still ours */
        boolean stay(long millis);
    }

    Telling(URI url, Webhook webhook, Backoff backoff) {
        this.url = url;
        this.webhook = webhook;
        this.backoff = backoff;
    }

    /**
     * Delivers an announcement.
     *
     * @param over asked before each further try: whether it is no news any more
     * @return whether it is settled, accepted, over or given up; if not, another instance delivers it
     */
    boolean tell(Announcement news, BooleanSupplier over, Pause pause) throws InterruptedException {
        long began = System.nanoTime();
        for (int failed = 1; ; failed++) {
            switch (webhook.send(news, System.currentTimeMillis() / 1_000)) {
                case TAKEN -> {
                    taken.incrementAndGet();
                    return true;
                }
                case REFUSED -> {
                    giveUp(news, "refused");
                    return true;
                }
                case LATER -> {
                    if (failed == 1) {
                        log.warn("webhook {} fails; trying again", url.getHost());
                    }
                }
            }
            if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) > GIVE_UP_MILLIS) {
                giveUp(news, "not taken for an hour");
                return true;
            }
            retried.incrementAndGet();
            if (!pause.stay(backoff.millis(failed, RandomGenerator.getDefault()))) {
                return false;
            }
            if (over.getAsBoolean()) {
                return true;
            }
        }
    }

    private void giveUp(Announcement news, String why) {
        lost.incrementAndGet();
        log.error(
                "webhook {}: {} {} of policy {}: {}",
                url.getHost(),
                news.event(),
                news.id(),
                news.lock().policy(),
                why);
    }
}
