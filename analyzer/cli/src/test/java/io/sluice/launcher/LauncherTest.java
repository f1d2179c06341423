package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real launcher in a folder of its own, with a Java and a Maven that only record how they are called. */
class LauncherTest {
    private static final Instant PAST = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path home;

    private Path target;

    @BeforeEach
    void install() throws IOException {
        Files.copy(Path.of("..", "..", "sluice"), home.resolve("sluice"), StandardCopyOption.COPY_ATTRIBUTES);
        target = home.resolve("analyzer/cli/target");
        Files.createDirectories(target.resolve("lib"));
        Files.createFile(target.resolve("sluice.jar"));
        Files.createDirectories(home.resolve("java/bin"));
        Files.writeString(home.resolve("java/release"), "JAVA_VERSION=\"17.0.1\"\n");
        script("java/bin/javac", "exit 0");
        // called to make an archive it makes a file for each of the two steps; else it shows its arguments
        script("java/bin/java", """
                case $* in
                  *DumpLoadedClassList* | *Xshare:dump*) made=yes ;;
                  *) made= ;;
                esac
                for argument; do
                  case $made$argument in
                    yes-XX:DumpLoadedClassList=* | yes-XX:SharedArchiveFile=*) echo made >"${argument#*=}"; exit ;;
                  esac
                done
                echo "java $*"
                """);
    }

    /** The archive is made in the background: it must have come to its end before the folder is deleted. */
    @AfterEach
    void awaitArchive() {
        await().until(() -> Files.exists(home.resolve("attempts")) || attempts().isEmpty());
    }

    private List<Path> attempts() throws IOException {
        try (var files = Files.walk(home)) {
            return files.filter(file -> file.toString().endsWith(".attempt")).toList();
        } catch (UncheckedIOException e) {
            // it is gone already
            return List.of(home);
        }
    }

