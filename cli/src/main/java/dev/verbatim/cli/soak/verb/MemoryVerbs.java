// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.MemoryBlock;
import dev.verbatim.cli.soak.world.Side;
import dev.verbatim.cli.soak.world.TrackedRegion;
import dev.verbatim.cli.soak.world.TrackedWindow;
import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.ReregistrationFlags;
import dev.verbatim.verbs.VerbsException;
import java.util.List;

/** Making and destroying regions and windows. */
final class MemoryVerbs {

    static final int ALL_RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND
            | AccessFlags.FLUSH_GLOBAL;

    private static final int ALL_CHANGES =
            ReregistrationFlags.CHANGE_TRANSLATION | ReregistrationFlags.CHANGE_PD | ReregistrationFlags.CHANGE_ACCESS;
    private static final int BITS_OF_RIGHTS = 1 << 10;

    private MemoryVerbs() {}

    static void register(Worker worker) {
        Side side = worker.side();
        ProtectionDomain pd = side.domains().usual(worker.random());
        if (pd == null || side.regions().isFull()) {
            return;
        }
        MemoryBlock block = worker.oneOf(side.blocks());
        int offset = worker.chance(0.5) ? 0 : worker.random().nextInt(MemoryBlock.BYTES);
        int length = offset == 0 ? MemoryBlock.BYTES : worker.random().nextInt(MemoryBlock.BYTES - offset);
        int access = worker.chance(0.85) ? ALL_RIGHTS : worker.random().nextInt(BITS_OF_RIGHTS);
        block.enter();
        try {
            side.regions().add(new TrackedRegion(side, block, register(worker, pd, block, offset, length, access)));
        } catch (VerbsException refused) {
            block.leave();
            throw refused;
        }
    }

    private static MemoryRegion register(
            Worker worker, ProtectionDomain pd, MemoryBlock block, int offset, int length, int access) {
        if (worker.chance(0.2)) {
            long iova = worker.oneOf(List.of(0L, 4096L, 8L, -8L - MemoryBlock.BYTES, 0x7777_7777_7000L));
            return pd.registerIova(block.memory(), offset, length, iova, access);
        }
        int zeroBased = worker.chance(0.05) ? AccessFlags.ZERO_BASED : 0;
        return pd.register(block.memory(), offset, length, access | zeroBased);
    }

    static void registerWrongly(Worker worker) {
        Side side = worker.side();
        ProtectionDomain pd = side.domains().usual(worker.random());
        if (pd == null) {
            return;
        }
        MemoryBlock block = worker.oneOf(side.blocks());
        int wrong = worker.oneOf(List.of(-1, MemoryBlock.BYTES + 1, Integer.MIN_VALUE, Integer.MAX_VALUE));
        IllegalVerbs.refusal(worker, "reg_mr with offset=" + wrong, () -> pd.register(block.memory(), wrong, 8, 0));
        IllegalVerbs.refusal(worker, "reg_mr with length=" + wrong, () -> pd.register(block.memory(), 0, wrong, 0));
        IllegalVerbs.refusal(
                worker,
                "reg_mr with REMOTE_WRITE alone",
                () -> pd.register(block.memory(), 0, 8, AccessFlags.REMOTE_WRITE));
        IllegalVerbs.refusal(worker, "reg_mr with bit 15", () -> pd.register(block.memory(), 0, 8, 1 << 15));
        IllegalVerbs.refusal(
                worker, "reg_mr beyond 2^64", () -> pd.registerIova(block.memory(), 0, 16, -8L, ALL_RIGHTS));
    }

    /** On the same memory; a region that could not become what was asked for can only be closed. */
    static void reregister(Worker worker) {
        Side side = worker.side();
        TrackedRegion region = side.regions().any(worker.random());
        ProtectionDomain pd = side.domains().usual(worker.random());
        if (region == null) {
            return;
        }
        int flags = worker.random().nextInt(worker.chance(0.05) ? BITS_OF_RIGHTS : ALL_CHANGES + 1);
        boolean moves = (flags & ReregistrationFlags.CHANGE_TRANSLATION) != 0;
        boolean allows = (flags & ReregistrationFlags.CHANGE_ACCESS) != 0;
        int access = worker.chance(0.9) ? ALL_RIGHTS : worker.random().nextInt(BITS_OF_RIGHTS);
        int length = worker.chance(0.8) ? MemoryBlock.BYTES : worker.random().nextInt(MemoryBlock.BYTES + 2);
        region.region()
                .reregister(
                        flags,
                        (flags & ReregistrationFlags.CHANGE_PD) == 0 ? null : pd,
                        moves ? region.block().memory() : null,
                        0,
                        moves ? length : 0,
                        allows ? access : 0);
    }

    static void deregister(Worker worker) {
        TrackedRegion region = worker.side().regions().any(worker.random());
        if (region != null) {
            region.close();
        }
    }

    static void look(Worker worker) {
        worker.oneOf(worker.side().blocks()).checkIfSealed();
    }

    static void allocateWindow(Worker worker) {
        Side side = worker.side();
        ProtectionDomain pd = side.domains().usual(worker.random());
        if (pd != null && !side.windows().isFull()) {
            MemoryWindowType type = worker.oneOf(List.of(MemoryWindowType.values()));
            side.windows().add(new TrackedWindow(pd.allocateWindow(type)));
        }
    }

    static void deallocateWindow(Worker worker) {
        Side side = worker.side();
        TrackedWindow window = side.windows().any(worker.random());
        if (window != null) {
            window.window().life();
            window.window().close();
            side.windows().remove(window);
        }
    }
}
