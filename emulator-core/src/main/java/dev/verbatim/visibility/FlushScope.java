// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

/** For whom the writes of adapters into the memory of a GPU are flushed; as in CUDA's {@code cuFlushGPUDirectRDMAWrites}. */
public enum FlushScope {
    /** The GPU whose memory it is. */
    OWNER,
    /** All GPUs of the node. */
    ALL_DEVICES
}
