package io.sluice.quota.contract;

import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** A client in a process of its own: takes permits one by one until one is refused, and prints how many were granted. */
final class TakingClient {
    static final String GRANTED = "granted ";

    private static final int MOST_FAILURES = 100;
    private static final long PAUSE_NANOS = 200_000_000;

    private TakingClient() {}

    /** Arguments: strategy, subject, the most permits to take of each algorithm's limit of ten a day, and settings as KEY=VALUE. */
    public static void main(String... arguments) {
        Map<String, String> settings = Arrays.stream(arguments)
                .skip(3)
                .map(setting -> setting.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        try (QuotaStrategy client = QuotaStrategyContract.provider(arguments[0]).create(settings)) {
            for (Algorithm algorithm : client.algorithms()) {
                QuotaLimit limit = Limits.daily(algorithm, 10);
                connect(client, limit);
                System.out.println(GRANTED
                        + algorithm
                        + ' '
                        + Asked.takeAll(client, limit, arguments[1], Integer.parseInt(arguments[2])));
            }
        }
    }

    /** Calls until the store answers: a process under faketime starts slowly. */
    private static void connect(QuotaStrategy client, QuotaLimit limit) {
        for (int failures = 0; ; failures++) {
            try {
                Asked.acquire(client, limit, Limits.subject("first"), 1);
                return;
            } catch (RuntimeException e) {
                if (failures == MOST_FAILURES) {
                    throw e;
                }
                Limits.park(System.nanoTime() + PAUSE_NANOS);
            }
        }
    }
}
