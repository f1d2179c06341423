package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Target;
import io.sluice.contract.json.PrintableText;
import io.sluice.settings.InvalidSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks up the policies and subjects of a command line. */
final class Targets {
    private Targets() {}

    static Target of(Connection connection, String policy, @Nullable List<String> typed)
            throws InvalidSettings, Refused, InterruptedException {
        try {
            return Target.in(new PoliciesInForce(connection).read(), policy, typed == null ? List.of() : typed);
        } catch (Target.Missing e) {
            throw new Refused(PrintableText.of(String.valueOf(e.getMessage())));
        }
    }
}
