package io.sluice.benchmarks.reaction;

import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.benchmarks.measure.Child;
import io.sluice.settings.SluiceSettings;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The analyzer as it is, in a JVM of its own: BOOTSTRAP PREFIX STATE at-least-once|exactly-once. */
final class SluiceChild {
    private static final long LOOK_MILLIS = 20;

    private SluiceChild() {}

    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        SluiceSettings settings =
                Settings.of(arguments[0], arguments[1], Path.of(arguments[2]), arguments[3].equals("exactly-once"));
        Analyzer analyzer =
                Analyzer.start(AnalyzerOptions.of(settings, settings.kafka().client(), CheckoutPolicies.read()));
        while (!analyzer.running()) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        System.out.println(Standing.READY);
        analyzer.await().ifPresent(System.out::println);
    }
}
