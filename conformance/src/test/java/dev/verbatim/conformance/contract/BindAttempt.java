// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import dev.verbatim.RcConnection;
import dev.verbatim.conformance.contract.WindowPair.Connection;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WindowBind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A bind that would succeed, over a connection of its own, until something about it is made wrong. */
final class BindAttempt {

    /** What can be wrong with a bind when it executes, in the order of the checks (B.4). */
    enum Wrong {
        WINDOW_GONE("MW-40", attempt -> attempt.windowGone = true, "deallocated"),
        REGION_GONE("MW-42", attempt -> attempt.regionGone = true, "lkey", "deregistered"),
        FLAG("MW-43", attempt -> attempt.access |= AccessFlags.MW_BIND, "MW_BIND"),
        UNKNOWN_FLAG("MW-43", attempt -> attempt.access |= 1 << 10, "0x400"),
        BOUND("MW-45", attempt -> attempt.bound = true, "window", "bound"),
        DOMAIN_OF_QUEUE_PAIR("MW-46", attempt -> attempt.qpOfOtherDomain = true, "pd 1", "pd 2"),
        NO_REGION("MW-47", attempt -> attempt.withoutRegion = true, "region"),
        NO_BYTES("MW-47", attempt -> attempt.lengthBytes = 0, "at least one byte"),
        DOMAIN_OF_REGION("MW-48", attempt -> attempt.regionOfOtherDomain = true, "pd 1", "pd 2"),
        ZERO_BASED_REGION("MW-49", attempt -> attempt.regionFlags |= AccessFlags.ZERO_BASED, "ZERO_BASED"),
        NO_MW_BIND("MW-50", attempt -> attempt.regionFlags &= ~AccessFlags.MW_BIND, "MW_BIND"),
        NO_LOCAL_WRITE("MW-51", attempt -> attempt.regionFlags &= ~AccessFlags.LOCAL_WRITE, "LOCAL_WRITE"),
        FRONT("MW-52", attempt -> attempt.offset = -1, "[0x"),
        REAR("MW-52", attempt -> attempt.lengthBytes = REGION_BYTES - attempt.offset + 1, "[0x"),
        WRAP("MW-52", attempt -> attempt.lengthBytes = Long.MAX_VALUE, "[0x");

        final String rule;
        final String[] words;
        private final Consumer<BindAttempt> change;

        Wrong(String rule, Consumer<BindAttempt> change, String... words) {
            this.rule = rule;
            this.change = change;
            this.words = words;
        }

        /** Of type 1 some is refused at once, or is not wrong. */
        boolean concerns(MemoryWindowType type) {
            return type == MemoryWindowType.TYPE_2
                    || switch (this) {
                        case BOUND, NO_REGION, NO_BYTES, DOMAIN_OF_REGION, ZERO_BASED_REGION -> false;
                        default -> true;
                    };
        }

        /** Not both can be, or what is checked first does not come to its check. */
        boolean excludes(Wrong later) {
            boolean ofRegion = later.compareTo(DOMAIN_OF_REGION) >= 0;
            return rule.equals(later.rule)
                    || switch (this) {
                        case REGION_GONE -> later == NO_REGION || later == NO_BYTES;
                        case NO_REGION -> ofRegion;
                        case NO_BYTES -> later == REAR || later == WRAP;
                        default -> false;
                    };
        }
    }

    private static final int REGION_BYTES = 64;

    final WindowPair pair;
    final MemoryWindow window;
    final Connection binder;

    /** The key of the binding before; 0 if there is none. */
    final int oldKey;

    private final List<Wrong> wrong;
    private int access = WindowPair.READ | WindowPair.WRITE;
    private int regionFlags = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;
    private long offset = 8;
    private long lengthBytes = 16;
    private boolean windowGone;
    private boolean regionGone;
    private boolean withoutRegion;
    private boolean bound;
    private boolean qpOfOtherDomain;
    private boolean regionOfOtherDomain;

    BindAttempt(WindowPair pair, MemoryWindowType type, List<Wrong> wrong) {
        this.pair = pair;
        this.wrong = wrong;
        wrong.forEach(each -> each.change.accept(this));
        this.window = pair.window(type);
        this.binder =
                qpOfOtherDomain ? pair.connect(RcConnection.USUAL, pair.queuePairOfOtherDomain()) : pair.connect();
        this.oldKey =
                bound || type == MemoryWindowType.TYPE_1 ? pair.bind(window, pair.bytes(0, 64, WindowPair.READ)) : 0;
    }

    /** The attempts for a window of that type that are wrong in one way or in two. */
    static List<List<Wrong>> singlesAndPairs(MemoryWindowType type) {
        List<List<Wrong>> all = new ArrayList<>();
        for (Wrong first : Wrong.values()) {
            if (!first.concerns(type)) {
                continue;
            }
            all.add(List.of(first));
            for (Wrong later : Wrong.values()) {
                if (later.compareTo(first) > 0 && later.concerns(type) && !first.excludes(later)) {
                    all.add(List.of(first, later));
                }
            }
        }
        return all;
    }

    /**
     * Posts the bind unsignaled as wr_id 1, and a SEND behind it as wr_id 2, in SQD, so that what goes away can do so between
     * post and execution; then lets them execute.
     */
    void make() {
        ProtectionDomain pd = regionOfOtherDomain ? pair.owner.device.allocatePd() : pair.owner.pd;
        MemoryRegion region = pd.register(Memory.allocate(REGION_BYTES), regionFlags);
        @Nullable MemoryRegion named = withoutRegion ? null : region;
        BindInfo info = new BindInfo(named, region.address() + offset, lengthBytes, access);
        binder.owner().modify(new QpAttributes().state(QpState.SQD));
        if (window.type() == MemoryWindowType.TYPE_1) {
            binder.owner().bindWindow(window, new WindowBind(1, 0, info));
        } else {
            binder.owner()
                    .postSend(SendWorkRequest.bindWindow(1, window, window.rkey() + 1, info)
                            .unsignaled());
        }
        binder.owner().postSend(SendWorkRequest.send(2));
        if (windowGone) {
            window.close();
        }
        if (regionGone) {
            region.close();
        }
        binder.owner().modify(new QpAttributes().state(QpState.RTS));
    }

    /** What it is refused for. */
    Wrong first() {
        return wrong.get(0);
    }
}
