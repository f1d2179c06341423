package io.sluice.examples.alb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real launcher, installed somewhere, takes in the jars that are put beside it. */
@Tag("full")
class LauncherTest {
    private static final Path OWN_CLASSES = Path.of("target", "classes").toAbsolutePath();

    @TempDir
    Path home;

    @BeforeEach
    void install() throws IOException {
        Files.copy(Path.of("..", "..", "sluice"), home.resolve("sluice"), StandardCopyOption.COPY_ATTRIBUTES);
        // an installation has its jars there; this one's Java knows Sluice's classes from this test's class path, this
        // format's not
        Path java = Files.createDirectories(home.resolve("java/bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                case $1 in -version) exec '%1$s' "$@" ;; esac
                while [ "$1" != -cp ]; do shift; done
                classes=$2
                shift 2
                exec '%1$s' -XX:TieredStopAtLevel=1 -cp "$classes:%2$s" "$@"
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"), classPathWithoutThisFormat()));
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("lb.log"), (AlbFormatTest.HTTP + "\n").repeat(7));
    }

    @Test
    void aJarInExtBesideTheLauncherIsTakenIn() throws Exception {
        jar(Files.createDirectories(home.resolve("ext")));

        assertThat(replay(Map.of())).contains("\"events\":7");
    }

    @Test
    void anotherFolderCanBeNamed() throws Exception {
        Path folder = jar(Files.createDirectories(home.resolve("some where")));

        assertThat(replay(Map.of("SLUICE_EXT", folder.toString()))).contains("\"events\":7");
    }

    /** As the README has it. */
    @Test
    void aCompressedFileIsReadWithItsFormatNamedAndWithout() throws Exception {
        jar(Files.createDirectories(home.resolve("ext")));
        try (OutputStream to = new GZIPOutputStream(Files.newOutputStream(home.resolve("FILE.log.gz")))) {
            Files.copy(home.resolve("lb.log"), to);
        }
        assertThat(Files.readString(Path.of("README.md"))).contains("`./sluice replay --format alb FILE.log.gz`");

        assertThat(run(Map.of(), "replay", "--format", "alb", "FILE.log.gz")).contains("FILE.log.gz: 7 lines, alb\n");
        assertThat(run(Map.of(), "replay", "FILE.log.gz")).contains("FILE.log.gz: 7 lines, alb (detected)\n");
    }

    @Test
    void withoutTheJarTheFormatIsUnknownAndThoseThereAreAreNamed() throws Exception {
        assertThat(replay(Map.of())).contains("found 'alb'").contains("nginx-json, envoy-json, ecs");
    }

    private String replay(Map<String, String> environment) throws Exception {
        return run(environment, "replay", "--json", "--format", "alb", "lb.log");
    }

    private String run(Map<String, String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(home.resolve("sluice").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", home.resolve("java").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return printed;
    }

    private static String classPathWithoutThisFormat() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !Path.of(entry).toAbsolutePath().equals(OWN_CLASSES))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** This module's classes as a jar, which the build itself makes later. */
    private static Path jar(Path folder) throws IOException {
        try (OutputStream to = Files.newOutputStream(folder.resolve("alb-log-format.jar"));
                JarOutputStream jar = new JarOutputStream(to);
                Stream<Path> found = Files.walk(OWN_CLASSES)) {
            List<Path> files = found.filter(Files::isRegularFile).toList();
            for (Path file : files) {
                jar.putNextEntry(new JarEntry(OWN_CLASSES.relativize(file).toString()));
                Files.copy(file, jar);
            }
        }
        return folder;
    }
}
