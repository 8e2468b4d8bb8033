// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The interface between a device and what carries its packets: a {@link dev.verbatim.fabric.Fabric} gives each device a
 * {@link dev.verbatim.fabric.FabricPort} with {@link dev.verbatim.fabric.Link}s to its peers, and a
 * {@link dev.verbatim.fabric.Lane} on which everything that they share runs one after the other.
 * {@link dev.verbatim.fabric.Choices} decide where more than one behaviour is legal. Also the fabric of devices in one JVM,
 * {@link dev.verbatim.fabric.InProcessFabric}. 
 * Programs choose a fabric, and decide about faults and choices; the interfaces that a carrier implements ({@code Link},
 * {@code FabricPort}, {@code PacketSink}, {@code PacketSource}) are internal and change without notice. Sees {@code verbs}, {@code wire} and limits of {@code profile}.
 */
@NullMarked
package dev.verbatim.fabric;

import org.jspecify.annotations.NullMarked;
