// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import org.jspecify.annotations.Nullable;

/**
 * A bind as a program asks for it.
 *
 * @param id the caller's number
 * @param signaled whether it completes when it succeeds
 * @param rkey of which type 2 takes the lower 8 bits (MW-30)
 * @param region null for none
 * @param access the window's rights
 */
public record Bind(
        long id,
        boolean signaled,
        Window window,
        int rkey,
        @Nullable Region region,
        long address,
        long lengthBytes,
        int access) {}
