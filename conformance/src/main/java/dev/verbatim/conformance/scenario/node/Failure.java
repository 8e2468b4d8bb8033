// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

/**
 * Something that was not as the scenario says.
 *
 * @param node whose program noticed it; empty for the end of the run
 * @param path of the step in the file, such as {@code nodes.a.program[2]}
 * @param step the step, or what else was expected
 * @param message what happened instead, and why where the device says so
 */
public record Failure(String node, String path, String step, String message) {

    @Override
    public String toString() {
        return (node.isEmpty() ? "" : "node " + node + ", ") + step + ": " + message;
    }
}
