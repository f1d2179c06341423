package io.sluice.analyzer.cli;

import io.sluice.analyzer.Plural;
import io.sluice.analyzer.output.RecordJson;
import io.sluice.analyzer.output.Table;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.json.SafeBytes;
import io.sluice.settings.InvalidSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows dead letters and sends them again. */
@Command(
        name = "dead-letters",
        description = "Show what could not be read, and try it again.",
        footer = {
            "",
            "Examples:",
            "  ./sluice dead-letters list",
            "  ./sluice dead-letters show 0-17",
            "  ./sluice dead-letters retry 0-17"
        },
        addMethodSubcommands = false,
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class DeadLettersCommand implements CommandGroup {
    private static final int ALL = 10_000;
    private static final Pattern ID = Pattern.compile("\\d{1,10}-\\d{1,19}");

    static final class Limit extends WholeNumber {
        Limit() {
            super(1, ALL);
        }
    }

    @Spec
    CommandSpec spec;

    @Command(
            description = "The newest dead letters, and how many there are for which reason.",
            footer = {
                "",
                "Examples:",
                "  ./sluice dead-letters list",
                "  ./sluice dead-letters list --since 1h --limit 100"
            },
            mixinStandardHelpOptions = true)
    int list(
            @Option(
                            names = "--since",
                            paramLabel = "DURATION",
                            description = "How far to look back. Default: 24h.",
                            converter = Spans.class,
                            defaultValue = "24h")
                    long millis,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            description = "How many to show, at most 10000. Default: 20.",
                            converter = Limit.class,
                            defaultValue = "20")
                    int limit,
            @Option(names = "--json", description = "One JSON object per line; the last one counts by reason.")
                    boolean json,
            @Mixin WatchOptions watch,
            @Mixin Connection connection)
            throws Exception {
        watch.check();
        LetterBox box = new LetterBox(millis, limit, letter -> true, System::currentTimeMillis);
        watch.draw(spec.commandLine().getOut(), out -> {
            box.read(connection);
            if (json) {
                json(box, out);
            } else {
                table(box, millis, System.currentTimeMillis(), out);
            }
        });
        return 0;
    }

    private static void json(LetterBox box, PrintWriter out) {
        long now = System.currentTimeMillis();
        box.letters().forEach(letter -> out.println(letter.json(now)));
        out.println(RecordJson.line(new Sum(box.many(), box.reasons())));
    }

    private record Sum(long deadLetters, Map<String, Long> reasons) {}

    private static void table(LetterBox box, long millis, long now, PrintWriter out) {
        if (box.many() == 0) {
            out.println("no dead letters in the last " + Spans.text(millis));
            return;
        }
        Table letters = new Table(List.of("ID", "AGE", "FROM", "BYTES", "TRIED AGAIN", "REASON"));
        for (Letter letter : box.letters()) {
            RetryMarks.Mark mark = box.marks().of(letter.origin());
            letters.row(List.of(
                    letter.id(),
                    Spans.text(now - letter.append()),
                    letter.origin().toString(),
                    letter.length() < 0 ? "none" : Spans.grouped(letter.length()),
                    mark == null ? "" : Spans.text(now - mark.append()) + " ago",
                    letter.reason()));
        }
        letters.print(out);
        out.println();
        Table reasons = new Table(List.of("LETTERS", "REASON"));
        box.reasons().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(reason -> reasons.row(List.of(Spans.grouped(reason.getValue()), reason.getKey())));
        reasons.print(out);
    }

    @Command(
            description = "One dead letter: where it stood, why it could not be read, and its bytes.",
            footer = {"", "Examples:", "  ./sluice dead-letters show 0-17"},
            mixinStandardHelpOptions = true)
    int show(
            @Parameters(paramLabel = "ID", description = "As 'dead-letters list' shows it.") String id,
            @Option(names = "--json", description = "A JSON object.") boolean json,
            @Mixin Connection connection)
            throws InvalidSettings, Refused {
        checkId(id);
        LetterBox box = LetterBox.read(
                connection, Long.MAX_VALUE, 1, letter -> letter.id().equals(id));
        Letter letter = box.letters().stream().findFirst().orElseThrow(() -> missing(id));
        RetryMarks.Mark mark = box.marks().of(letter.origin());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(letter.detailedJson(mark == null ? null : mark.append()));
        } else {
            out.println("dead-lettered  " + Spans.time(letter.append()));
            out.println("from           " + PrintableText.of(letter.origin().toString()));
            out.println("reason         " + PrintableText.of(letter.reason()));
            out.println("length         "
                    + (letter.length() < 0
                            ? "no value"
                            : Plural.of(letter.length(), "byte")
                                    + (letter.length() > letter.bytes().length
                                            ? ", the first " + Spans.grouped(letter.bytes().length) + " are here"
                                            : "")));
            out.println("tried          "
                    + (mark == null
                            ? "not again"
                            : "again by " + PrintableText.of(mark.by()) + ", " + Spans.time(mark.append())));
            out.println("bytes          " + SafeBytes.text(letter.bytes()));
        }
        out.flush();
        return 0;
    }

    @Command(
            description =
                    "Send originals again to the topic they came from, if they can be read by now; each at most once."
                            + " Exit code 1 when one of those named could not be sent.",
            footer = {
                "",
                "Examples:",
                "  ./sluice dead-letters retry 0-17",
                "  ./sluice dead-letters retry --since 2h --dry-run"
            },
            mixinStandardHelpOptions = true)
    int retry(
            @Parameters(paramLabel = "ID", description = "As 'dead-letters list' shows it.", arity = "0..*") @Nullable
                    List<String> ids,
            @Option(
                            names = "--since",
                            paramLabel = "DURATION",
                            description = "All dead letters of this time, up to 10,000, instead of some by ID.",
                            converter = Spans.class)
                    @Nullable
                    Long since,
            @Option(names = "--anyway", description = "Also what still can't be read.") boolean anyway,
            @Option(names = "--dry-run", description = "Only print what would be sent.") boolean dry,
            @Mixin Connection connection)
            throws InvalidSettings, Refused, InterruptedException {
        List<String> named = ids == null ? List.of() : ids;
        if (named.isEmpty() == (since == null)) {
            throw new WrongUsage("name dead letters by ID, or all of a time with --since DURATION");
        }
        for (String id : named) {
            checkId(id);
        }
        Predicate<Letter> wanted = named.isEmpty() ? letter -> true : letter -> named.contains(letter.id());
        LetterBox box = LetterBox.read(connection, since == null ? Long.MAX_VALUE : since, ALL, wanted);
        for (String id : named) {
            if (box.letters().stream().noneMatch(letter -> letter.id().equals(id))) {
                throw missing(id);
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        List<Retry.Outcome> outcomes = new Retry(connection, box, anyway).run(box.letters(), dry);
        outcomes.forEach(
                outcome -> out.println(PrintableText.of(outcome.letter().id() + "  " + outcome.note())));
        long sent = outcomes.stream().filter(Retry.Outcome::sent).count();
        out.println(Spans.grouped(sent) + " of " + Spans.grouped(box.many()) + " sent again");
        out.flush();
        return named.isEmpty() || dry || sent == outcomes.size() ? 0 : 1;
    }

    private static void checkId(String id) throws WrongUsage {
        if (!ID.matcher(id).matches()) {
            throw new WrongUsage("ID: " + UsageErrors.found(id)
                    + ", allowed is PARTITION-OFFSET, such as 0-17, as './sluice dead-letters list' shows it");
        }
    }

    private static Refused missing(String id) {
        return new Refused(
                "no dead letter " + PrintableText.of(id) + "; './sluice dead-letters list' shows those there are");
    }
}
