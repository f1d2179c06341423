package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
                "locks watch --for 5x | --for: found 5x, allowed is a duration such as 90s, 10m or 2h",
                "locks history --since 99999999999d | --since: found 99999999999d, at most 36500d is allowed",
                "locks list --for 36501d | --for: found 36501d, at most 36500d is allowed",
                "dead-letters list --since 999999999999999999999ms | --since: found 999999999999999999999ms, at most 36500d",
                "policies check    | Missing required parameter: 'FILE'",
                "doctor now        | unexpected argument now",
                "locks list --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "agents list --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "policies list --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "dead-letters list --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "callers top --for 3s --bootstrap 127.0.0.1:1 | --for: found 3s without --watch, which it ends",
                "callers top --limit 99999999999 | --limit: found 99999999999, allowed is 1 to 256",
                "callers top --limit many | --limit: found many, allowed is 1 to 256",
                "callers top --limit 0 | --limit: found 0, allowed is 1 to 256",
                "dead-letters list --limit -3 | --limit: found -3, allowed is 1 to 10000",
                "dead-letters list --limit 1e3 | --limit: found 1e3, allowed is 1 to 10000",
                "dead-letters retry | name dead letters by ID, or all of a time with --since DURATION",
                "dead-letters retry 0-1 --since 1h | name dead letters by ID, or all of a time with --since DURATION",
                "callers show a b | one CALLER, please; several values are a subject, which needs --policy",
                "callers top --at x: | --at: found x:, allowed is HOST:PORT or https://HOST:PORT",
                "topics verify --principal agent=User:x | --principal: only together with --acls",
                "doctor --bootstrap= | --bootstrap: found nothing, allowed is HOST:PORT",
                "locks list --bootstrap x | --bootstrap: kafka.bootstrap.servers: found x, allowed is HOST:PORT",
                "analyzer --bootstrap= | --bootstrap: found nothing, allowed is HOST:PORT",
                "callers top --policy= | --policy: found nothing, allowed is the name of a policy",
                "callers show a --policy= | --policy: found nothing, allowed is the name of a policy",
                "dead-letters show x | ID: found x, allowed is PARTITION-OFFSET, such as 0-17",
                "dead-letters retry 0-1 1- | ID: found 1-, allowed is PARTITION-OFFSET, such as 0-17",
                "doctor --config= | --config: found nothing, allowed is a file",
                "locks watch --for= | --for: found nothing, allowed is a duration such as 90s, 10m or 2h",
                "callers top --at= | --at: found nothing, allowed is HOST:PORT or https://HOST:PORT",
                "replay --topic t --bootstrap= | --bootstrap: found nothing, allowed is HOST:PORT",
                "replay --topic t --bootstrap x | --bootstrap: kafka.bootstrap.servers: found x, allowed is HOST:PORT",
                "replay --topic t --config= | --config: found nothing, allowed is a file",
                "replay --topic= | --topic: found nothing, allowed is the name of a topic",
                "replay --scenario= | --scenario: found nothing, allowed is a folder",
                "replay access.log --report= | --report: found nothing, allowed is a file",
                "locks history  --since 1h | POLICY: found nothing, such as from an empty variable of a shell",
                "locks add p s --reason x --for 1ms | --for: found 1ms, at least 1s is allowed",
                "locks add p s --reason x --for 0s | --for: found 0s, allowed is a duration such as 90s, 10m or 2h",
                "locks add p s --reason x --for -5s | --for: found -5s, allowed is a duration such as 90s, 10m or 2h",
                "locks release p s --reason x --for 999ms | --for: found 999ms, at least 1s is allowed",
                "enforce on --reason x --for 1h --bootstrap 127.0.0.1:1 | --for: only 'enforce off' takes a duration;",
                "enforce off --reason x --for 1ms | --for: found 1ms, at least 1s is allowed",
                "locks add p s --reason x --mode foo | --mode: found foo, allowed is block, throttle or shadow",
                "locks add p s --reason x --mode throttle | --rate: missing; --mode throttle needs a rate of more than 0",
                "locks add p s --reason x --mode throttle --rate -5 | --rate: found -5, allowed is a number above 0",
                "locks add p s --reason x --mode throttle --rate NaN | --rate: found NaN, allowed is a number above 0",
                "locks add p s --reason x --mode throttle --rate x | --rate: found x, allowed is a number above 0",
                "locks add p s --reason x --mode throttle --rate 1e999 | --rate: found 1e999, allowed is a number above 0",
                "locks add p s --reason x --rate 5 | --rate: found 5.0, only --mode throttle takes a rate"
            })
    void typingError_isAnsweredInTwoLines(String typed, String message) {
        StringWriter out = new StringWriter();
        int code = execute(typed.strip(), out);
        String answer = out.toString();

        assertThat(code).as(answer).isEqualTo(2);
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
    void help_ofEnforce_showsADurationForOffAlone() {
        assertThat(run("help enforce off")).contains("--for=DURATION");
        assertThat(run("help enforce on")).contains("--agent=ID").doesNotContain("--for");
    }

    @Test
    void argumentThatBeginsWithAt_isNotReplacedByAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("arguments"), "--bogus");

        assertThat(run("doctor @" + file)).startsWith("unexpected argument @" + file);
    }

    @Test
    void agentsIdThatIsTooLong_isRefused() {
        String agent = "a".repeat(257);

        assertThat(run("enforce off --reason x --bootstrap 127.0.0.1:1 --agent " + agent))
                .startsWith("--agent: found 257 characters, at most 256 are allowed");
        assertThat(run("enforce off --reason x --bootstrap 127.0.0.1:1 --agent " + agent.substring(1)))
                .startsWith("Kafka at 127.0.0.1:1");
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
        execute(typed, out);
        return out.toString();
    }

    private static int execute(String typed, StringWriter out) {
        return ROOT.setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute(typed.split(" ", -1));
    }
}
