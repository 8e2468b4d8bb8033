// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.guide;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WindowBinding;
import java.util.stream.Collectors;

/** A window's life from beginning to end, of each type. The page quotes what stands between the marks. */
final class WindowLives {

    private WindowLives() {}

    static String type1() {
        try (Stage stage = Stage.set()) {
            Side owner = stage.owner;
            Side user = stage.user;
            // type-1 begins
            MemoryWindow window = owner.pd().allocateWindow(MemoryWindowType.TYPE_1);
            BindInfo part = new BindInfo(owner.region(), owner.region().address(), 64, AccessFlags.REMOTE_READ);
            owner.done(window, WindowBind.signaled(1, part));
            user.done(SendWorkRequest.read(2, part.address(), window.rkey(), user.sge(64)));
            BindInfo other = new BindInfo(owner.region(), part.address() + 1024, 64, AccessFlags.REMOTE_WRITE);
            owner.done(window, WindowBind.signaled(3, other)); // the first key dies
            user.done(SendWorkRequest.write(4, other.address(), window.rkey(), user.sge(64)));
            owner.done(window, WindowBind.signaled(5, BindInfo.NOTHING)); // the second one, too
            // type-1 ends
            return stage.drawing() + life(window);
        }
    }

    static String type2() {
        try (Stage stage = Stage.set()) {
            Side owner = stage.owner;
            Side user = stage.user;
            // type-2 begins
            MemoryWindow window = owner.pd().allocateWindow(MemoryWindowType.TYPE_2);
            BindInfo part = new BindInfo(owner.region(), owner.region().address(), 64, AccessFlags.REMOTE_WRITE);
            SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 0x41, part);
            owner.done(bind);
            user.done(SendWorkRequest.write(2, part.address(), bind.boundKey(), user.sge(64)));
            owner.done(SendWorkRequest.localInvalidate(3, bind.boundKey()));
            SendWorkRequest again = SendWorkRequest.bindWindow(4, window, 0x42, part);
            owner.done(again);
            window.close(); // in whatever state it is
            // type-2 ends
            return stage.drawing();
        }
    }

    private static String life(MemoryWindow window) {
        return window.life().stream().map(WindowBinding::toString).collect(Collectors.joining("\n", "\n", "\n"));
    }
}
