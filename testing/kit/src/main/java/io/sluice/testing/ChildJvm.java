package io.sluice.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command of a Java process that a test starts, with the class path of the test. Most of its time is its start, which is shorter with one tier of
 * the compiler, the serial collector and without the verification of class files.
 */
public final class ChildJvm {
    private static final List<String> SHORT_LIVED = List.of(
            "-Xmx256m",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private ChildJvm() {}

    /**
     * Returns the command, to which arguments may be added.
     *
     * @param options further options of the JVM, which override the usual ones
     * @param main the class with the main method
     */
    public static List<String> command(List<String> options, Class<?> main) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SHORT_LIVED);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main.getName());
        return command;
    }
}
