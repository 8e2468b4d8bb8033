// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

/** How far a fence or an acquire of a GPU reaches. */
public enum Scope {
    /** The kernels of the same GPU. */
    DEVICE,
    /** All observers of the node. */
    SYSTEM
}