    private void script(String name, String text) throws IOException {
        Path file = Files.writeString(home.resolve(name), "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Process start(String... arguments) throws IOException {
        return start(List.of(), arguments);
    }

    private Process start(List<String> environment, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(home.resolve("sluice").toString());
        builder.command().addAll(List.of(arguments));
        builder.redirectErrorStream(true).redirectOutput(home.resolve("out").toFile());
        builder.environment().keySet().removeIf(name -> name.contains("JAVA") || name.startsWith("SLUICE_"));
        builder.environment().put("JAVA_HOME", home.resolve("java").toString());
        builder.environment().put("HOME", home.resolve("user").toString());
        builder.environment().remove("XDG_CACHE_HOME");
        builder.environment().put("TMPDIR", home.toString());
        for (String variable : environment) {
            builder.environment().put(variable.split("=", 2)[0], variable.split("=", 2)[1]);
        }
        return builder.start();
    }

    private String run(String... arguments) throws Exception {
        return ended(start(arguments));
    }

    private String ended(Process sluice) throws Exception {
        if (!sluice.waitFor(5, TimeUnit.MINUTES)) {
            // a build that should not have begun waits for its file
            Files.createFile(home.resolve("go"));
            sluice.destroy();
            throw new AssertionError("still runs: " + printed());
        }
        assertThat(sluice.exitValue()).isZero();
        return printed();
    }

    private String printed() {
        try {
            return Files.readString(home.resolve("out"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> archives(Path folder) {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Until all attempts to make one are over. */
    private void awaitArchives(Path folder, int many) {
        await().until(() -> archives(folder).size() == many && attempts().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"analyzer", "sidecar", "demo", "replay"})
    void longRunningCommand_keepsTheFullCompilerAndItsCollector(String command) throws Exception {
        assertThat(run(command))
                .doesNotContain("TieredStopAtLevel")
                .doesNotContain("SerialGC")
                .doesNotContain("SharedArchiveFile")
                .endsWith("io.sluice.launcher.Sluice " + command + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "locks", "topics"})
    void shortCommand_startsFast(String command) throws Exception {
        assertThat(run(command)).contains("-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    }

    @Test
    void shortCommandWithACollectorOfTheUser_hasOnlyThatOne() throws Exception {
        assertThat(ended(start(List.of("JAVA_OPTS=-XX:+UseParallelGC"), "locks")))
                .contains("-XX:+UseParallelGC")
                .doesNotContain("SerialGC");
    }

    /** Newer Javas warn on standard error of native code and Unsafe; older ones do not know the options. */
    @ParameterizedTest
    @ValueSource(strings = {"analyzer", "locks", "--version"})
    void optionsAgainstWarnings_areGivenToTheJavaThatWarns(String command) throws Exception {
        assertThat(run(command)).doesNotContain("native-access");

        Files.writeString(home.resolve("java/release"), "JAVA_VERSION=\"24.0.1\"\n");
        assertThat(run(command))
                .contains("--enable-native-access=ALL-UNNAMED")
                .contains("--sun-misc-unsafe-memory-access=allow");
    }

    @Test
    void archive_isMadeAtFirstUseAndThenUsed() throws Exception {
        assertThat(run("locks", "list")).startsWith("java ").doesNotContain("SharedArchiveFile");

        awaitArchives(target.resolve("archives"), 1);
        assertThat(run("locks", "list"))
                .contains("-XX:SharedArchiveFile="
                        + archives(target.resolve("archives")).get(0))
                .contains("-Xlog:disable");
    }

    @Test
    void archiveOlderThanTheJars_isMadeAgain() throws Exception {
        run("locks", "list");
        awaitArchives(target.resolve("archives"), 1);
        Path archive = archives(target.resolve("archives")).get(0);
        // not older than the month after which archives are removed: this one is replaced, so it is there at any time
        Instant before = Instant.now().minus(Duration.ofDays(1));
        Files.setLastModifiedTime(archive, FileTime.from(before));

        assertThat(run("locks", "list")).startsWith("java ").doesNotContain("SharedArchiveFile");
        await().until(() -> Files.getLastModifiedTime(archive).toInstant().isAfter(before.plus(Duration.ofHours(1))));
    }

    @Test
    void archiveOfAnotherJava_isNotUsed() throws Exception {
        run("locks", "list");
        awaitArchives(target.resolve("archives"), 1);
        Files.writeString(home.resolve("java/release"), "JAVA_VERSION=\"25\"\n");

        assertThat(run("locks", "list")).doesNotContain("SharedArchiveFile");
        awaitArchives(target.resolve("archives"), 2);
    }

    @Test
    void targetNotWritable_archiveIsInTheUsersCache() throws Exception {
        // a file where the folder would be: as root nothing else is read-only
        Files.createFile(target.resolve("archives"));

        run("locks", "list");
        awaitArchives(home.resolve("user/.cache/sluice"), 1);
        assertThat(run("locks", "list")).contains("-XX:SharedArchiveFile=" + home.resolve("user/.cache/sluice"));
    }

    @Test
    void nothingWritable_commandRunsWithoutAnArchiveAndWithoutAWarning() throws Exception {
        Files.createFile(target.resolve("archives"));
        Files.createFile(home.resolve("user"));

        assertThat(run("locks", "list")).startsWith("java ").doesNotContain("SharedArchiveFile");
    }

    @Test
    void archiveThatCannotBeMade_isTriedOnceForTheseJars() throws Exception {
        script("java/bin/java", """
                case $* in *DumpLoadedClassList*) echo x >>'%s'; exit 1 ;; esac
                echo "java $*"
                """.formatted(home.resolve("attempts")));

        run("locks", "list");
        await().until(() -> Files.exists(home.resolve("attempts"))
                && Files.readString(home.resolve("attempts")).equals("x\n"));
        assertThat(run("locks", "list")).startsWith("java ");
        assertThat(Files.readString(home.resolve("attempts"))).isEqualTo("x\n");
    }

    /** A checkout whose build waits for a file named {@code go}. */
    private void checkout() throws IOException {
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.createDirectories(home.resolve("analyzer/src/main"));
        for (String folder : List.of("shared", "gateway-agent/core", "gateway-agent/sidecar")) {
            Files.createDirectories(home.resolve(folder));
        }
        script("mvnw", """
                echo "$*" >>'%1$s/builds'
                echo '[INFO]  Downloaded from central: https://repo/a.pom (1 kB)'
                echo '[INFO] Building Sluice Contract 0.1.0-SNAPSHOT                            [3/8]'
                while [ ! -e '%1$s/go' ]; do sleep 0.05; done
                mkdir -p '%2$s/lib' '%2$s/maven-status'
                : >'%2$s/sluice.jar'
                date -u +%%Y%%m%%d%%H%%M.%%S >'%2$s/build-started'
                """.formatted(home, target));
    }

    @Test
    void build_saysAtOnceThatItBuildsAndThenHowFarItIs() throws Exception {
        checkout();

        Process sluice = start("demo");
        try {
            await().until(() -> printed().startsWith("building Sluice (first start only)"));
            await().until(() -> printed().contains("[3/8] Sluice Contract, 1 files fetched"));
        } finally {
            Files.createFile(home.resolve("go"));
        }
        assertThat(ended(sluice)).contains("built in ").endsWith("io.sluice.launcher.Sluice demo\n");
        assertThat(Files.readString(home.resolve("builds")))
                .contains("-Dmaven.test.skip=true -pl analyzer/cli -am package");
        // the next ordinary build compiles, and checks, what this one compiled
        assertThat(target.resolve("maven-status")).doesNotExist();
    }

    @Test
    void secondStart_buildsNothing_andChangedSourceDoes() throws Exception {
        checkout();
        Files.createFile(home.resolve("go"));
        run("demo");
        assertThat(run("demo")).startsWith("java ");

        Path changed = Files.createFile(home.resolve("analyzer/src/main/A.java"));
        Files.setLastModifiedTime(changed, FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(run("demo")).startsWith("building Sluice (sources changed)");
    }

    @Test
    void outputsOfAnOrdinaryBuild_areUsed() throws Exception {
        checkout();
        for (String old : List.of("pom.xml", "analyzer/src/main", "analyzer/src")) {
            Files.setLastModifiedTime(home.resolve(old), FileTime.from(PAST));
        }
        Files.writeString(target.resolve("build-started"), "202601010001.00\n");

        assertThat(run("demo")).startsWith("java ");
        assertThat(home.resolve("builds")).doesNotExist();

        // edited while that build ran
        Path changed = Files.createFile(home.resolve("analyzer/src/main/A.java"));
        Files.setLastModifiedTime(changed, FileTime.from(PAST.plusSeconds(70)));
        Files.createFile(home.resolve("go"));
        assertThat(run("demo")).startsWith("building Sluice");
    }
}
