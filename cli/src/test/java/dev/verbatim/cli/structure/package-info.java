// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Holds the structure of all modules: groups of classes that depend on each other, circles of packages, sizes, and the exported
 * types. Begin with {@link dev.verbatim.cli.structure.StructureTest}.
 */
package dev.verbatim.cli.structure;
