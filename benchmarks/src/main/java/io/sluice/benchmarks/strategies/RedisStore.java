package io.sluice.benchmarks.strategies;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.sluice.testing.RedisServer;
import java.io.IOException;
import java.util.Map;

/** A real Redis without a file, as caches are run: it starts empty. */
final class RedisStore implements MeasuredStore {
    private static final String READS = "total_reads_processed:";

    private final RedisServer server;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private RedisStore(RedisServer server) {
        this.server = server;
        client = RedisClient.create(server.url());
        connection = client.connect();
    }

    static RedisStore start() throws IOException {
        return new RedisStore(RedisServer.start());
    }

    String url() {
        return server.url();
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("url", url());
    }

    @Override
    public RedisServer server() {
        return server;
    }

    @Override
    public long calls() throws IOException {
        return connection
                .sync()
                .info("stats")
                .lines()
                .filter(line -> line.startsWith(READS))
                .mapToLong(line -> Long.parseLong(line.substring(READS.length()).strip()))
                .findFirst()
                .orElseThrow(() -> new IOException("Redis does not count its reads"));
    }

    @Override
    public void close() throws IOException {
        client.shutdown();
        server.close();
    }
}
