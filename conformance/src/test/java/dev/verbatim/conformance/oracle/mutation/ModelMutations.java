// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

import static dev.verbatim.conformance.oracle.mutation.Call.answer;
import static dev.verbatim.conformance.oracle.mutation.Call.call;
import static dev.verbatim.conformance.oracle.mutation.Call.field;
import static dev.verbatim.conformance.oracle.mutation.Call.goOn;
import static dev.verbatim.conformance.oracle.mutation.ModelMutation.of;

import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Packet;
import java.util.List;
import java.util.Objects;

/** Mistakes that a device could make with memory windows, each of which random programs find. */
final class ModelMutations {

    static final List<ModelMutation> TABLE = List.of(
            of(
                    "an access is held to the region's range",
                    "memory.EmulatedMemoryWindow.covers/2",
                    call -> answer(call(
                            call(call.self(), "region"),
                            "covers",
                            (long) call.arguments()[0]
                                    - (long) call(call.self(), "firstAddress")
                                    + (long) call(call.self(), "address"),
                            call.arguments()[1]))),
            of(
                    "the queue pair is not compared",
                    "memory.EmulatedMemoryWindow.user/0",
                    call -> Blunders.isCalledBy("AccessDecision", "throughWindow") ? answer(null) : goOn()),
            of("only the number of the queue pair is compared", "memory.EmulatedMemoryWindow.user/0", new SameNumber()),
            of("the domain is not compared", "memory.EmulatedMemoryWindow.comparesDomain/0", call -> answer(false)),
            of(
                    "the lower 8 bits of the key are not compared",
                    "memory.KeyTable.byWindowKey/1",
                    call -> answer(call(call.self(), "windowAt", call.arguments()))),
            of(
                    "the upper 24 bits of a key are enough to revoke",
                    "memory.KeyTable.boundWindow/1",
                    call -> Blunders.isCalledBy("WindowOperations", "invalidate")
                            ? answer(call(call.self(), "windowAt", call.arguments()))
                            : goOn()),
            of("an access of no bytes needs a key", "memory.AccessDecision.remoteKey/7", call -> {
                call.arguments()[5] = Math.max(1, (long) call.arguments()[5]);
                return goOn();
            }),
            of("the old key of type 1 works after a rebind", "memory.KeyTable.byWindowKey/1", call -> {
                MemoryWindow window = (MemoryWindow) call(call.self(), "windowAt", call.arguments());
                boolean isOld = window != null
                        && window.type() == MemoryWindowType.TYPE_1
                        && ((int) call(window, "key") - (int) call.arguments()[0] & 0xff) == 1;
                return isOld ? answer(window) : goOn();
            }),
            of("a window that is deallocated leaves its key", "memory.DeviceMemory.deallocate/1", call -> answer(null)),
            of(
                    "invalidation leaves the key",
                    "memory.EmulatedMemoryWindow.unbind/0",
                    call -> Blunders.isCalledBy("WindowOperations", "invalidate") ? answer(null) : goOn()),
            of(
                    "any queue pair invalidates",
                    "qp.WindowOperations.checkInvalidation/3",
                    call -> call.arguments()[0] == null ? goOn() : answer(null)),
            of("MW_BIND is not asked for", "memory.BindChecks.checkRegion/6", ModelMutations.forgetting("MW-50")),
            of("LOCAL_WRITE is not asked for", "memory.BindChecks.checkRegion/6", ModelMutations.forgetting("MW-51")),
            of(
                    "the region's domain is not compared at bind",
                    "memory.BindChecks.checkRegion/6",
                    ModelMutations.forgetting("MW-48")),
            of("the window's rights must be the region's", "memory.BindChecks.checkRegion/6", call -> {
                Object refusal = call.original(call.arguments());
                int asked = (int) call(call.arguments()[5], "access");
                int granted = (int) call(call.arguments()[4], "access");
                boolean isBlunder = refusal == null && (asked & ~granted & 0xf) != 0;
                return answer(isBlunder ? Refusal.of(Rule.MW_54, "the region grants less") : refusal);
            }),
            of(
                    "a bound window of type 2 is bound again",
                    "memory.BindChecks.checkState/4",
                    ModelMutations.forgetting("MW-45")),
            of(
                    "windows that go are still counted",
                    "memory.EmulatedMemoryRegion.countWindows/1",
                    call -> (int) call.arguments()[0] < 0 ? answer(null) : goOn()),
            of(
                    "windows that are bound are not counted",
                    "memory.EmulatedMemoryRegion.countWindows/1",
                    call -> answer(null)),
            of("RESET leaves windows reachable", "qp.WindowOperations.beginNewLife/0", call -> answer(null)),
            of(
                            "a queue pair with windows of type 2A goes",
                            "qp.WindowOperations.requireDestroyable/0",
                            call -> answer(null))
                    .on("STRICT_2A"),
            of(
                            "windows of orphans still work",
                            "memory.EmulatedMemoryRegion.isRegistered/0",
                            call -> Blunders.isCalledBy("AccessDecision", "throughWindow") ? answer(true) : goOn())
                    .on("ORPHANS"),
            of(
                    "an access is held to the region's rights",
                    "memory.EmulatedMemoryWindow.access/0",
                    call -> Blunders.isCalledBy("AccessDecision", "throughWindow")
                            ? answer(call(call(call.self(), "region"), "access"))
                            : goOn()),
            of(
                    "windows are never zero-based",
                    "memory.EmulatedMemoryWindow.firstAddress/0",
                    call -> answer(call(call.self(), "address"))),
            of(
                    "a bind of no bytes unbinds nothing",
                    "memory.EmulatedMemoryWindow.unbind/0",
                    call -> Blunders.isCalledBy("WindowOperations", "bind") ? answer(null) : goOn()),
            of(
                    "the variant that was asked for is not taken",
                    "qp.SendWqe.boundKey/0",
                    call -> answer((int) call.original(call.arguments()) ^ 1)),
            of(
                    "an index comes back with the key that it had",
                    "memory.KeyTable.fresh/1",
                    call -> answer((int) call.arguments()[0] << Byte.SIZE | 1)),
            of("the end of a range is found by adding, which wraps", "memory.AddressRange.covers/4", call -> {
                Object[] of = call.arguments();
                boolean begins = Long.compareUnsigned((long) of[2], (long) of[0]) >= 0;
                long end = (long) of[0] + (long) of[1];
                return answer(begins && Long.compareUnsigned((long) of[2] + (long) of[3], end) <= 0);
            }),
            of("a SEND_WITH_INV revokes before all is placed", "rc.Responder.invalidate/1", call -> {
                Object revoked = call.original(call.arguments());
                Packet packet = (Packet) call.arguments()[0];
                Object taken = field(field(call.self(), "message"), "receive");
                if (taken != null) {
                    call(
                            call(field(call.self(), "qp"), "sgeAccess"),
                            "scatter",
                            call(taken, "elements"),
                            0L,
                            packet.payload(),
                            MemoryEffect.PLACED,
                            packet.psn());
                }
                return answer(revoked);
            }),
            of("a bind that fails unbinds", "qp.WindowOperations.failed/3", call -> {
                call(call.arguments()[0], "unbind");
                return goOn();
            }),
            of("a bind that fails gives the old rkey back", "qp.WindowOperations.failed/3", call -> {
                call(call.arguments()[0], "rkey", call(call.arguments()[0], "key"));
                return goOn();
            }));

    private ModelMutations() {}

    /** What refuses by that rule does not. */
    private static Mistake forgetting(String rule) {
        return call -> {
            Object refusal = call.original(call.arguments());
            return answer(refusal instanceof Refusal refused && refused.rule().equals(rule) ? null : refusal);
        };
    }

    /** Where windows are asked whose they are: finds that any life of a queue pair is as good as another. */
    private static final class SameNumber implements Mistake {
        @Override
        public Object commit(Call call) throws ReflectiveOperationException {
            Object user = field(call.self(), "user");
            if (user == null || !Blunders.isCalledBy("AccessDecision", "throughWindow")) {
                return goOn();
            }
            return Objects.equals(call(user, "isOver"), true) ? answer(null) : goOn();
        }
    }
}
