package io.sluice.kafka.embedded;

import java.util.regex.Pattern;

/** A SCRAM-SHA-512 user that the broker knows from its first start on. */
record ScramUser(String name, String password) {

    /** Characters that the formatter's own argument syntax can carry without being misread. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]+");

    private static final Pattern PASSWORD = Pattern.compile("[^,\\[\\]\"=\\s]+");

    static final String MECHANISM = "SCRAM-SHA-512";

    /** The listener setting under which users are looked up. */
    static final String LOGIN_MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule required;";

    ScramUser {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("user name is '" + name + "', allowed are letters, digits and . _ @ -");
        }
        if (!PASSWORD.matcher(password).matches()) {
            throw new IllegalArgumentException("password of user " + name
                    + " is empty or has a comma, bracket, quote, equals sign or white space");
        }
    }

    /** As {@code kafka-storage format --add-scram} takes it. */
    String formatArgument() {
        return MECHANISM + "=[name=" + name + ",password=" + password + ",iterations=8192]";
    }

    /** Never shows the password. */
    @Override
    public String toString() {
        return "ScramUser[" + name + "]";
    }
}
