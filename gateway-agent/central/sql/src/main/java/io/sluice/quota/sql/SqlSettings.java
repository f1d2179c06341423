package io.sluice.quota.sql;

import io.sluice.agent.quota.QuotaSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.postgresql.Driver;

/**
 * The settings below {@code agent.quota.sql}.
 *
 * @param url {@code jdbc:postgresql://HOST:PORT/DATABASE}, with any parameter that the driver takes; required
 * @param user the role; empty: as the URL has it
 * @param password of the role, from {@code password-file}; empty: as the URL has it
 * @param connections most connections, and as many threads; 1 to 64, default 4
 * @param queue most requests that wait for a connection; 1 to 100,000, default 1,024
 * @param connectionMillis how long a request waits for a connection before it fails, {@code connection-timeout}; 250 ms to 60 s, default 5 s
 * @param statementMillis when the server ends a statement, {@code statement-timeout}; 10 ms to 60 s, default 1 s
 * @param durable whether an answer waits until it would survive a crash of the server; default true
 * @param migrate whether {@code V1__quota.sql} is applied before the first request; default false
 */
record SqlSettings(
        String url,
        String user,
        String password,
        int connections,
        int queue,
        long connectionMillis,
        long statementMillis,
        boolean durable,
        boolean migrate) {

    private static final String PREFIX = "jdbc:postgresql:";

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException with all problems, one per line
     */
    static SqlSettings of(Map<String, String> settings) {
        QuotaSettings from = new QuotaSettings(SqlQuotaProvider.NAME, settings);
        String url = from.required("url", PREFIX + "//HOST:PORT/DATABASE");
        if (hasUser(url)) {
            from.problem("url", PREFIX + "//HOST:PORT/DATABASE, with user and password-file beside it");
        } else if (!url.isEmpty() && Driver.parseURL(url, null) == null) {
            from.problem("url", PREFIX + "//HOST:PORT/DATABASE");
        }
        SqlSettings read = new SqlSettings(
                url,
                from.text("user", ""),
                password(from),
                from.number("connections", 4, 1, 64),
                from.number("queue", 1_024, 1, 100_000),
                from.millis("connection-timeout", 5_000, 250, 60_000),
                from.millis("statement-timeout", 1_000, 10, 60_000),
                from.truth("durable", true),
                from.truth("migrate", false));
        from.check();
        return read;
    }

    /** The driver takes no user there, and would log the password as a port that is none. */
    private static boolean hasUser(String url) {
        return url.replaceFirst("\\?.*", "").contains("@");
    }

    private static String password(QuotaSettings from) {
        Path file = from.path("password-file");
        if (file != null) {
            try {
                return Files.readString(file).strip();
            } catch (IOException e) {
                from.problem("password-file", "a file that can be read, with the password in UTF-8");
            }
        }
        return "";
    }

    /** Returns the text without the password. */
    @Override
    public String toString() {
        return url.replaceFirst("\\?.*", "");
    }
}
