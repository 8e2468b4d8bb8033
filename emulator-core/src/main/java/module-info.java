// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** An RDMA device in pure Java. */
module dev.verbatim.emulator {
    requires transitive java.management;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.verbatim;
    exports dev.verbatim.cm;
    exports dev.verbatim.fabric;
    exports dev.verbatim.inspect;
    exports dev.verbatim.live;
    exports dev.verbatim.operation;
    exports dev.verbatim.page;
    exports dev.verbatim.page.fold;
    exports dev.verbatim.place;
    exports dev.verbatim.profile;
    exports dev.verbatim.sanitizer;
    exports dev.verbatim.sim;
    exports dev.verbatim.trace;
    exports dev.verbatim.verbs;
    exports dev.verbatim.visibility;
    exports dev.verbatim.wire;
    exports dev.verbatim.fabric.carrier to
            dev.verbatim.transport.netty;

    uses dev.verbatim.fabric.FabricProvider;
}
