package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cost of the dashboard in Chromium while 10,000 callers send requests and more are locked than a list shows, on a real broker. */
@Tag("server")
@Tag("full")
class DashboardLoadTest {
    private static final int CALLERS = 10_000;
    /** More than any list shows. */
    private static final int LOCKED = 250;
    /** What is there once a view shows all that it can. */
    private static final Map<String, String> FILLED = new TreeMap<>(Map.of(
            "now", "tr:nth-child(100)",
            "policies/p", "tbody tr",
            "agents", ".empty:not([hidden])",
            "caller/noisy-1", "tbody tr",
            "audit", "tr:nth-child(200)"));

    private static final String THERE = "return document.querySelector(`main ${arguments[0]}`) !== null";
    private static final int VISITS = 3;
    private static final Duration TRACE = Duration.ofSeconds(30);
    private static final double LONGEST_TASK_MILLIS = 50;
    private static final double FIRST_PAINT_MILLIS = 1_000;

    @TempDir
    static Path folder;

    private static Browser browser;
    private static ServedFleet served;

    @BeforeAll
    static void tenThousandCallers() throws Exception {
        browser = Browser.traced();
        served = new ServedFleet(folder, 1, DashboardStage.POLICIES);
        send();
        IntStream.range(0, LOCKED).forEach(i -> served.fleet.send("noisy-" + i, 120));
    }

    private static void send() {
        TestKafka.send(
                served.fleet.topics.requests(),
                IntStream.range(0, CALLERS)
                        .mapToObj(i -> TestFleet.event("caller-" + i))
                        .toList());
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (served != null) {
            served.close();
        }
    }

    /** What a view does takes its time at each visit; a machine that does other work makes one task long, and another one the next time. */
    @Test
    void everyView_with10_000Callers_needsNoTaskOf50Millis() {
        browser.open(served.uri() + "/#/now");
        browser.awaitText("noisy-", "Live");
        // what starts the page is measured by its first paint
        browser.taskMillis();
        Duration each = TRACE.dividedBy(VISITS).dividedBy(FILLED.size());
        Map<String, Double> longest = new TreeMap<>();
        int tasks = 0;
        for (int visit = 0; visit < VISITS; visit++) {
            for (String view : FILLED.keySet()) {
                List<Double> seen = tasksOf(view, each);
                tasks += seen.size();
                longest.merge(view, Collections.max(seen), Math::min);
                send();
            }
        }
        assertThat(tasks).as("the trace").isGreaterThan(100);
        assertThat(longest.values()).as("%s", longest).allMatch(millis -> millis <= LONGEST_TASK_MILLIS);
        assertThat(browser.errors()).isEmpty();
    }

    private static List<Double> tasksOf(String view, Duration time) {
        browser.run("location.hash = arguments[0]", "#/" + view);
        List<Double> tasks = new ArrayList<>();
        long end = System.nanoTime() + time.toNanos();
        await().atMost(time.plusMinutes(1)).until(() -> {
            tasks.addAll(browser.taskMillis());
            return System.nanoTime() > end
                    && browser.run(THERE, FILLED.get(view)).equals(true);
        });
        return tasks;
    }

    /** CPU time, for a machine that does other work paints later. */
    @Test
    void page_opened_takesLessThanASecondToPaint() {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            browser.taskMillis();
            browser.open(served.uri() + "/#/now");
            browser.awaitText("noisy-");
            assertThat(browser.run("return performance.getEntriesByName('first-paint').length"))
                    .isEqualTo(1L);
            millis.add(browser.taskMillis().stream().mapToDouble(task -> task).sum());
        }
        Collections.sort(millis);
        assertThat(millis.get(2)).as("median of " + millis).isPositive().isLessThanOrEqualTo(FIRST_PAINT_MILLIS);
    }
}
