package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Tree;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Opens the dashboard of a running analyzer, with a link that signs the browser in once. */
@Command(
        name = "dashboard",
        description = {
            "Open the dashboard of an analyzer in a browser, and print its address.",
            "Where a token is needed, the address holds a code instead, which signs one browser in within a minute."
        },
        footer = {
            "",
            "Examples:",
            "  ./sluice dashboard",
            "  ./sluice dashboard --at https://sluice.internal:8480 --token-file ~/.sluice-token",
            "  ./sluice dashboard --url"
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class DashboardCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Option(names = "--url", description = "Only print the address.")
    boolean url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file with your token of http.users-file. Default: http.token-file.")
    @Nullable
    Path tokenFile;

    @Mixin
    AnalyzerApi api;

    @Mixin
    Connection connection;

    @Override
    public Integer call() throws Exception {
        Path configured = connection.settings().http().tokenFile();
        String token = tokenFile == null
                ? AnalyzerApi.token(configured, "http.token-file")
                : AnalyzerApi.token(tokenFile, "--token-file");
        URI address = api.root(connection);
        if (token == null) {
            api.get(connection, "status");
        } else {
            String code = Tree.text(Tree.of(api.post(connection, "session/links", token)), "code");
            address = address.resolve("/#/sign-in?code=" + AnalyzerApi.encoded(code));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(address);
        out.flush();
        if (!url) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(
                    DesktopBrowser.here().open(address)
                            ? "opened in your browser"
                            : "no browser could be started here; open the address in one"
                                    + (token == null ? "" : " within a minute"));
            err.flush();
        }
        return 0;
    }
}
