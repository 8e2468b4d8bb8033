// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AllocationTest {

    private static final int BYTES = 64 << 20;

    private byte[] made = {};

    private long countedBytes(long exceptThread) {
        Allocation allocation = new Allocation(exceptThread);
        allocation.begin();
        made = new byte[BYTES];
        long counted = allocation.end();
        assertThat(made).hasSize(BYTES);
        made = new byte[0];
        return counted;
    }

    @Test
    void whatThreadsMakeIsCountedButForOne() {
        assertThat(countedBytes(0)).isBetween((long) BYTES, BYTES + (BYTES >> 1) + 0L);
        assertThat(countedBytes(Thread.currentThread().getId())).isLessThan(BYTES);
    }
}
