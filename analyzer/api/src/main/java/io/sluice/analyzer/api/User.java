package io.sluice.analyzer.api;

import io.sluice.contract.json.MalformedRecord;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A user of the HTTP API.
 *
 * @param name empty for holders of the common token, and where no token is needed; such users name themselves when they change something
 * @param role the most that the user may do
 * @param proxied whether a proxy signed the user in; {@code http.users-file} may give the same name to another user
 */
record User(String name, AccessRole role, boolean proxied) {
    /** Allowed names: they stand in a cookie. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@+-]{1,64}");

    /** The user of an analyzer that needs no token. */
    static final User ANYONE = new User("", AccessRole.LOOK);

    /** A holder of the common token. */
    static final User COMMON = new User("", AccessRole.POLICIES);

    /** A user of {@code http.users-file}, or without a name. */
    User(String name, AccessRole role) {
        this(name, role, false);
    }

    /**
     * Returns the author of a change.
     *
     * @param declared the author that the request names, {@code null} for none
     * @throws MalformedRecord when a user without a name declares no author, or one with a name declares another
     */
    String author(@Nullable String declared) throws MalformedRecord {
        if (name.isEmpty()) {
            if (declared == null) {
                throw new MalformedRecord("author is missing: every change needs an author and a reason");
            }
            if (declared.isBlank()) {
                throw new MalformedRecord("author: found blanks, allowed is a name");
            }
            return declared;
        }
        if (declared != null && !declared.equals(name)) {
            throw new MalformedRecord("author: found " + declared + ", allowed is " + name + ", who sends the request");
        }
        return name;
    }
}
