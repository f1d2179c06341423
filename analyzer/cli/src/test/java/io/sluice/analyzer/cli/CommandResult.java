package io.sluice.analyzer.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What came of a command.
 *
 * @param code its exit code
 * @param out its output
 * @param err its error output
 */
public record CommandResult(int code, String out, String err) {

    /** Runs a command in this process, as the launcher does: without the commands that these arguments can't reach. */
    public static CommandResult run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = SluiceCommand.commandLine(arguments)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new CommandResult(code, out.toString(), err.toString());
    }
}
