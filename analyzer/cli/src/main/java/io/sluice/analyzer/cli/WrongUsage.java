package io.sluice.analyzer.cli;

/** Arguments that do not fit together or are none; answered as what the command line itself refuses. */
final class WrongUsage extends Refused {
    private static final long serialVersionUID = 1;

    WrongUsage(String message) {
        super(message);
    }
}
