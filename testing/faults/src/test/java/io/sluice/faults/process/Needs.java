package io.sluice.faults.process;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.sluice.faults.net.Namespace;
import java.util.Optional;

/** What a test needs of the machine: without it the test is skipped, and says so; in CI what can be installed has to be there. */
public final class Needs {
    private Needs() {}

    /** @param what a package that {@code .ci/run} installs */
    public static <T> T present(Optional<T> needed, String what) {
        if (needed.isEmpty()) {
            if (System.getenv("CI") != null) {
                fail(what + " is not installed, and this is CI");
            }
            abort(what + " is not installed");
        }
        return needed.orElseThrow();
    }

    /** A network namespace: a machine allows it or not, and no package changes that, so nowhere is it an error not to. */
    public static Namespace namespace() {
        String impossible = Namespace.impossible();
        if (!impossible.isEmpty()) {
            abort(impossible);
        }
        return Namespace.create();
    }
}
