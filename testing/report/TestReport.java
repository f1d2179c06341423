import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Sums up the Surefire reports below a folder: the slowest classes, the tests that were skipped and why, and a closing line. Run from source:
 * {@code java testing/report/TestReport.java [FOLDER [REPORTS]]}, where REPORTS is a pattern for the folders of reports. Exits with 1 when a test failed or none ran.
 */
public final class TestReport {
    private static final int SLOWEST = 3;

    private record TestClass(String name, double seconds) {}

    private final DocumentBuilder parser;
    private final List<TestClass> classes = new ArrayList<>();
    private final Map<String, Integer> skipped = new TreeMap<>();
    private final List<String> failed = new ArrayList<>();
    private int run;

    private TestReport() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        parser = factory.newDocumentBuilder();
    }

    public static void main(String... arguments) throws Exception {
        TestReport report = new TestReport();
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0]);
        for (Path file : reports(root, arguments.length < 2 ? "surefire-reports[^/]*" : arguments[1])) {
            report.add(file);
        }
        System.exit(report.print() ? 0 : 1);
    }

    private static List<Path> reports(Path folder, String reports) throws IOException {
        try (Stream<Path> files = Files.find(folder, 6, (path, attributes) -> path.toString()
                .matches(".*/target/" + reports + "/TEST-[^/]*\\.xml"))) {
            return files.sorted().toList();
        }
    }

    private void add(Path file) throws Exception {
        Element suite = parser.parse(file.toFile()).getDocumentElement();
        String name = suite.getAttribute("name").replaceAll(".*\\.", "");
        classes.add(new TestClass(name, Double.parseDouble(suite.getAttribute("time").replace(",", ""))));
        NodeList tests = suite.getElementsByTagName("testcase");
        for (int i = 0; i < tests.getLength(); i++) {
            Element test = (Element) tests.item(i);
            run++;
            if (test.getElementsByTagName("failure").getLength() + test.getElementsByTagName("error").getLength() > 0) {
                failed.add(name + "." + test.getAttribute("name"));
            } else if (test.getElementsByTagName("skipped").getLength() > 0) {
                skipped.merge(name + ": " + reason((Element) test.getElementsByTagName("skipped").item(0)), 1, Integer::sum);
            }
        }
    }

    /** Returns the reason of a skipped test. Surefire writes that of an annotation as an attribute, and that of an assumption before a stack trace. */
    private static String reason(Element skipped) {
        String why = skipped.hasAttribute("message") ? skipped.getAttribute("message") : skipped.getTextContent();
        String first = why.strip().lines().findFirst().orElse("no reason given");
        return first.replaceFirst("^[\\w.$]+Exception: ", "").replaceFirst("^Assumption failed: ", "");
    }

    private boolean print() {
        classes.sort(Comparator.comparingDouble(TestClass::seconds).reversed());
        classes.stream().limit(SLOWEST).forEach(test -> System.out.printf("%6.1f s  %s%n", test.seconds(), test.name()));
        skipped.forEach((why, times) -> System.out.printf("skipped %d  %s%n", times, why));
        failed.forEach(test -> System.out.println("FAILED  " + test));
        int skips = skipped.values().stream().mapToInt(Integer::intValue).sum();
        System.out.printf("%d passed, %d failed, %d skipped%n", run - failed.size() - skips, failed.size(), skips);
        return failed.isEmpty() && run > skips;
    }
}
