// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the list {@code faults} of a YAML file, which may have other sections, as scenario files do; or a file that is only the list. */
public final class FaultFile {

    private final Path file;
    private final List<Fault> faults = new ArrayList<>();

    private FaultFile(Path file) {
        this.file = file;
    }

    /**
     * The faults of a file.
     *
     * @throws BadFault if it cannot be read, or one is wrong, with its line
     */
    public static List<Fault> read(Path file) {
        FaultFile reader = new FaultFile(file);
        try {
            LoadSettings settings =
                    LoadSettings.builder().setLabel(file.toString()).build();
            reader.root(new Compose(settings).composeString(Files.readString(file)));
        } catch (NoSuchFileException e) {
            throw new BadFault(file + " does not exist");
        } catch (IOException e) {
            throw new BadFault(file + " cannot be read: " + e.getMessage());
        } catch (YamlEngineException e) {
            throw new BadFault(file + " is no YAML: " + e.getMessage());
        }
        return reader.faults;
    }

    private void root(Optional<Node> root) {
        Node list = root.orElseThrow(() -> new BadFault(file + " is empty"));
        if (list instanceof MappingNode mapping) {
            list = null;
            for (NodeTuple member : mapping.getValue()) {
                list = text(member.getKeyNode()).equals("faults") ? member.getValueNode() : list;
            }
        }
        if (!(list instanceof SequenceNode sequence)) {
            throw new BadFault(file + " has no list of faults");
        }
        sequence.getValue().forEach(this::fault);
    }

    private void fault(Node node) {
        if (!(node instanceof MappingNode mapping) || mapping.getValue().size() != 1) {
            throw at(node, "a fault is one word with its values, such as 'drop: {packet: ACKNOWLEDGE, nth: 3}'");
        }
        NodeTuple member = mapping.getValue().get(0);
        String word = text(member.getKeyNode());
        Map<String, String> values = new LinkedHashMap<>();
        if (member.getValueNode() instanceof MappingNode given) {
            for (NodeTuple value : given.getValue()) {
                values.put(text(value.getKeyNode()), text(value.getValueNode()));
            }
        } else if (word.equals("seed")) {
            values.put(word, text(member.getValueNode()));
        } else {
            throw at(node, "the values of " + word + " are written as '" + word + ": {NAME: VALUE}'");
        }
        try {
            faults.add(Fault.of(word, values));
        } catch (BadFault e) {
            throw at(node, String.valueOf(e.getMessage()));
        }
    }

    private String text(Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw at(node, "a word or a number is expected");
    }

    private BadFault at(Node node, String message) {
        int line = node.getStartMark().map(Mark::getLine).orElse(0) + 1;
        return new BadFault(file + ":" + line + ": " + message);
    }
}
