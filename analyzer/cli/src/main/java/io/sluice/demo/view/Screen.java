package io.sluice.demo.view;

import io.sluice.analyzer.output.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Where the demo is shown. Used by one thread. */
public interface Screen extends AutoCloseable {

    /** Prints a line that stays. */
    void say(String line);

    /** Shows a moment. */
    void show(Scene scene);

    /** Keeps the last picture; later lines are printed below. */
    @Override
    void close();

    /** On a terminal a picture that refreshes in place, else a line now and then. */
    static Screen standardOut(Map<String, String> environment) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        return Terminal.here().person()
                ? new LiveScreen(out, Ink.of(environment), new TerminalSize(environment))
                : new PlainScreen(out);
    }
}
