package io.sluice.contract.topic;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings of Kafka clients as they may be shown. Masked are the values of every name that looks like a secret, among them all that Kafka itself
 * keeps secret; users, passwords and secret parameters in URLs.
 */
public final class MaskedSettings {
    /** Stands for a secret. */
    public static final String MASK = "********";

    private static final List<String> SECRET = List.of(
            "pass",
            "pwd",
            "secret",
            "jaas",
            "token",
            "credential",
            "user.info",
            "userinfo",
            "apikey",
            "api.key",
            "api-key",
            "api_key",
            "access.key",
            "accesskey",
            "private",
            "auth",
            "assertion",
            "signature",
            "keystore.key",
            "certificate");

    // to the last @ before a space: a password may hold a slash that was not escaped
    private static final Pattern USER = Pattern.compile("(?<=://|^jdbc:)[^\\s,]*@");
    private static final Pattern PARAMETER = Pattern.compile("(?<=[?&;])([^=&;\\s]+)=[^&;\\s]*");

    private MaskedSettings() {}

    /** Returns the value of a setting, or a mask. */
    public static String value(String name, Object value) {
        return isSecret(name) ? MASK : url(String.valueOf(value));
    }

    /** Returns a text in which users, passwords and secret parameters of URLs are masked. */
    public static String url(String text) {
        String withoutUser = USER.matcher(text).replaceAll(MASK + "@");
        return PARAMETER
                .matcher(withoutUser)
                .replaceAll(parameter -> isSecret(parameter.group(1))
                        ? Matcher.quoteReplacement(parameter.group(1) + "=" + MASK)
                        : Matcher.quoteReplacement(parameter.group()));
    }

    /** Returns the settings in the order of their names, such as {@code {acks=1, sasl.jaas.config=********}}. */
    public static String text(Map<String, ?> settings) {
        Map<String, String> masked = new TreeMap<>();
        settings.forEach((name, value) -> masked.put(name, value(name, value)));
        return masked.toString();
    }

    /** Returns whether the value of such a name is masked. */
    public static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".key")
                || lower.endsWith("certificates")
                || SECRET.stream().anyMatch(lower::contains);
    }
}
