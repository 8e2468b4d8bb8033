// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import java.util.Map;

/** A device as {@code java.lang.management} shows it: see {@link DeviceBean#register}. */
public interface DeviceMXBean {

    /** Name of the device. */
    String getName();

    /** GID of port 1. */
    String getGid();

    /** What the device has counted, by the names that {@code rdma statistic} has for it ({@link dev.verbatim.verbs.DeviceCounter}). */
    Map<String, Long> getCounters();
}
