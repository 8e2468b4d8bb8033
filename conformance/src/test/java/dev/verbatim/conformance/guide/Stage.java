// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.guide;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.conformance.narration.Narrator;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressSpace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two connected devices: one owns memory and windows, the other uses them. What they do is noted and can be drawn. */
final class Stage implements AutoCloseable {

    private final Verbatim rdma;
    private final List<TraceEvent> noted = new ArrayList<>();
    final Side user;
    final Side owner;

    private Stage(Verbatim rdma, DeviceProfile profile) {
        this.rdma = rdma.profile(profile).tap(noted::add);
        AddressSpace addresses = new AddressSpace();
        this.user = Side.open(rdma.open("user"), addresses, AccessFlags.LOCAL_WRITE);
        this.owner = Side.open(rdma.open("owner"), addresses, AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        user.connect(owner);
        noted.clear();
    }

    static Stage set() {
        return set(DeviceProfile.STRICT_IBTA);
    }

    static Stage set(DeviceProfile profile) {
        return new Stage(Verbatim.inProcess(), profile);
    }

    /** On a fabric whose packets take time. */
    static Stage on(Fabric fabric) {
        return new Stage(Verbatim.over(fabric), DeviceProfile.STRICT_IBTA);
    }

    /** What was done since the last time, or since the two were connected. */
    String drawing() {
        StringWriter text = new StringWriter();
        new Diagram(new PrintWriter(text), false, Diagram.MOST_WIDTH_CHARS, true, user.name(), owner.name())
                .draw(noted.stream().map(event -> Narrator.tell(0, event)).toList());
        noted.clear();
        return text.toString().replace("\r\n", "\n");
    }

    /** Another queue pair of each side, connected to one another. */
    Stage.Further further() {
        Side anotherUser = user.further();
        Side anotherOwner = owner.further();
        anotherUser.connect(anotherOwner);
        return new Further(anotherUser, anotherOwner);
    }

    /** More queue pairs of the same domains. */
    record Further(Side user, Side owner) {}

    /** Why the owner's device ended its queue pair. */
    @Nullable
    Object reason() {
        return owner.nextEvent().refusal();
    }

    @Override
    public void close() {
        rdma.close();
    }
}
