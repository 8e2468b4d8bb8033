// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** A device whose queue pair 1 is to be had; connection management needs one. */
public interface ManagedDevice {

    /** Queue pair 1; always the same object. */
    ManagementPort managementPort();
}
