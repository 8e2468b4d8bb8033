// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.guide;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;

/** What the device says when a window is bound or used as it cannot be: each check made to refuse, in its order. */
final class WindowRefusals {

    private static final int WRITABLE = AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND;
    private static final int BYTES = 64;
    private static final int MORE_THAN_IS_REMEMBERED = 20_000;

    private WindowRefusals() {}

    /** Something that is done on a stage, and what was said. */
    private interface Scene {
        Object play(Stage stage, Side user, Side owner);
    }

    private static Object on(DeviceProfile profile, Scene scene) {
        try (Stage stage = Stage.set(profile)) {
            return String.valueOf(scene.play(stage, stage.user, stage.owner));
        }
    }

    private static Object on(Scene scene) {
        return on(DeviceProfile.STRICT_IBTA, scene);
    }

    private static DeviceProfile with(WindowSwitches switches) {
        return DeviceProfile.STRICT_IBTA.toBuilder().windows(switches).build();
    }

    private static Object write(Stage stage, Side user, long address, int rkey) {
        user.done(SendWorkRequest.write(9, address, rkey, user.sge(1)));
        return stage.reason();
    }

    static String posting() {
        Sentences said = new Sentences();
        try (Stage stage = Stage.set()) {
            Side owner = stage.owner;
            MemoryWindow type1 = owner.window(MemoryWindowType.TYPE_1);
            MemoryWindow type2 = owner.window(MemoryWindowType.TYPE_2);
            MemoryRegion strange =
                    owner.device().allocatePd().register(owner.region().memory(), WRITABLE);
            int zeroBased = AccessFlags.REMOTE_READ | AccessFlags.ZERO_BASED;
            return said.addRefused("the verb, with a window of type 2", () -> bind(owner, type2, owner.part(0, BYTES)))
                    .addRefused(
                            "a range without a region",
                            () -> bind(owner, type1, new BindInfo(null, 0, BYTES, AccessFlags.REMOTE_READ)))
                    .addRefused(
                            "a region of another domain",
                            () -> bind(owner, type1, BindInfo.of(strange, AccessFlags.REMOTE_READ)))
                    .addRefused(
                            "type 1, to be addressed from 0", () -> bind(owner, type1, owner.part(0, BYTES, zeroBased)))
                    .addRefused(
                            "BIND_MW, with a window of type 1",
                            () -> owner.done(SendWorkRequest.bindWindow(1, type1, 1, owner.part(0, BYTES))))
                    .toString();
        }
    }

    private static void bind(Side owner, MemoryWindow window, BindInfo info) {
        owner.qp().bindWindow(window, WindowBind.signaled(1, info));
    }

    static String binding() {
        return new Sentences()
                .add(
                        "a right that windows do not have",
                        on((stage, user, owner) -> failing(owner, owner.part(0, BYTES, AccessFlags.MW_BIND))))
                .add("a window that is bound", on((stage, user, owner) -> {
                    MemoryWindow window = owner.window(MemoryWindowType.TYPE_2);
                    owner.bound(window, 1, owner.part(0, BYTES));
                    return failing(owner, window, owner.part(1024, BYTES));
                }))
                .add("over a queue pair of another domain", on((stage, user, owner) -> {
                    MemoryWindow window = owner.device().allocatePd().allocateWindow(MemoryWindowType.TYPE_2);
                    return failing(owner, window, owner.part(0, BYTES));
                }))
                .add("type 2, to nothing", on((stage, user, owner) -> failing(owner, BindInfo.NOTHING)))
                .add("to a region of another domain", on((stage, user, owner) -> {
                    ProtectionDomain other = owner.device().allocatePd();
                    return failing(owner, all(other.register(owner.region().memory(), WRITABLE)));
                }))
                .add(
                        "to a region that is addressed from 0",
                        on((stage, user, owner) ->
                                failing(owner, all(another(owner, WRITABLE | AccessFlags.ZERO_BASED)))))
                .add(
                        "to a region without MW_BIND",
                        on((stage, user, owner) -> failing(owner, all(another(owner, AccessFlags.LOCAL_WRITE)))))
                .add(
                        "for writing, to a region that is read only",
                        on((stage, user, owner) -> failing(owner, all(another(owner, AccessFlags.MW_BIND)))))
                .add(
                        "one byte too far",
                        on((stage, user, owner) -> failing(
                                owner, owner.part(1, (int) owner.region().lengthBytes()))))
                .toString();
    }

