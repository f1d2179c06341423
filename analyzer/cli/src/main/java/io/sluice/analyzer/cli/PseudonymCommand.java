package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.RecordJson;
import io.sluice.contract.event.Addresses;
import io.sluice.contract.pseudonym.PseudonymKey;
import io.sluice.settings.InvalidSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the pseudonyms of a caller or an address, to look for it in topics, logs and pages. */
@Command(
        name = "pseudonym",
        description =
                "Show the pseudonym of a caller, and of an address; needs agent.pseudonym-key-file, and no Kafka.",
        footer = {"", "Examples:", "  ./sluice pseudonym acme", "  ./sluice pseudonym 203.0.113.9 --json"},
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class PseudonymCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "ID", description = "A caller or an address, as services know it.")
    String id;

    @Option(names = "--json", description = "A JSON object for each key.")
    boolean json;

    @Mixin
    Connection connection;

    /**
     * The pseudonyms under one key.
     *
     * @param ip of an address, {@code null} for other text
     */
    private record Shown(
            String key,
            boolean inUse,
            String caller,
            @Nullable String ip) {}

    @Override
    public Integer call() throws InvalidSettings, Refused {
        List<PseudonymKey> keys = connection.settings().agent().pseudonyms().keys();
        if (keys.isEmpty()) {
            throw new Refused("agent.pseudonym-key-file is not set, so callers are not replaced by pseudonyms");
        }
        PrintWriter out = spec.commandLine().getOut();
        String address = Addresses.canonical(id);
        for (PseudonymKey key : keys) {
            Shown shown =
                    new Shown(key.id(), key == keys.get(0), key.caller(id), address == null ? null : key.ip(address));
            if (json) {
                out.println(RecordJson.line(shown));
            } else {
                String use = "key " + shown.key + (shown.inUse ? ", in use" : ", before");
                out.println("caller " + shown.caller + " (" + use + ")");
                if (shown.ip != null) {
                    out.println("ip " + shown.ip + " (" + use + ")");
                }
            }
        }
        out.flush();
        return 0;
    }
}
