// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.cause.Causes;
import dev.verbatim.ibverbs.cause.NativeCallSite;
import dev.verbatim.ibverbs.cause.Waits;
import dev.verbatim.ibverbs.cause.Waits.Wait;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.place.Adapters;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Standstill;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What of the devices and their completion queues does not get on, in the words of C. */
final class Standing {

    private Standing() {}

    /** Has it said when nothing happens. */
    static void watch() {
        Waits.ofOthers(Standing::progress, Standing::all);
        Causes.atEnd(ToldDrops::end);
        Waits.ofEvents("take_cq_event", Standing::ofChannel);
        Waits.ofEvents(
                "take_async_event",
                context -> new Wait(null, null, "has waited, and no asynchronous event has come", null, null));
    }

    private static long progress() {
        if (Causes.ON) {
            ToldDrops.look();
        }
        long all = 0;
        for (Adapter adapter : Adapters.all()) {
            Device device = adapter.opened();
            all = 31 * all + (device == null ? 0 : device.progress());
        }
        return all;
    }

    private static @Nullable Wait ofChannel(long channel) {
        Channel of = Channel.TABLE.find(channel);
        return of == null
                ? null
                : new Wait(null, null, "has waited for an event", of.channel().reasonOfWait(), null);
    }

    /** Those who poll in vain; where nobody does, what waits for a poll, or a peer. */
    private static List<Wait> all(boolean isNobodyKnown) {
        List<Wait> all = new ArrayList<>();
        for (Cq cq : Cq.TABLE.all()) {
            NativeCallSite place = cq.placeOfPolls();
            Refusal reason = place == null ? null : reasonOf(cq.queue());
            if (reason != null) {
                all.add(new Wait("ibv_poll_cq", place, "finds nothing", reason, null));
            }
        }
        if (!all.isEmpty() || !isNobodyKnown) {
            return all;
        }
        for (Adapter adapter : Adapters.all()) {
            Device device = adapter.opened();
            if (device != null) {
                addStandstills(adapter, device, all);
            }
        }
        return all;
    }

    /** Null for a queue that nothing completes to: programs poll such ones by habit. */
    private static @Nullable Refusal reasonOf(CompletionQueue queue) {
        try {
            return queue.reasonOfWait();
        } catch (VerbsException e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            return null; // it is destroyed meanwhile
        }
    }

    private static void addStandstills(Adapter adapter, Device device, List<Wait> to) {
        for (Standstill each : device.standstills()) {
            String what = switch (each.kind()) {
                case REQUEST -> "a request does not get on, and the program waits in no call for it";
                case COMPLETION -> "completions wait, and the program polls none";
                default -> null;
            };
            if (what != null) {
                NativeCallSite posted = Posts.siteOf(adapter, each.qpNumber(), each.requestId());
                to.add(new Wait(null, null, what, each.reason(), posted));
            }
        }
    }
}
