// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.output;

import java.util.function.Supplier;

/**
 * An object of JSON that another has written.
 *
 * @param json makes its text, without the end of the line
 */
public record Written(Supplier<String> json) {}
