// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.wire.Psn;

/** The program that owns the device: every verb it calls may be refused, and if not, the estate is as it says. */
final class Owner {

    private static final int[] POST_FLAGS = {
        SendFlags.SIGNALED,
        0,
        SendFlags.SIGNALED | SendFlags.FENCE,
        SendFlags.SIGNALED | SendFlags.SOLICITED,
        SendFlags.SIGNALED | SendFlags.INLINE,
        SendFlags.FENCE,
    };
    private static final int[] WINDOW_RIGHTS = {
        AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC,
        AccessFlags.REMOTE_READ,
        AccessFlags.REMOTE_WRITE,
        AccessFlags.REMOTE_ATOMIC,
        0,
        AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.ZERO_BASED,
    };
    static final int[] LENGTHS = {0, 1, 8, 64, 255, 256, 257, 512, 700, 1024, 1536, 3584};
    private static final long TARGET = 0x1234_5678_9000L;
    private static final int TARGET_KEY = 0x777;
    private static final int USUAL_RIGHTS =
            AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC;
    private static final int OFFSET_UNIT = 4;
    private static final int VARIANT = 0x41;

    private final Estate estate;
    private final Script script;

    Owner(Estate estate, Script script) {
        this.estate = estate;
        this.script = script;
    }

    void postReceive(Side side) {
        Sge[] elements = new Sge[script.pick(1, 1, 2, 0, 4)];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = element();
        }
        ReceiveWorkRequest request = ReceiveWorkRequest.of(estate.ledger.nextId(), elements);
        boolean lost = side.loses(estate.profile, false);
        if (attempt(() -> side.qp.postRecv(request)) && !lost) {
            estate.ledger.posted(side.qp.number(), request);
        }
    }

    private Sge element() {
        Region region = script.pick(estate.regions);
        return element(region, script.value());
    }

    private Sge element(Region region, int where) {
        int lengthBytes = LENGTHS[where % LENGTHS.length];
        long address = region.address + (long) (where / LENGTHS.length) * OFFSET_UNIT;
        return new Sge(address, lengthBytes, where == 0xff ? region.lastRkey : region.lastLkey);
    }

    void postSend(Side side) {
        int kind = script.value();
        int flags = POST_FLAGS[script.mostly(0, 0, 1, 2, 3, 4, 5)];
        Region region = script.pick(estate.regions);
        Sge element = element(region, script.value());
        if ((flags & SendFlags.INLINE) != 0 && !isInside(element, region)) {
            flags &= ~SendFlags.INLINE;
        }
        Window window = script.pick(estate.windows);
        long id = estate.ledger.nextId();
        Sge word = new Sge(element.address(), Long.BYTES, element.lkey());
        SendWorkRequest request = switch (kind % 9) {
            case 0 -> SendWorkRequest.send(id, element);
            case 1 -> SendWorkRequest.sendWithImmediate(id, 7, element);
            case 2 -> SendWorkRequest.write(id, TARGET, TARGET_KEY, element);
            case 3 -> SendWorkRequest.writeWithImmediate(id, TARGET, TARGET_KEY, 7, element);
            case 4 -> SendWorkRequest.read(id, TARGET, TARGET_KEY, element);
            case 5 -> SendWorkRequest.compareAndSwap(id, TARGET, TARGET_KEY, 1, 2, word);
            case 6 -> SendWorkRequest.fetchAndAdd(id, TARGET, TARGET_KEY, 1, element);
            case 7 -> SendWorkRequest.sendWithInvalidate(id, TARGET_KEY, element);
            default -> SendWorkRequest.localInvalidate(id, window.key);
        };
        post(side, request.withFlags(flags));
    }

    private boolean isInside(Sge element, Region region) {
        return region.registered != null
                && element.address() - region.address + element.lengthBytes() <= region.lengthBytes;
    }

    /** Whether it was taken, and not lost. */
    private boolean post(Side side, SendWorkRequest request) {
        return post(side, request, () -> side.qp.postSend(request));
    }

    private boolean post(Side side, SendWorkRequest request, Runnable verb) {
        boolean lost = side.loses(estate.profile, true);
        boolean done = attempt(verb) && !lost;
        if (done) {
            estate.ledger.posted(side.qp.number(), request);
        }
        return done;
    }

    void bind(Side side) {
        Window window = script.pick(estate.windows);
        Region region = estate.regions[script.mostly(4, 0, 1, 2, 3, 5, 6, 7)];
        int flags = POST_FLAGS[script.mostly(0, 1, 2)];
        int access = WINDOW_RIGHTS[script.pick(WINDOW_RIGHTS.length)];
        int lengthBytes = LENGTHS[script.pick(LENGTHS.length)];
        int offset = script.value() * OFFSET_UNIT;
        MemoryWindow allocated = window.allocated;
        MemoryRegion registered = region.registered;
        if (allocated == null || registered == null) {
            return;
        }
        BindInfo info = new BindInfo(registered, region.address + offset, lengthBytes, access);
        long id = estate.ledger.nextId();
        SendWorkRequest request =
                SendWorkRequest.bind(id, flags, allocated, script.mostly(VARIANT, 0x42, 0, window.key), info);
        boolean done = window.type == MemoryWindowType.TYPE_1
                ? post(side, request, () -> side.qp.bindWindow(allocated, new WindowBind(id, flags, info)))
                : post(side, request);
        if (done) {
            window.key = window.type == MemoryWindowType.TYPE_1 ? allocated.rkey() : request.boundKey();
            window.address = (access & AccessFlags.ZERO_BASED) != 0 ? 0 : info.address();
            window.lengthBytes = lengthBytes;
            window.bindings.add(new Window.Binding(
                    id, side, region, window.key, window.address, (long) region.begin + offset, lengthBytes, access));
            estate.paint();
        }
    }

    /** Registers what is not registered, deregisters what is. */
    void toggleRegion() {
        Region region = script.pick(estate.regions);
        int access = Region.RIGHTS[script.pick(Region.RIGHTS.length)];
        MemoryRegion registered = region.registered;
        if (registered == null) {
            attempt(() -> region.register(region.foreign ? estate.foreignPd : estate.pd, estate.ground, access));
        } else if (attempt(registered::close)) {
            region.registered = null;
        }
        estate.paint();
    }

    /** Allocates what is not allocated, deallocates what is. */
    void toggleWindow() {
        Window window = script.pick(estate.windows);
        MemoryWindow allocated = window.allocated;
        if (allocated == null) {
            attempt(() -> window.allocated = estate.pd.allocateWindow(window.type));
        } else if (attempt(allocated::close)) {
            window.allocated = null;
            window.bindings.clear();
        }
        estate.paint();
    }

    void modify(Side side) {
        switch (script.pick(7)) {
            case 0 -> attempt(() -> side.qp.modify(new QpAttributes().state(QpState.ERR)));
            case 1 -> {
                reset(side);
                connect(side);
            }
            case 2 -> connect(side);
            case 3 -> reset(side);
            case 4 -> attempt(() -> side.qp.modify(new QpAttributes().state(QpState.SQD)));
            case 5 -> attempt(() -> side.qp.modify(new QpAttributes().state(QpState.RTS)));
            default -> {
                int access = script.value() & USUAL_RIGHTS;
                if (attempt(() ->
                        side.qp.modify(new QpAttributes().state(QpState.RTS).accessFlags(access)))) {
                    side.access = access;
                }
            }
        }
    }

    /** With whatever was posted in RESET, where that is taken. */
    private void connect(Side side) {
        attempt(() -> estate.connect(side, startPsn(), startPsn()));
    }

    /** Near the end of the numbers, or anywhere. */
    private int startPsn() {
        return script.pick(0, Psn.MASK, Psn.MASK - 3, 0x7f_ffff, 1);
    }

    private void reset(Side side) {
        if (attempt(() -> side.qp.modify(new QpAttributes().state(QpState.RESET)))) {
            estate.reset(side);
        }
    }

    void renew(Side side) {
        if (attempt(side.qp::close)) {
            estate.destroyed(side);
            estate.renew(side);
        }
    }

    /** Whether the verb was not refused. */
    private static boolean attempt(Runnable verb) {
        try {
            verb.run();
            return true;
        } catch (VerbsException refused) {
            if (refused.refusal().toString().isBlank()) {
                throw new AssertionError("a refusal without a sentence", refused);
            }
            return false;
        }
    }
}
