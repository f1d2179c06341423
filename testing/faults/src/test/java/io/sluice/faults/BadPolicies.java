package io.sluice.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Invalid policy files: those of the contract, one for each rule and with all their problems reported, and such as
 * editors, disks and tools leave behind.
 */
final class BadPolicies {
    private static final Path CONTRACT = Path.of("../../shared/contract/src/test/resources/policies/bad");
    private static final String SOUND =
            "policies: [{ name: p, per: [caller], lock: { when: [{ above: 9 }], mode: block } }]\n";

    /**
     * A bad file.
     *
     * @param bytes its content, a character for each byte
     * @param problems all that has to be told about it, without the file's name; empty where that is not one rule's matter
     */
    record Bad(String name, String bytes, List<String> problems) {
        Bad(String name, byte[] content, List<String> problems) {
            this(name, new String(content, StandardCharsets.ISO_8859_1), problems);
        }

        byte[] content() {
            return bytes.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private BadPolicies() {}

    /** All of them, in a fixed order. */
    static List<Bad> all() throws IOException {
        List<Bad> all = new ArrayList<>(ofTheContract());
        left().forEach((name, content) -> all.add(new Bad(name, content, List.of())));
        return all;
    }

    private static List<Bad> ofTheContract() throws IOException {
        List<Bad> documents = new ArrayList<>();
        try (Stream<Path> files = Files.list(CONTRACT)) {
            for (Path file :
                    files.filter(it -> it.toString().endsWith(".json")).sorted().toList()) {
                List<String> problems =
                        Files.readAllLines(Path.of(file.toString().replace(".json", ".problems"))).stream()
                                .map(line -> line.replaceFirst("^policies\\.yml", ""))
                                .toList();
                documents.add(new Bad(file.getFileName().toString(), Files.readAllBytes(file), problems));
            }
        }
        return documents;
    }

    private static Map<String, byte[]> left() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("empty", "");
        texts.put("nothing-but-a-comment", "# to be written\n");
        texts.put("half-written", SOUND.substring(0, SOUND.length() / 2));
        texts.put("half-written-json", "{\"policies\":[{\"name\":\"p\",\"per\":[\"call");
        texts.put("null", "null\n");
        texts.put("a-word", "policies\n");
        texts.put("two-documents", SOUND + "---\n" + SOUND);
        texts.put("conflict-markers", "<<<<<<< ours\n" + SOUND + "=======\n" + SOUND + ">>>>>>> theirs\n");
        texts.put("indented-by-tabs", "policies:\n\t- name: p\n");
        texts.put("name-twice", SOUND + SOUND);
        texts.put("policy-twice", "policies:\n" + policy() + policy());
        texts.put("deep", "policies: " + "[".repeat(5_000) + "]".repeat(5_000) + "\n");
        texts.put("bomb", bomb());
        texts.put("tagged", "!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[]]]\n");
        texts.put("huge", SOUND + "#" + "x".repeat(1 << 20) + "\n");
        texts.put("html", "<html><body><h1>502 Bad Gateway</h1></body></html>\n");
        Map<String, byte[]> bytes = new LinkedHashMap<>();
        texts.forEach((name, text) -> bytes.put(name, text.getBytes(StandardCharsets.UTF_8)));
        bytes.put("not-utf-8", SOUND.replace("name: p", "name: \u00e9").getBytes(StandardCharsets.ISO_8859_1));
        bytes.put("zeros", new byte[4096]);
        bytes.put("gzip", new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0});
        return bytes;
    }

    private static String policy() {
        return "- { name: p, per: [caller], lock: { when: [{ above: 9 }], mode: block } }\n";
    }

    /** Nine lists of nine of the one before: a billion words when they are written out. */
    private static String bomb() {
        StringBuilder text = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 9; i++) {
            String before = "*a" + (i - 1);
            text.append("a").append(i).append(": &a").append(i).append(" [");
            text.append((before + ",").repeat(8)).append(before).append("]\n");
        }
        return text.append("policies: *a8\n").toString();
    }
}
