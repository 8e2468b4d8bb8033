// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads YAML with a form. Bounded in size and depth, whatever aliases a file plays with. */
public final class YamlReader {

    private static final int MOST_CHARS = 1 << 20;
    private static final int MOST_VALUES = 1 << 16;
    private static final int DEEPEST = 50;

    private final Problems problems;
    private int values;

    private YamlReader(Problems problems) {
        this.problems = problems;
    }

    /** Reads a file's text; null if something was wrong, which is in {@code problems} then. */
    public static <T> @Nullable T read(String yaml, Form<T> form, Problems problems) {
        Tree tree = new YamlReader(problems).compose(yaml);
        return tree == null ? null : form.read(new Spot(tree, "", problems));
    }

    private @Nullable Tree compose(String yaml) {
        LoadSettings settings = LoadSettings.builder()
                .setUseMarks(true)
                .setCodePointLimit(MOST_CHARS)
                .build();
        try {
            Optional<Node> root = new Compose(settings).composeString(yaml);
            if (root.isEmpty()) {
                problems.add(Mark.START, "", "the file is empty; begin with title: and nodes:");
                return null;
            }
            return tree(root.get(), 0);
        } catch (MarkedYamlEngineException e) {
            problems.add(
                    mark(e.getProblemMark()),
                    "",
                    "this is no YAML: " + String.valueOf(e.getProblem()).replaceAll("\\s+", " ")
                            + "; look at indents, colons, quotes and brackets here and above");
        } catch (YamlEngineException e) {
            problems.add(
                    Mark.START,
                    "",
                    "this is no YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
        }
        return null;
    }

    private Tree tree(Node node, int depth) {
        Mark mark = mark(node.getStartMark());
        if (depth > DEEPEST || ++values > MOST_VALUES) {
            throw new YamlEngineException("it holds more than " + MOST_VALUES + " values, or more than " + DEEPEST
                    + " inside each other; make several files of it");
        }
        if (node instanceof SequenceNode sequence) {
            List<Tree> items = new ArrayList<>();
            for (Node item : sequence.getValue()) {
                items.add(tree(item, depth + 1));
            }
            return new Tree.Items(mark, items);
        } else if (node instanceof MappingNode mapping) {
            List<Tree.Entry> entries = new ArrayList<>();
            for (NodeTuple tuple : mapping.getValue()) {
                if (tree(tuple.getKeyNode(), depth + 1) instanceof Tree.Scalar key) {
                    entries.add(new Tree.Entry(key, tree(tuple.getValueNode(), depth + 1)));
                } else {
                    Mark at = mark(tuple.getKeyNode().getStartMark());
                    problems.add(at, "", "a list or mapping is no key; use a word");
                }
            }
            return new Tree.Entries(mark, entries);
        } else if (node instanceof ScalarNode scalar) {
            return new Tree.Scalar(mark, scalar.getValue(), scalar.getScalarStyle() == ScalarStyle.PLAIN);
        }
        throw new YamlEngineException("it holds a " + node.getNodeType() + "; use texts, lists and mappings");
    }

    private static Mark mark(Optional<org.snakeyaml.engine.v2.exceptions.Mark> mark) {
        return mark.map(at -> new Mark(at.getLine() + 1, at.getColumn() + 1)).orElse(Mark.START);
    }
}
