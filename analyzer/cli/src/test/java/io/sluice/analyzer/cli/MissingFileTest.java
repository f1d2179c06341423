package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One wording for a file that is not there, whichever command is given it. */
class MissingFileTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "policies check FILE",
                "policies apply FILE",
                "policies diff FILE",
                "policies list --config FILE",
                "explain {\"time\":1763700000000,\"caller\":\"acme\"} --policies FILE",
                "replay FILE",
                "replay --policies FILE LOG",
                "replay --policies POLICIES --against FILE LOG",
                "analyzer --config FILE"
            })
    void command_missingFile_saysNoSuchFile(String command) throws Exception {
        assertThat(run(command))
                .contains("missing.yml")
                .contains(": no such file")
                .doesNotContain("Exception");
    }

    @Test
    void policiesCheck_directory_saysSo() throws Exception {
        Files.createDirectory(folder.resolve("missing.yml"));

        assertThat(run("policies check FILE")).contains("missing.yml: is a directory");
        assertThat(run("replay FILE")).contains("missing.yml: is a directory");
    }

    @Test
    void emptyNameOfAFile_saysSo() {
        for (String[] command :
                List.of(new String[] {"policies", "check", ""}, new String[] {"replay", ""}, new String[] {
                    "dashboard", "--token-file", ""
                })) {
            CommandResult result = CommandResult.run(command);

            assertThat(result.code()).isEqualTo(1);
            assertThat(result.err()).contains("the name of the file is empty");
        }
    }

    @Test
    void analyzer_unusableInstance_isNamedWithWhatIsAllowed() throws Exception {
        Path settings = Files.writeString(folder.resolve("sluice.yml"), "analyzer: { instance: a/b }\n");

        CommandResult result = CommandResult.run("analyzer", "--config", settings.toString());

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).startsWith("analyzer.instance: found 'a/b', allowed: 1 to 200 letters");
    }

    /** Found without Kafka: an analyzer that ended later would have taken tasks from the others. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http: { token-file: FOLDER/none } | http.token-file: FOLDER/none: no such file",
                "http: { token-file: FOLDER/short } | http.token-file: FOLDER/short holds 1 character; a token needs 16",
                "http: { token-file: FOLDER/token, users-file: FOLDER/none } | http.users-file: FOLDER/none: no such file",
                "webhooks: [{ url: 'https://ops.example/', secret-file: FOLDER/blank }] | webhooks: FOLDER/blank is empty",
            })
    void analyzer_fileOfASecretIsUnusable_endsBeforeItAsksKafka(String settings, String message) throws Exception {
        Files.writeString(folder.resolve("short"), "x");
        Files.writeString(folder.resolve("blank"), "\n");
        Files.writeString(folder.resolve("token"), "0123456789abcdef");
        Path config =
                Files.writeString(folder.resolve("sluice.yml"), settings.replace("FOLDER", folder.toString()) + "\n");

        CommandResult result =
                CommandResult.run("analyzer", "--config", config.toString(), "--bootstrap", "127.0.0.1:1");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).startsWith(message.replace("FOLDER", folder.toString()));
    }

    @Test
    void replay_oneEvent_singular() throws Exception {
        String out = run("replay LOG");

        assertThat(out)
                .contains("access.log: 2 lines, json", "1 event of 1 caller, ", "1 line could not be read")
                .doesNotContain("dead letter");
    }

    @Test
    void policiesCheck_onePolicy_singular() throws Exception {
        assertThat(run("policies check POLICIES")).contains(": 1 policy, revision ");
    }

    private String run(String command) throws Exception {
        Path policies = Files.writeString(
                folder.resolve("policies.yml"),
                "policies:\n  - { name: noisy, per: [caller], window: 10s, lock: { when: [ { above: 100 } ] } }\n");
        Path log = Files.writeString(
                folder.resolve("access.log"),
                "{\"time\":1763700000000,\"caller\":\"acme\",\"status\":200}\n{\"time\":1}\n");
        String[] words = Arrays.stream(command.split(" ", -1))
                .map(word -> word.replace("FILE", folder.resolve("missing.yml").toString())
                        .replace("POLICIES", policies.toString())
                        .replace("LOG", log.toString()))
                .toArray(String[]::new);
        CommandResult result = CommandResult.run(words);
        return result.out() + result.err();
    }
}
