package io.sluice.analyzer.cli;

/** A command that can't be carried out; the message has the reason and the remedy. */
class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String message) {
        super(message, null, false, false);
    }
}