    private static MemoryRegion another(Side owner, int access) {
        Memory memory = owner.region().memory();
        return owner.pd().register(memory, access);
    }

    private static BindInfo all(MemoryRegion region) {
        return BindInfo.of(region, AccessFlags.REMOTE_WRITE);
    }

    private static Object failing(Side owner, BindInfo info) {
        return failing(owner, owner.window(MemoryWindowType.TYPE_2), info);
    }

    private static Object failing(Side owner, MemoryWindow window, BindInfo info) {
        WorkCompletion completion = owner.done(SendWorkRequest.bindWindow(1, window, 2, info));
        return completion.status() + ": " + completion.refusal();
    }

    static String access() {
        int readOnly = AccessFlags.REMOTE_READ;
        return new Sentences()
                .add("the queue pair does not grant it", on((stage, user, owner) -> {
                    owner.connectTo(user, RcConnection.USUAL.withAccess(readOnly));
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    return write(stage, user, owner.region().address(), key);
                }))
                .add("an atomic at an odd address", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    user.done(SendWorkRequest.fetchAndAdd(9, owner.region().address() + 1, key, 1, user.sge(8)));
                    return stage.reason();
                }))
                .add("another low byte", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    return write(stage, user, owner.region().address(), key + 1);
                }))
                .add("type 1, over a queue pair of another domain", on((stage, user, owner) -> {
                    MemoryWindow window = owner.window(MemoryWindowType.TYPE_1);
                    owner.done(window, WindowBind.signaled(1, owner.part(0, BYTES)));
                    ProtectionDomain other = owner.device().allocatePd();
                    Side further = new Side(
                            owner.device(),
                            other,
                            owner.cq(),
                            other.createQp(QpInitAttributes.rc(owner.cq())),
                            owner.region());
                    user.connect(further);
                    return write(stage, user, owner.region().address(), window.rkey());
                }))
                .add("type 2, over another queue pair", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    return write(stage, stage.further().user(), owner.region().address(), key);
                }))
                .add("a right that the window does not have", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES, readOnly));
                    return write(stage, user, owner.region().address(), key);
                }))
                .add("one byte behind the window", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    return write(stage, user, owner.region().address() + BYTES, key);
                }))
                .add("a region that is gone, where boundRegion is ORPHAN", on(orphans(), (stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    owner.region().close();
                    return write(stage, user, owner.region().address(), key);
                }))
                .add("no bytes at all, whatever the key", on((stage, user, owner) -> {
                    return user.done(SendWorkRequest.write(9, 0, 0, user.sge(0)));
                }))
                .toString();
    }

    private static DeviceProfile orphans() {
        return with(WindowSwitches.STRICT.toBuilder()
                .boundRegion(WindowSwitches.BoundRegion.ORPHAN)
                .build());
    }

    static String staleKeys() {
        return new Sentences()
                .add("never bound", on((stage, user, owner) -> {
                    int key = owner.window(MemoryWindowType.TYPE_2).rkey();
                    return write(stage, user, owner.region().address(), key);
                }))
                .add("bind posted, and not executed yet", on((stage, user, owner) -> {
                    owner.qp().modify(new QpAttributes().state(QpState.SQD));
                    MemoryWindow window = owner.window(MemoryWindowType.TYPE_1);
                    bind(owner, window, owner.part(0, BYTES));
                    return write(stage, user, owner.region().address(), window.rkey());
                }))
                .add(
                        "type 1, bound elsewhere",
                        on((stage, user, owner) -> afterNextBind(stage, owner.part(1024, BYTES))))
                .add("type 1, bound to nothing", on((stage, user, owner) -> afterNextBind(stage, BindInfo.NOTHING)))
                .add("type 2, LOCAL_INV", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    owner.done(SendWorkRequest.localInvalidate(2, key));
                    return write(stage, user, owner.region().address(), key);
                }))
                .add("type 2, SEND_WITH_INV", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    owner.qp().postRecv(ReceiveWorkRequest.of(2));
                    user.done(SendWorkRequest.sendWithInvalidate(3, key));
                    return write(stage, user, owner.region().address(), key);
                }))
                .add("deallocated", on((stage, user, owner) -> {
                    MemoryWindow window = owner.window(MemoryWindowType.TYPE_2);
                    int key = owner.bound(window, 1, owner.part(0, BYTES));
                    window.close();
                    return write(stage, user, owner.region().address(), key);
                }))
                .add("type 2B, its queue pair reset since", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    user.connect(owner);
                    return write(stage, user, owner.region().address(), key);
                }))
                .add("the key of a region that was deregistered", on((stage, user, owner) -> {
                    MemoryRegion open = another(owner, WRITABLE | AccessFlags.REMOTE_WRITE);
                    open.close();
                    return write(stage, user, open.address(), open.rkey());
                }))
                .add("the same, when more has been revoked than is remembered", on((stage, user, owner) -> {
                    MemoryRegion open = another(owner, WRITABLE | AccessFlags.REMOTE_WRITE);
                    open.close();
                    for (int i = 0; i < MORE_THAN_IS_REMEMBERED; i++) {
                        another(owner, WRITABLE).close();
                    }
                    return write(stage, user, open.address(), open.rkey());
                }))
                .toString();
    }

    private static Object afterNextBind(Stage stage, BindInfo next) {
        Side owner = stage.owner;
        MemoryWindow window = owner.window(MemoryWindowType.TYPE_1);
        owner.done(window, WindowBind.signaled(1, owner.part(0, BYTES)));
        int key = window.rkey();
        owner.done(window, WindowBind.signaled(2, next));
        return write(stage, stage.user, owner.region().address(), key);
    }

    /** TR-11. */
    static String queuePairGone() {
        try (Stage stage = Stage.set()) {
            Side owner = stage.owner;
            MemoryWindow window = owner.window(MemoryWindowType.TYPE_2);
            int key = owner.bound(window, 1, owner.part(0, BYTES));
            Stage.Further further = stage.further();
            owner.qp().close();
            Sentences said = new Sentences()
                    .add(
                            "the next queue pair of the same two",
                            write(stage, further.user(), owner.region().address(), key))
                    .add("LOCAL_INV on another", stage.further().owner().done(SendWorkRequest.localInvalidate(2, key)))
                    .addRefused("deregistration", owner.region()::close);
            window.close();
            owner.region().close();
            return said.add("deallocation of the window, and then deregistration", "both are done")
                    .toString();
        }
    }

    static String mistakes() {
        Sentences said = new Sentences()
                .add(
                        "the peer was told window.rkey(), and the bind asked for another low byte",
                        on((stage, user, owner) -> {
                            MemoryWindow window = owner.window(MemoryWindowType.TYPE_2);
                            owner.bound(window, 0x41, owner.part(0, BYTES));
                            return write(stage, user, owner.region().address(), window.rkey());
                        }))
                .add("LOCAL_INV of window.rkey(), for the same reason", on((stage, user, owner) -> {
                    MemoryWindow window = owner.window(MemoryWindowType.TYPE_2);
                    owner.bound(window, 0x41, owner.part(0, BYTES));
                    return owner.done(SendWorkRequest.localInvalidate(2, window.rkey()));
                }))
                .add("LOCAL_INV of a window of type 1", on((stage, user, owner) -> {
                    MemoryWindow window = owner.window(MemoryWindowType.TYPE_1);
                    owner.done(window, WindowBind.signaled(1, owner.part(0, BYTES)));
                    return owner.done(SendWorkRequest.localInvalidate(2, window.rkey()));
                }))
                .add("LOCAL_INV on another queue pair", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    return stage.further().owner().done(SendWorkRequest.localInvalidate(2, key));
                }))
                .add("the owner uses the window's key as a local key", on((stage, user, owner) -> {
                    int key = owner.bound(owner.window(MemoryWindowType.TYPE_2), 1, owner.part(0, BYTES));
                    return owner.done(
                            SendWorkRequest.send(2, new Sge(owner.region().address(), 8, key)));
                }));
        try (Stage stage = Stage.set()) {
            MemoryWindow window = stage.owner.window(MemoryWindowType.TYPE_2);
            stage.owner.bound(window, 1, stage.owner.part(0, BYTES));
            said.addRefused("deregistration under a window", stage.owner.region()::close);
        }
        try (Stage stage = Stage.set(with(
                WindowSwitches.STRICT.toBuilder().type2(WindowSwitches.Type2.A).build()))) {
            stage.owner.bound(stage.owner.window(MemoryWindowType.TYPE_2), 1, stage.owner.part(0, BYTES));
            said.addRefused(
                    "destruction of a queue pair over which a window of type 2A is bound", stage.owner.qp()::close);
        }
        return said.toString();
    }
}
