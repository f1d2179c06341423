package io.sluice.analyzer.api;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's Chromium without a window. Not thread-safe. */
final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SCREENSHOTS = Path.of("../../analyzer/api/target/screenshots");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Pattern PID = Pattern.compile("\"pid\":(\\d+)");
    private static final Pattern TID = Pattern.compile("\"tid\":(\\d+)");
    private static final Pattern CPU = Pattern.compile("\"tdur\":(\\d+)");

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /**
     * Returns the one that all test classes share, as if it had just been started: without cookies, emulations and messages of the console. It is closed
     * after the last test.
     */
    static Browser shared(ExtensionContext context) {
        Browser browser = context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Browser.class, any -> start(false), Browser.class);
        browser.driver.get("about:blank");
        browser.driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        browser.size(1_280, 1_000);
        browser.theme("light");
        browser.vision("none");
        browser.errors();
        return browser;
    }

    /** Starts one that records a trace for {@link #taskMillis}, which costs time itself. */
    static Browser traced() {
        return start(true);
    }

    /** Where Chromium is not installed, the test is skipped with a message; in CI it fails. */
    private static Browser start(boolean traced) {
        if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
            String missing =
                    "Chromium is not installed (Debian: apt-get install chromium chromium-driver): this test did not run";
            if (System.getenv("CI") != null) {
                fail(missing);
            }
            abort(missing);
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        if (traced) {
            logs.enable(LogType.PERFORMANCE, Level.ALL);
            options.setExperimentalOption("perfLoggingPrefs", Map.of("traceCategories", "toplevel"));
        }
        options.setBinary(CHROMIUM.toString());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-GB");
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER.toFile())
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().scriptTimeout(PATIENCE);
        return new Browser(driver);
    }

    /** Opens an address anew, even where only its hash differs. */
    void open(String address) {
        driver.get("about:blank");
        driver.get(address);
    }

    /** Opens an address in so many further tabs, runs a check in each, and closes them. */
    void tabs(int many, String address, Runnable check) {
        String first = driver.getWindowHandle();
        for (int i = 0; i < many; i++) {
            driver.switchTo().newWindow(WindowType.TAB);
            driver.get(address);
            check.run();
        }
        for (String tab : driver.getWindowHandles()) {
            if (!tab.equals(first)) {
                driver.switchTo().window(tab).close();
            }
        }
        driver.switchTo().window(first);
    }

    void size(int width, int height) {
        // a window can't be as narrow as a telephone
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Has pages see another system theme. */
    void theme(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Has the page that is open follow another system theme, and waits until it does. */
    void wear(String scheme) {
        theme(scheme);
        await().atMost(PATIENCE).until(() -> scheme.equals(run("return document.documentElement.dataset.theme")));
    }

    /**
     * Emulates a colour vision deficiency for the pages.
     *
     * @param type {@code none}, {@code protanopia}, {@code deuteranopia}, {@code tritanopia} or {@code achromatopsia}
     */
    void vision(String type) {
        driver.executeCdpCommand("Emulation.setEmulatedVisionDeficiency", Map.of("type", type));
    }

    /**
     * Has pages see another time zone.
     *
     * @param id of the IANA database; empty for that of the machine
     */
    void zone(String id) {
        driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", id));
    }

    /** Presses keys, one after the other, at the element that has the focus. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Returns the pixels of the upper left corner of the page as they are painted. */
    BufferedImage image(int width, int height) {
        try {
            return ImageIO.read(new ByteArrayInputStream(
                    picture(Map.of("clip", Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1)))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes a picture by the protocol of Chromium, which unlike WebDriver can leave out the strong compression that takes most of the time. */
    private byte[] picture(Map<String, Object> more) {
        Map<String, Object> options = new HashMap<>(more);
        options.put("format", "png");
        options.put("optimizeForSpeed", true);
        return Base64.getDecoder()
                .decode(String.valueOf(driver.executeCdpCommand("Page.captureScreenshot", options)
                        .get("data")));
    }

    /** Returns the text that is rendered. */
    String text() {
        return String.valueOf(driver.executeScript("return document.body.innerText"));
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    void awaitText(String... texts) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> org.assertj.core.api.Assertions.assertThat(text()).contains(texts));
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Returns what the script gives to its last argument, a function. */
    Object runAsync(String script) {
        return driver.executeAsyncScript(script);
    }

    /** Returns what the console has shown since the last call, errors and violations of the Content-Security-Policy. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /**
     * Returns the CPU time in milliseconds of each task that the main threads of pages have run since the last call. Unlike elapsed time it does not
     * depend on what else the machine does.
     */
    List<Double> taskMillis() {
        Set<String> threads = new HashSet<>();
        List<String[]> tasks = new ArrayList<>();
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            String event = entry.getMessage();
            String thread = first(PID, event) + "/" + first(TID, event);
            if (event.contains("\"CrRendererMain\"")) {
                threads.add(thread);
            } else if (event.contains("RunTask\"") && !first(CPU, event).isEmpty()) {
                tasks.add(new String[] {thread, first(CPU, event)});
            }
        }
        return tasks.stream()
                .filter(task -> threads.isEmpty() || threads.contains(task[0]))
                .map(task -> Double.parseDouble(task[1]) / 1_000)
                .toList();
    }

    private static String first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? found.group(1) : "";
    }

    /** Returns the serious and critical violations that axe-core finds in the page. */
    @SuppressWarnings("unchecked")
    List<String> violations() {
        if (Boolean.TRUE.equals(driver.executeScript("return window.axe === undefined"))) {
            driver.executeScript(axe());
        }
        return (List<String>) driver.executeAsyncScript("const done = arguments[0];"
                + "axe.run(document, {resultTypes: ['violations']}).then((found) => done(found.violations"
                + ".filter((one) => one.impact === 'serious' || one.impact === 'critical')"
                + ".map((one) => one.id + ': ' + one.nodes.map((node) => node.html + ' ' + node.failureSummary).join('; '))),"
                + " (error) => done(['axe failed: ' + error]));");
    }

    private static String axe() {
        return script("/axe.min.js");
    }

    /** Runs a script of the class path that returns texts. */
    @SuppressWarnings("unchecked")
    List<String> texts(String resource) {
        return (List<String>) driver.executeScript(script(resource));
    }

    private static String script(String resource) {
        try (InputStream script = Browser.class.getResourceAsStream(resource)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Saves a picture of the page below {@code target/screenshots}. */
    void screenshot(String name) {
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), picture(Map.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
