package io.sluice.faults.process;

import io.sluice.analyzer.cli.SluiceCommand;
import java.io.IOException;

/** The command line in a process of its own: {@code ./sluice} as the launcher runs it, but ending with its parent. */
final class SluiceMain {
    private SluiceMain() {}

    public static void main(String[] arguments) {
        Thread parent = new Thread(SluiceMain::endWithParent, "parent");
        parent.setDaemon(true);
        parent.start();
        System.exit(SluiceCommand.commandLine().execute(arguments));
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // standard input stays empty: this waits for its end
            }
        } catch (IOException e) {
            // as good as the end
        }
        Runtime.getRuntime().halt(1);
    }
}
