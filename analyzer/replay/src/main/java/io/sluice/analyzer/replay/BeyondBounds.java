package io.sluice.analyzer.replay;

/** A replay exceeded one of its {@link ReplayBounds}. The message names the bound and a remedy. */
public final class BeyondBounds extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message names the bound and a remedy */
    public BeyondBounds(String message) {
        super(message);
    }
}
