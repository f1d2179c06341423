package io.sluice.settings;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.contract.json.Place;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads YAML 1.2 into the document tree, with the line of every node. Only the tree is composed: no tag ever makes an
 * object. A document is refused when it is larger than 1 MiB, deeper than 20, or holds more than 50,000 nodes once its
 * aliases are written out.
 */
public final class YamlNodes {
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_DEPTH = 20;
    private static final int MAX_NODES = 50_000;
    private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String source;
    private int nodes;

    private YamlNodes(String source) {
        this.source = source;
    }

    /**
     * @param source the file's name, for {@link Place}
     * @throws MalformedRecord when it is no YAML or over a bound; the message starts with the place
     */
    public static Node read(byte[] yaml, String source) throws MalformedRecord {
        if (yaml.length > MAX_BYTES) {
            throw new MalformedRecord(source + ": " + yaml.length + " bytes, at most " + MAX_BYTES + " are read");
        }
        LoadSettings settings = LoadSettings.builder()
                .setLabel(source)
                .setUseMarks(true)
                .setSchema(new CoreSchema())
                .setCodePointLimit(MAX_BYTES)
                .build();
        try {
            checkDepth(yaml, settings, source);
            Optional<org.snakeyaml.engine.v2.nodes.Node> root =
                    new Compose(settings).composeInputStream(new ByteArrayInputStream(yaml));
            return root.isPresent() ? new YamlNodes(source).node(root.get(), 0) : empty(source);
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(Mark::getLine).orElse(-1) + 1;
            throw new MalformedRecord(new Place(source, line) + ": not YAML: " + e.getProblem());
        } catch (YamlEngineException | IllegalArgumentException e) {
            // the latter for tags that decode to text with spaces
            throw new MalformedRecord(source + ": not YAML, or not UTF-8");
        }
    }

    /** Before anything that recurses sees the document. */
    private static void checkDepth(byte[] yaml, LoadSettings settings, String source) throws MalformedRecord {
        int depth = 0;
        for (Event event : new Parse(settings).parseInputStream(new ByteArrayInputStream(yaml))) {
            if (event instanceof CollectionStartEvent && ++depth > MAX_DEPTH) {
                int line = event.getStartMark().map(Mark::getLine).orElse(-1) + 1;
                throw new MalformedRecord(new Place(source, line) + ": nested deeper than " + MAX_DEPTH);
            }
            depth -= event instanceof CollectionEndEvent ? 1 : 0;
        }
    }

    /** An empty file is an empty mapping. */
    private static Node empty(String source) {
        return new Node.Mapping(new Place(source, 1), List.of());
    }

    private Node node(org.snakeyaml.engine.v2.nodes.Node yaml, int depth) throws MalformedRecord {
        Place place = place(yaml);
        if (depth > MAX_DEPTH) {
            throw new MalformedRecord(place + ": nested deeper than " + MAX_DEPTH);
        }
        if (++nodes > MAX_NODES) {
            throw new MalformedRecord(place + ": more than " + MAX_NODES + " values, aliases written out");
        }
        if (yaml instanceof ScalarNode scalar) {
            return scalar(scalar, place);
        }
        if (yaml instanceof SequenceNode sequence) {
            List<Node> items = new ArrayList<>();
            for (org.snakeyaml.engine.v2.nodes.Node item : sequence.getValue()) {
                items.add(node(item, depth + 1));
            }
            return new Node.Listing(place, items);
        }
        return mapping((MappingNode) yaml, place, depth);
    }

    private Node mapping(MappingNode yaml, Place place, int depth) throws MalformedRecord {
        List<Node.Entry> entries = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (NodeTuple tuple : yaml.getValue()) {
            Place at = place(tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new MalformedRecord(at + ": a key must be a single value");
            }
            if (!keys.add(key.getValue())) {
                throw new MalformedRecord(at + ": key " + key.getValue() + " stands twice");
            }
            entries.add(new Node.Entry(key.getValue(), at, node(tuple.getValueNode(), depth + 1)));
        }
        return new Node.Mapping(place, entries);
    }

    private static Node.Scalar scalar(ScalarNode yaml, Place place) {
        Tag tag = yaml.getTag();
        String text = yaml.getValue();
        if (tag.equals(Tag.NULL)) {
            return new Node.Scalar(place, Node.Scalar.Type.NOTHING, "");
        }
        if (tag.equals(Tag.BOOL)) {
            return new Node.Scalar(place, Node.Scalar.Type.TRUTH, text.toLowerCase(Locale.ROOT));
        }
        boolean number = tag.equals(Tag.INT) || tag.equals(Tag.FLOAT);
        // 0x1f, 017 and .inf are numbers in YAML and none in JSON: as text they get the reader's own complaint
        return number && JSON_NUMBER.matcher(text).matches()
                ? new Node.Scalar(place, Node.Scalar.Type.NUMBER, text)
                : Node.Scalar.text(place, text);
    }

    private Place place(org.snakeyaml.engine.v2.nodes.Node yaml) {
        return new Place(source, yaml.getStartMark().map(Mark::getLine).orElse(-1) + 1);
    }
}
