package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

class CommandTreeTest {

    @Command(name = "more", description = "More.")
    record More() {}

    private static final CommandSource MORE = new CommandSource() {
        @Override
        public List<String> names() {
            return List.of("more");
        }

        @Override
        public Object create(String name) {
            return new More();
        }
    };

    @Test
    void nameOfEachSource_isTheCommandsOwn() {
        AnalyzerCommands commands = new AnalyzerCommands();
        for (String name : commands.names()) {
            assertThat(new CommandLine(commands.create(name)).getCommandName()).isEqualTo(name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "analyzer", "more"})
    void commandThatIsCalled_isTheOnlyOneRead(String name) {
        assertThat(SluiceCommand.commandLine(MORE, name, "--help").getSubcommands())
                .containsOnlyKeys(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "history"})
    void subcommandThatIsCalled_isTheOnlyOneRead(String name) {
        CommandLine locks =
                SluiceCommand.commandLine(MORE, "locks", name).getSubcommands().get("locks");

        assertThat(locks.getSubcommands()).containsOnlyKeys(name);
    }

    @Test
    void version_needsNoCommand() {
        assertThat(SluiceCommand.commandLine(MORE, "--version").getSubcommands())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "completion",
                "lokcs",
                "@file",
                "",
                "locks",
                "locks list --hepl",
                "locks why --help",
                "locks add",
                "locks lsit",
                "callers top --help",
                "enforce off"
            })
    void whatIsPrinted_isTheSameAsWithAllCommands(String arguments) {
        String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ");

        assertThat(printed(SluiceCommand.commandLine(MORE, words), words))
                .isEqualTo(printed(SluiceCommand.commandLine(MORE, "--help"), words))
                .isNotEmpty();
    }

    private static String printed(CommandLine sluice, String... arguments) {
        StringWriter printed = new StringWriter();
        PrintWriter to = new PrintWriter(printed);
        int code = sluice.setOut(to).setErr(to).execute(arguments);
        return printed.toString() + code;
    }

    @Test
    void version_isThatOfTheJar(@TempDir Path folder) throws Exception {
        Path jar = folder.resolve("analyzer.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "9.8.7");
        String name = "io/sluice/analyzer/cli/SluiceVersion.class";
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream to = new JarOutputStream(file, manifest);
                InputStream from = SluiceVersion.class.getClassLoader().getResourceAsStream(name)) {
            to.putNextEntry(new JarEntry(name));
            from.transferTo(to);
        }
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null) {
            @Override
            protected Class<?> findClass(String wanted) throws ClassNotFoundException {
                return wanted.startsWith("picocli.")
                        ? CommandTreeTest.class.getClassLoader().loadClass(wanted)
                        : super.findClass(wanted);
            }
        }) {
            var constructor =
                    loader.loadClass("io.sluice.analyzer.cli.SluiceVersion").getDeclaredConstructor();
            constructor.setAccessible(true);

            assertThat(((IVersionProvider) constructor.newInstance()).getVersion())
                    .containsExactly("sluice 9.8.7");
        }
    }

    @Test
    void versionOfClassesOutsideAJar_isADevelopmentBuild() {
        assertThat(new SluiceVersion().getVersion()).containsExactly("sluice (development build)");
    }
}
