// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * A port ({@code struct ibv_port_attr}).
 *
 * @param state whether packets pass
 * @param maxMtu largest path MTU of any port
 * @param activeMtu largest path MTU of this one
 * @param maxMessageBytes longest message
 * @param gidCount entries of the GID table
 * @param pkeyCount entries of the partition key table
 */
public record PortAttributes(
        PortState state, PathMtu maxMtu, PathMtu activeMtu, long maxMessageBytes, int gidCount, int pkeyCount) {}
