package io.sluice.analyzer.cli;

/** A command that can't do what it was asked for; the message says why and what to do. */
class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String message) {
        super(message, null, false, false);
    }
}
