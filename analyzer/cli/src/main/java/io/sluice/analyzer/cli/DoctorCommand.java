package io.sluice.analyzer.cli;

import io.sluice.analyzer.output.Terminal;
import io.sluice.contract.json.PrintableText;
import io.sluice.settings.InvalidSettings;
import io.sluice.settings.SourceSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks for known problems and prints their remedies. */
@Command(
        name = "doctor",
        description =
                "Check the cluster, the analyzers and the agents, with a remedy for each problem. Exit code 1 when a check fails.",
        footer = {
            "",
            "Examples:",
            "  ./sluice doctor",
            "  ./sluice doctor --bootstrap kafka:9092",
            "  ./sluice doctor --json"
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class DoctorCommand implements Callable<Integer> {
    private static final int SAMPLE = 1_000;

    @Spec
    CommandSpec spec;

    @Option(names = "--json", description = "One JSON object per line.")
    boolean json;

    @Mixin
    Connection connection;

    private final List<Symptom> symptoms = new ArrayList<>();

    private interface Look {
        List<Symptom> look() throws Exception;
    }

    @Override
    public Integer call() throws InvalidSettings, InterruptedException {
        examine();
        PrintWriter out = spec.commandLine().getOut();
        Terminal terminal = Terminal.here();
        for (Symptom symptom : symptoms) {
            out.println(json ? symptom.json() : text(symptom, terminal));
        }
        long failed =
                symptoms.stream().filter(it -> it.grade() == Symptom.Grade.FAIL).count();
        if (!json) {
            out.println(failed == 0 ? "no check failed" : failed == 1 ? "1 check failed" : failed + " checks failed");
        }
        out.flush();
        return failed == 0 ? 0 : 1;
    }

    private static String text(Symptom symptom, Terminal terminal) {
        String grade = symptom.grade().name();
        String line = terminal.paint(symptom.grade().ink(), grade)
                + " ".repeat(6 - grade.length())
                + PrintableText.of(symptom.about() + ": " + symptom.found());
        return symptom.remedy().isEmpty()
                ? line
                : line + "\n" + " ".repeat(6) + "→ " + PrintableText.of(symptom.remedy());
    }

    private void examine() throws InvalidSettings, InterruptedException {
        connection.settings().warnings().forEach(warning -> symptoms.add(Symptom.warn("settings", warning, "")));
        try (Admin admin = connection.admin()) {
            int brokers = admin.describeCluster()
                    .nodes()
                    .get(Connection.ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                    .size();
            symptoms.add(Symptom.ok(
                    "Kafka",
                    connection.client().get("bootstrap.servers") + " answers, "
                            + (brokers == 1 ? "one broker" : brokers + " brokers")));
            ClusterCheck cluster = new ClusterCheck(admin, connection);
            look("topics", cluster::topics);
            look("rights", cluster::rights);
            look("analyzer, policies, agents", () -> pulse(cluster));
            for (SourceSettings source : connection.settings().sources()) {
                look("source " + source.topic(), () -> source(source));
            }
            if (connection.settings().sources().stream().anyMatch(source -> source.spread() != null)) {
                look("spread", this::spread);
            }
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            noKafka(connection.unreachable(e));
        } catch (Refused e) {
            noKafka(e);
        }
    }

    private void noKafka(Refused refused) {
        symptoms.add(Symptom.fail(
                "Kafka",
                String.valueOf(refused.getMessage()),
                "TLS and SASL settings stand in the file that kafka.properties-file names. Meanwhile agents go on with what"
                        + " they know, and keep no lock past its lease"));
    }

    private List<Symptom> pulse(ClusterCheck cluster) throws Exception {
        Pulse pulse = Pulse.feel(connection);
        long now = pulse.now(System.currentTimeMillis());
        List<Symptom> found = new ArrayList<>(PulseCheck.of(
                pulse,
                System.currentTimeMillis(),
                connection.settings().analyzer().skew(),
                cluster.partitions(connection.topics().gateLocks())));
        look("lag", () -> cluster.lag(now));
        return found;
    }

    private List<Symptom> source(SourceSettings source) throws InvalidSettings, Refused {
        SourceCheck check =
                new SourceCheck(source, connection.settings().agent().pseudonyms());
        connection.read(reader -> reader.read(
                reader.newest(source.topic(), SAMPLE),
                record -> check.line(record.value() == null ? new byte[0] : record.value())));
        return check.symptoms();
    }

    private List<Symptom> spread() throws InvalidSettings, Refused {
        SpreadClaim claim = new SpreadClaim();
        connection.read(
                reader -> reader.read(reader.since(List.of(connection.topics().loads()), 0), claim::record));
        return claim.symptoms(System.currentTimeMillis());
    }

    /** One thing that can't be looked at must not hide the others. */
    private void look(String about, Look look) throws InterruptedException {
        try {
            symptoms.addAll(look.look());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            symptoms.add(unseen(about, e));
        }
    }

    private static Symptom unseen(String about, Exception failure) {
        if (failure instanceof NotAllowed denied) {
            return Symptom.fail(about, "could not be checked: " + denied.what(), NotAllowed.REMEDY);
        }
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        return Symptom.fail(
                about,
                "could not be checked: " + cause.getMessage(),
                NotAllowed.because(failure)
                        ? NotAllowed.REMEDY
                        : "check Kafka; './sluice topics verify' may show more");
    }
}
