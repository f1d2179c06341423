package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** What {@code --help} and {@code help} show of every command, and how a typing error is answered. */
class HelpTest {
    /** All commands, whose annotations take long to read. */
    private static final CommandLine ROOT = SluiceCommand.commandLine();

    /** Every command below the root, as typed. */
    static Stream<String> commands() {
        List<String> names = new ArrayList<>();
        collect(ROOT, "", names);
        return names.stream();
    }

    private static void collect(CommandLine command, String before, List<String> names) {
        command.getSubcommands().forEach((name, sub) -> {
            names.add((before + " " + name).strip());
            collect(sub, before + " " + name, names);
        });
    }

    @ParameterizedTest
    @MethodSource("commands")
    void help_everyCommand_hasAnExampleThatParses(String name) {
        CommandLine command = command(name);

        List<String> examples = Arrays.stream(
                        command.getCommandSpec().usageMessage().footer())
                .filter(line -> line.startsWith("  ./sluice "))
                .toList();

        assertThat(examples).isNotEmpty().allSatisfy(line -> {
            assertThat(line).startsWith("  ./sluice " + name);
            String words = line.substring("  ./sluice ".length()).replaceAll(" > .*", "");
            ROOT.parseArgs(words(words));
        });
    }

    /** A wrapped example can't be copied. */
    @ParameterizedTest
    @MethodSource("commands")
    void help_everyCommand_showsEachExampleOnOneLine(String name) {
        CommandLine command = command(name);

        assertThat(command.getUsageMessage(CommandLine.Help.Ansi.OFF).lines().toList())
                .contains(command.getCommandSpec().usageMessage().footer());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void help_everyCommand_describesEachParameter(String name) {
        for (ArgSpec each : command(name).getCommandSpec().args()) {
            assertThat(String.join("", each.description()))
                    .as(name + " " + each.paramLabel())
                    .isNotBlank();
            // picocli's own label is the Java name in angle brackets
            if (each.arity().max() > 0) {
                assertThat(each.paramLabel()).as(name).doesNotStartWith("<");
            }
        }
    }

    @Test
    void bootstrap_everyCommandThatTakesConfig_takesIt() {
        assertThat(commands()
                        .filter(name ->
                                command(name).getCommandSpec().optionsMap().containsKey("--config")))
                .hasSizeGreaterThan(15)
                .allMatch(name -> command(name).getCommandSpec().optionsMap().containsKey("--bootstrap"));
    }

    @ParameterizedTest
    @CsvSource({"help locks add, Usage: sluice locks add", "help doctor, Usage: sluice doctor", "help, Usage: sluice"})
    void help_ofACommand_isItsUsage(String typed, String usage) {
        assertThat(run(typed)).startsWith(usage).contains("--help");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "polices list      | unknown command polices; did you mean policies?",
                "locks lst         | unknown command lst; did you mean list?",
                "help loks         | unknown command loks; did you mean locks?",
                "xyzzyx            | unknown command xyzzyx; there are analyzer, ",
                "doctor --jsn      | unknown option --jsn; did you mean --json?",
                "doctor --config=x --bootstap=y | unknown option --bootstap; did you mean --bootstrap?",
                "locks watch --for 5x | Invalid value for option '--for'",
                "locks history --since 99999999999d | Invalid value for option '--since': found 99999999999d, at most 36500d is allowed",
                "locks list --for 36501d | Invalid value for option '--for': found 36501d, at most 36500d is allowed",
                "dead-letters list --since 999999999999999999999ms | Invalid value for option '--since': found 999999999999999999999ms, at most 36500d",
                "policies check    | Missing required parameter: 'FILE'",
                "doctor now        | unexpected argument now",
                "locks list --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "agents list --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "policies list --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "dead-letters list --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "callers top --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "callers top --limit 99999999999 | --limit: found 99999999999, allowed is a whole number up to 2147483647",
                "callers top --limit many | --limit: found many, allowed is a whole number up to 2147483647",
                "callers top --limit 0 | --limit: found 0, allowed is 1 to 256",
                "dead-letters list --limit -3 | --limit: found -3, allowed is 1 to 10000",
                "locks add p s --reason x --mode foo | --mode: found foo, allowed is block, throttle or shadow",
                "locks add p s --reason x --mode throttle | --rate: missing; --mode throttle needs a rate of more than 0",
                "locks add p s --reason x --mode throttle --rate -5 | --rate: found -5.0, allowed is a number above 0",
                "locks add p s --reason x --mode throttle --rate NaN | --rate: found NaN, allowed is a number above 0",
                "locks add p s --reason x --mode throttle --rate x | --rate: found x, allowed is a number",
                "locks add p s --reason x --rate 5 | --rate: found 5.0, only --mode throttle takes a rate"
            })
    void typingError_isAnsweredInTwoLines(String typed, String message) {
        String answer = run(typed.strip());

        assertThat(answer).startsWith(message).doesNotContain("Usage:");
        assertThat(answer.lines())
                .as(answer)
                .hasSize(2)
                .last()
                .asString()
                .startsWith("See './sluice ")
                .endsWith("--help'");
    }

    @Test
    void missingSubcommand_showsTheUsage() {
        assertThat(run("locks")).contains("Usage: sluice locks", "  history");
    }

    private static CommandLine command(String name) {
        CommandLine command = ROOT;
        for (String word : name.split(" ", -1)) {
            command = command.getSubcommands().get(word);
        }
        return command;
    }

    /** Splits as a shell does, as far as the examples need it. */
    private static String[] words(String line) {
        List<String> words = new ArrayList<>();
        var matcher =
                java.util.regex.Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)").matcher(line);
        while (matcher.find()) {
            words.add(matcher.group().replaceAll("^['\"]|['\"]$", ""));
        }
        return words.toArray(String[]::new);
    }

    private static String run(String typed) {
        StringWriter out = new StringWriter();
        ROOT.setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute(typed.split(" ", -1));
        return out.toString();
    }
}
