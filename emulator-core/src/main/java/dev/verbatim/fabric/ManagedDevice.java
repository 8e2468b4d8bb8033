// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** A device with an accessible queue pair 1, which connection management needs. */
public interface ManagedDevice {

    /** Queue pair 1; always the same object. */
    ManagementPort managementPort();
}
