// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

/** In which order memory has what the threads of a node's CPU store. */
public enum CpuModel {
    /** Sequential consistency: a store is in memory when its step is over. */
    SC,

    /**
     * Total store order, as of x86: a thread has a store buffer, first in, first out. What is in it only that thread sees, and memory has it
     * later.
     */
    TSO
}
