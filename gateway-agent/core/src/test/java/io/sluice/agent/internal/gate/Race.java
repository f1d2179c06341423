package io.sluice.agent.internal.gate;

/** What another thread does in the moment after a check found no room for its caller. */
final class Race extends GateCount {
    private Runnable otherThread = () -> {};

    Race(int most) {
        super(most);
    }

    /** Will run once. */
    void otherThread(Runnable does) {
        otherThread = does;
    }

    @Override
    boolean full() {
        boolean full = super.full();
        Runnable meanwhile = otherThread;
        if (full) {
            otherThread = () -> {};
            meanwhile.run();
        }
        return full;
    }
}
