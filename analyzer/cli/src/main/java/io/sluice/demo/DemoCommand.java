package io.sluice.demo;

import io.sluice.analyzer.cli.ListenAddress;
import io.sluice.analyzer.cli.ReportFile;
import io.sluice.analyzer.cli.WholeNumber;
import io.sluice.demo.stage.Stage;
import io.sluice.demo.stage.StageFailure;
import io.sluice.demo.story.Outcome;
import io.sluice.demo.story.Report;
import io.sluice.demo.story.Story;
import io.sluice.demo.view.Screen;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plays the whole story on this machine, and prints the outcome. */
@Command(
        name = "demo",
        description =
                "Watch a noisy neighbour being locked out: broker, analyzer, two gateways and 21 callers, all here.",
        footer = {"", "Examples:", "  ./sluice demo", "  ./sluice demo --seconds 20 --report demo.json"},
        mixinStandardHelpOptions = true,
        subcommands = {GatewayCommand.class, TrafficCommand.class})
@SuppressWarnings("NullAway.Init") // picocli fills the fields
public final class DemoCommand implements Callable<Integer> {
    private static final long STORY_SECONDS = 20;

    /** The second gateway has the next one. */
    static final class Port extends WholeNumber {
        Port() {
            super(0, 65_534);
        }
    }

    /** Below the least, the gate can't be seen to open again. */
    static final class Seconds extends WholeNumber {
        Seconds() {
            super(Script.LEAST_SECONDS, 86_400);
        }
    }

    @Spec
    CommandSpec spec;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "40",
            converter = Seconds.class,
            description = "How long, 15 to 86400; longer on a machine where the gates close late; default: 40.")
    int seconds;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "0",
            converter = Port.class,
            description = "Port of the first gateway, the second has the next one; default: free ones.")
    int port;

    @Option(names = "--report", paramLabel = "FILE", description = "Write the numbers as JSON.")
    @Nullable
    Path report;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Script script = Script.of(seconds);
        ReportFile.check(spec.commandLine(), report);
        for (int gateway = 0; gateway < Stage.GATEWAYS && port != 0; gateway++) {
            ListenAddress.check(spec.commandLine(), InetAddress.getLoopbackAddress(), port + gateway);
        }
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(stop, told), "demo-stop"));
        try {
            return play(script, stop);
        } finally {
            told.countDown();
        }
    }

    /** On Ctrl-C: the process may end when the story so far has been printed. */
    private static void finish(CountDownLatch stop, CountDownLatch told) {
        stop.countDown();
        try {
            if (!told.await(STORY_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("sluice: not everything could be stopped in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int play(Script script, CountDownLatch stop) throws IOException, InterruptedException {
        Screen screen = Screen.standardOut(System.getenv());
        try {
            Optional<Outcome> played = new Demo(script, screen, stop).play(port);
            return played.isEmpty() ? 1 : tell(played.get(), screen);
        } catch (StageFailure e) {
            System.err.println("sluice: the demo could not start: " + e.getMessage());
            return 1;
        }
    }

    private int tell(Outcome outcome, Screen screen) throws IOException {
        Story.of(outcome).forEach(screen::say);
        if (report != null) {
            ReportFile.write(report, Report.of(outcome));
            screen.say("  The numbers are in " + report + ".");
        }
        if (!outcome.problems().isEmpty()) {
            System.err.println("sluice: the demo failed: " + String.join("; ", outcome.problems()));
            return 1;
        }
        screen.say("");
        Story.next().forEach(screen::say);
        return 0;
    }
}
