package io.sluice.analyzer.cli;

import io.sluice.contract.json.PrintableText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
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

    private static final int HIGHEST_PORT = 65_535;

    private static final String EXPECTED =
            "--at takes the address that an analyzer serves HTTP on, http.bind and http.port in its settings; Kafka and"
                    + " gateways have others. If it has TLS, let the address begin with https://";

    /** @param scheme of an address without one */
    static AnalyzerAddress of(String text, String scheme) throws WrongUsage {
        Matcher found = ADDRESS.matcher(text);
        try {
            if (found.matches()) {
                String name = found.group(1);
                URI root = URI.create((name.contains("://") ? name : scheme + "://" + name) + "/");
                if (root.getHost() != null && root.getPort() <= HIGHEST_PORT) {
                    return new AnalyzerAddress(name, root);
                }
            }
        } catch (IllegalArgumentException e) {
            // a name that no address has
        }
        throw new WrongUsage(
                "--at: " + UsageErrors.found(PrintableText.of(text)) + ", allowed is HOST:PORT or https://HOST:PORT");
    }

    /**
     * Returns why there was no answer from it, and what to do.
     *
     * @param asked the request, as {@code GET /api/v1/status}
     */
    Refused unanswered(IOException failure, String asked) {
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
        } else if (failure instanceof HttpTimeoutException && !(failure instanceof HttpConnectTimeoutException)) {
            reason = "it did not answer " + asked + " in time";
            remedy = EXPECTED;
        } else if (failure instanceof ProtocolException || reason.contains("status line")) {
            reason = "its answer is not HTTP; asked was " + asked;
            remedy = EXPECTED;
        } else if (reason.contains("received no bytes") || reason.contains("Connection reset")) {
            reason = "it closed the connection without an answer to " + asked;
            remedy = EXPECTED;
        } else if (failure instanceof ConnectException && failure.getMessage() == null) {
            reason = "the connection was refused";
        }
        return new Refused("no analyzer answers at " + name + " (" + PrintableText.of(reason) + ")\n" + remedy);
    }

    /** Returns that what answered is no analyzer. */
    Refused stranger(int status, String asked) {
        return new Refused("no analyzer answers at " + name + " (its answer to " + asked + " has status " + status
                + " and is no JSON)\n" + EXPECTED);
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
