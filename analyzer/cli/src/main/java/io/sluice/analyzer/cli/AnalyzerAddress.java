package io.sluice.analyzer.cli;

import io.sluice.contract.json.PrintableText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * The address of an analyzer, as users copy it from a browser, too. Immutable.
 *
 * @param name for messages
 * @param root with a slash at its end
 */
record AnalyzerAddress(String name, URI root) {
    private static final Pattern ADDRESS = Pattern.compile(
            "((?:https?://)?(?:\\[[0-9A-Fa-f:.]+(?:%[0-9A-Za-z_.~-]+)?]|[^\\s/?#@:\\[\\]]+)(?::[0-9]{1,5})?)/?(?:#.*)?");

    /** @param scheme of an address without one */
    static AnalyzerAddress of(String text, String scheme) throws Refused {
        Matcher found = ADDRESS.matcher(text);
        try {
            if (found.matches()) {
                String name = found.group(1);
                URI root = URI.create((name.contains("://") ? name : scheme + "://" + name) + "/");
                if (root.getHost() != null) {
                    return new AnalyzerAddress(name, root);
                }
            }
        } catch (IllegalArgumentException e) {
            // a name that no address has
        }
        throw new Refused("--at: found " + PrintableText.of(text) + ", allowed is HOST:PORT or https://HOST:PORT");
    }

    /** Returns why there was no answer from it, and what to do. */
    Refused unanswered(IOException failure) {
        String reason = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        String remedy =
                "is one running? Check with './sluice doctor'. Set another address with --at HOST:PORT, or http.bind"
                        + " and http.port in sluice.yml. Without an analyzer: './sluice locks list'";
        if (failure instanceof SSLException) {
            remedy = reason.contains("nrecognized SSL message")
                    ? "it answers without TLS: let its address begin with http://"
                    : "http.tls.ca has to name the authority of its certificate, which has to be for this address";
        } else if (isUnresolved(failure)) {
            reason = "there is no such host";
        } else if (reason.contains("status line")) {
            reason = "its answer is not HTTP";
            remedy = "if it has TLS, let its address begin with https://";
        } else if (failure instanceof ConnectException && failure.getMessage() == null) {
            reason = "the connection was refused";
        }
        return new Refused("no analyzer answers at " + name + " (" + PrintableText.of(reason) + ")\n" + remedy);
    }

    private static boolean isUnresolved(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return true;
            }
        }
        return false;
    }
}
