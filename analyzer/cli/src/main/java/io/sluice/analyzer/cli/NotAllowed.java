package io.sluice.analyzer.cli;

import org.apache.kafka.common.errors.AuthorizationException;

/** Kafka did not let this user do something that an operator may. */
final class NotAllowed extends Refused {
    static final String REMEDY =
            "a user with the right to alter ACLs can grant it: './sluice topics create --acls --principal operator=User:YOU'";

    private static final long serialVersionUID = 1L;

    private final String what;

    NotAllowed(String what) {
        super(what + "\n" + REMEDY);
        this.what = what;
    }

    /** Without the remedy. */
    String what() {
        return what;
    }

    /** Returns whether that is why something failed. */
    static boolean because(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            // a follower reports its trouble as text
            if (cause instanceof AuthorizationException
                    || String.valueOf(cause.getMessage()).startsWith("Not authorized to access")) {
                return true;
            }
        }
        return false;
    }
}
