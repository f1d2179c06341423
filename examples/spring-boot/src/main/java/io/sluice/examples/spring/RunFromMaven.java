package io.sluice.examples.spring;

/** For {@code exec:java}, which ends everything as soon as {@code main} has returned; nobody else needs it. */
public final class RunFromMaven {
    private RunFromMaven() {}

    /** Runs the application until the process is ended. */
    public static void main(String[] args) throws InterruptedException {
        OrdersApplication.main(args);
        Thread.currentThread().join();
    }
}
