// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import org.jspecify.annotations.Nullable;

/** A value that is being read: what stands there, and which keys led to it. */
@SuppressWarnings("TypeParameterUnusedInFormals") // null is of every type, and that is all that is returned
final class Spot {

    private final Tree tree;
    private final String path;
    private final Problems problems;

    Spot(Tree tree, String path, Problems problems) {
        this.tree = tree;
        this.path = path;
        this.problems = problems;
        problems.visit(path, tree.mark());
    }

    Tree tree() {
        return tree;
    }

    Spot child(String key, Tree child) {
        return new Spot(child, path.isEmpty() ? key : path + "." + key, problems);
    }

    Spot item(int index, Tree child) {
        return new Spot(child, path + "[" + index + "]", problems);
    }

    /** The text of a single value; null if it is a list or a mapping. */
    Tree.@Nullable Scalar scalar() {
        return tree instanceof Tree.Scalar scalar ? scalar : null;
    }

    /** Says that the value is wrong; null, so that a form can return it. */
    <T> @Nullable T refuse(String message) {
        return refuse(tree.mark(), message);
    }

    <T> @Nullable T refuse(Mark mark, String message) {
        problems.add(mark, path, message);
        return null;
    }

    /** Says what was expected instead. */
    <T> @Nullable T expected(String what) {
        return refuse(tree.describe() + " is not " + what);
    }
}
