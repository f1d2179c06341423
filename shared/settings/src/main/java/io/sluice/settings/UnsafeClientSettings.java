package io.sluice.settings;

import java.io.IOException;
import java.io.StreamTokenizer;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Settings of Kafka clients that load classes which are not Kafka's own, or switch a protection off. Login modules and reporters were ways into the
 * process more than once (CVE-2023-25194, CVE-2025-27818).
 */
final class UnsafeClientSettings {
    /** Kafka's own default. */
    private static final String KINIT = "/usr/bin/kinit";

    private static final String KAFKAS = "org.apache.kafka.";

    private static final Set<String> LOGIN_MODULES = Set.of(
            "org.apache.kafka.common.security.plain.PlainLoginModule",
            "org.apache.kafka.common.security.scram.ScramLoginModule",
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule",
            "com.sun.security.auth.module.Krb5LoginModule");

    /** The names of settings whose values are classes, also behind a prefix such as {@code producer.}. */
    private static final Pattern CLASSES = Pattern.compile(
            "(.*[._])?(class|classes|reporters|serializer|deserializer|serde|exception\\.handler|timestamp\\.extractor"
                    + "|client\\.supplier|config\\.setter|partition\\.assignment\\.strategy|security\\.providers)");

    private UnsafeClientSettings() {}

    /** Returns what is unsafe, a sentence each, in the order of the names; empty when nothing is. No secret is in them. */
    static List<String> in(Map<String, String> settings) {
        List<String> problems = new ArrayList<>();
        new TreeMap<>(settings).forEach((name, value) -> {
            if (name.endsWith("ssl.endpoint.identification.algorithm") && value.isBlank()) {
                problems.add(name + ": found nothing, which accepts the certificate of any host; allowed is https");
            } else if (name.endsWith("sasl.kerberos.kinit.cmd")
                    && !value.strip().equals(KINIT)) {
                problems.add(name + ": found " + value.strip() + ", which is run as a program; allowed is " + KINIT);
            } else if (name.endsWith("sasl.jaas.config")) {
                loginModules(name, value, problems);
            } else if (CLASSES.matcher(name).matches()) {
                for (String type : value.split(",", -1)) {
                    if (!type.isBlank() && !type.strip().startsWith(KAFKAS)) {
                        problems.add(name + ": found " + type.strip() + ", allowed are classes of " + KAFKAS + "*");
                    }
                }
            }
        });
        return problems;
    }

    /** Looks at the first word of each entry, {@code MODULE FLAG OPTION=VALUE …;}, read as Kafka reads it. */
    private static void loginModules(String name, String value, List<String> problems) {
        StreamTokenizer tokens = new StreamTokenizer(new StringReader(value));
        tokens.slashSlashComments(true);
        tokens.slashStarComments(true);
        tokens.wordChars('-', '-');
        tokens.wordChars('_', '_');
        tokens.wordChars('$', '$');
        boolean first = true;
        try {
            while (tokens.nextToken() != StreamTokenizer.TT_EOF) {
                String module = String.valueOf(tokens.sval);
                if (first && !LOGIN_MODULES.contains(module)) {
                    // of anything else than a name it is not known that it is no secret
                    problems.add(name + ": found the login module "
                            + (tokens.ttype == StreamTokenizer.TT_WORD ? module : "(no name)")
                            + ", allowed are those of PLAIN, SCRAM, OAUTHBEARER and Kerberos");
                }
                first = tokens.ttype == ';';
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
