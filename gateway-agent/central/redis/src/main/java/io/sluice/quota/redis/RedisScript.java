package io.sluice.quota.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.sluice.agent.quota.QuotaCharge;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A script that Redis runs atomically, called by its digest; one that the server does not know, such as after a restart, is sent whole. Immutable. */
final class RedisScript {
    private static final List<String> PARTS = List.of("common", "bucket", "window", "log", "charges");

    private final String text;
    private final String digest;

    private RedisScript(String text) {
        this.text = text;
        try {
            byte[] sha = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            digest = HexFormat.of().formatHex(sha);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /** Reads a script, after the parts that all scripts share. */
    static RedisScript read(String name) {
        StringBuilder text = new StringBuilder();
        List<String> parts = new ArrayList<>(PARTS);
        parts.add(name);
        for (String part : parts) {
            try (InputStream file = RedisScript.class.getResourceAsStream(part + ".lua")) {
                if (file == null) {
                    throw new IllegalStateException(part + ".lua is missing in this jar");
                }
                text.append(new String(file.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new RedisScript(text.toString());
    }

    /** Calls the script; completed exceptionally when Redis cannot be reached or rejects it. */
    CompletableFuture<List<Object>> call(
            RedisScriptingAsyncCommands<String, String> redis, String prefix, List<QuotaCharge> charges) {
        String[] keys = new String[charges.size()];
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            QuotaCharge charge = charges.get(i);
            keys[i] = QuotaKey.of(prefix, charge);
            arguments.add(QuotaKey.algorithm(charge));
            arguments.add(Long.toString(charge.permits()));
            arguments.add(Double.toString(charge.limit().permits()));
            arguments.add(Long.toString(charge.limit().perMillis()));
            arguments.add(Long.toString(charge.limit().burst()));
        }
        String[] values = arguments.toArray(String[]::new);
        return redis.<List<Object>>evalsha(digest, ScriptOutputType.MULTI, keys, values)
                .toCompletableFuture()
                .exceptionallyCompose(failure -> cause(failure) instanceof RedisNoScriptException
                        ? redis.<List<Object>>eval(text, ScriptOutputType.MULTI, keys, values)
                        : CompletableFuture.failedFuture(cause(failure)));
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
