// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.ManualFabric;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import dev.verbatim.wire.SegmentRun;
import java.util.ArrayList;
import java.util.List;

/** A device with two queue pairs, regions of all kinds and windows; and what of its memory may be touched at present. */
final class Estate {

    static final Gid PEER = Gid.ofGuid(0x99);
    static final int MTU = 256;
    static final int PEER_QP = 0x4242;

    private static final RcConnection USUAL = RcConnection.USUAL
            .withPathMtu(PathMtu.MTU_256)
            .withRetries(8, 3, 3, 12)
            .withDepth(4);
    private static final QpCapabilities SMALL = new QpCapabilities(16, 16, 3, 3, 64);
    private static final int ROOMY = 256;
    private static final int TIGHT = 6;

    final ManualFabric fabric = new ManualFabric();
    /** How many presets two settings can name. */
    static final int PRESETS = 4;

    final DeviceProfile profile;
    final Ground ground = new Ground();
    final Ledger ledger;
    final Device device;
    final ProtectionDomain pd;
    final ProtectionDomain foreignPd;
    final CompletionQueue cq;
    final Side[] sides = new Side[2];
    final Region[] regions = {
        new Region(512, 3584, false),
        new Region(4608, 1536, false),
        new Region(6656, 1024, false),
        new Region(8192, 1024, false),
        new Region(9728, 2048, false),
        new Region(12_288, 512, false),
        new Region(13_312, 1024, true),
        new Region(14_848, 1024, false),
    };
    final Window[] windows = {
        new Window(MemoryWindowType.TYPE_2),
        new Window(MemoryWindowType.TYPE_2),
        new Window(MemoryWindowType.TYPE_1),
        new Window(MemoryWindowType.TYPE_1),
    };

    /** Whether runs are taken apart before the device sees them. */
    final boolean inParts;

    /** How many runs the peer sent. */
    int runs;

    /** Whether answers landed, which may turn out not to be what was asked: then the memory for them holds anything. */
    boolean answersLanded;

    private final Verbatim door;

    Estate(Script script, boolean inParts, boolean fastPath) {
        this.inParts = inParts;
        fabric.fastPath(fastPath);
        profile = DeviceProfile.presets().get((script.setting(0) ? 1 : 0) + (script.setting(1) ? 2 : 0));
        door = Verbatim.over(fabric).profile(profile);
        if (script.setting(2)) {
            door.tap(Estate::tell);
        }
        fabric.reliable(script.setting(3));
        fabric.mostPacketsOfRun(script.setting(7) ? SegmentRun.MOST_PACKETS : 1);
        ledger = new Ledger(script.setting(4));
        device = door.open("device");
        pd = device.allocatePd();
        foreignPd = device.allocatePd();
        cq = device.createCq(script.setting(4) ? TIGHT : ROOMY);
        for (int i = 0; i < regions.length; i++) {
            regions[i].register(regions[i].foreign ? foreignPd : pd, ground, Region.RIGHTS[i]);
        }
        for (Window window : windows) {
            window.allocated = pd.allocateWindow(window.type);
            window.key = window.allocated.rkey();
        }
        for (int i = 0; i < sides.length; i++) {
            sides[i] = new Side(PEER_QP + i, pd.createQp(QpInitAttributes.rc(cq, cq, SMALL)));
            connect(sides[i], 0, 0);
        }
        paint();
    }

    private static void tell(TraceEvent event) {
        if (event.toString().isEmpty()) {
            throw new IllegalStateException("an event that says nothing");
        }
    }

    /** From RESET to RTS. */
    void connect(Side side, int devicePsn, int peerPsn) {
        USUAL.readyToReceive(side.qp, new RcConnection.Endpoint(PEER, side.peerNumber, peerPsn));
        USUAL.readyToSend(side.qp, devicePsn);
        side.begin(peerPsn);
    }

    /** To ERR: also a queue pair in RESET, which some devices take there only by way of INIT (QS-07). */
    void fail(Side side) {
        if (side.qp.state() == QpState.RESET) {
            side.qp.modify(new QpAttributes()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .portNumber(1)
                    .accessFlags(side.access));
        }
        side.qp.modify(new QpAttributes().state(QpState.ERR));
    }

    /** A queue pair in the place of one that was destroyed. */
    void renew(Side side) {
        side.qp = pd.createQp(QpInitAttributes.rc(cq, cq, SMALL));
        connect(side, 0, 0);
    }

    /** The queue pair was reset: its requests are gone, and with the strict rule what it bound (MW-94). */
    void reset(Side side) {
        requestsGone(side, profile.windows().keepOverReset());
    }

    /** The queue pair was destroyed: its requests and what it bound are gone. */
    void destroyed(Side side) {
        requestsGone(side, false);
    }

    private void requestsGone(Side side, boolean windowsStay) {
        ledger.forget(side.qp.number());
        for (Window window : windows) {
            window.bindings.removeIf(binding -> !windowsStay
                    && window.type == MemoryWindowType.TYPE_2
                    && binding.side().equals(side));
        }
        side.asked.clear();
        paint();
    }

    /** What a completion tells about windows. */
    void windowsAfter(Side side, Ledger.Entry entry, WorkCompletion completion) {
        int before = bindings();
        SendWorkRequest send = entry.send();
        for (Window window : windows) {
            if (completion.status() == WcStatus.MW_BIND_ERR) {
                window.bindings.removeIf(binding -> binding.request() == entry.id());
            } else if (!completion.isSuccess()) {
                continue;
            } else if (send == null && completion.has(WcFlags.WITH_INV)) {
                window.invalidatedByPeer(side, completion.invalidatedKey());
            } else if (send != null && send.opcode() == WrOpcode.BIND_MW) {
                window.bound(side, entry.id());
            } else if (send != null && send.opcode() == WrOpcode.LOCAL_INV) {
                window.invalidated(side, send.invalidateKey(), entry.id());
            }
        }
        if (bindings() != before) {
            paint();
        }
    }

    private int bindings() {
        int sum = 0;
        for (Window window : windows) {
            sum += window.bindings.size();
        }
        return sum;
    }

    /** Who may touch what has changed. */
    void paint() {
        List<Region> covered = new ArrayList<>();
        List<Ground.Range> readable = new ArrayList<>();
        for (Region region : regions) {
            if (region.registered != null) {
                covered.add(region);
                if (!region.foreign && (region.registered.access() & AccessFlags.REMOTE_READ) != 0) {
                    readable.add(new Ground.Range(region.begin, region.begin + region.lengthBytes));
                }
            }
        }
        for (Window window : windows) {
            for (Window.Binding binding : window.bindings) {
                Region under = binding.region();
                long begin = Math.max(binding.begin(), under.begin);
                long end = Math.min(binding.begin() + binding.lengthBytes(), under.begin + under.lengthBytes);
                if (begin < end && under.registered != null && (binding.access() & AccessFlags.REMOTE_READ) != 0) {
                    readable.add(new Ground.Range((int) begin, (int) end));
                }
            }
        }
        ground.paint(covered, readable);
    }

    /** Whether the peer of that queue pair may do that to this byte. */
    boolean opens(Side side, int rights, Touch touch, int index) {
        for (Region region : regions) {
            if (!region.foreign
                    && region.gives(rights, index)
                    && touch.names(region.address + (index - region.begin))) {
                return true;
            }
        }
        for (Window window : windows) {
            if (window.gives(side, rights, touch, index)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an open request of the queue pair lets the device write this byte. */
    boolean awaits(Side side, boolean message, int index) {
        List<Ledger.Entry> entries = ledger.of(side.qp.number(), !message);
        for (Ledger.Entry entry : entries) {
            if (message || entry.takesAnswer()) {
                for (Sge element : entry.elements()) {
                    if (names(element, index)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean names(Sge element, int index) {
        for (Region region : regions) {
            if (!region.foreign
                    && region.registered != null
                    && region.registered.lkey() == element.lkey()
                    && region.gives(AccessFlags.LOCAL_WRITE, index)) {
                long at = region.address + (index - region.begin) - element.address();
                if (at >= 0 && at < Integer.toUnsignedLong(element.lengthBytes())) {
                    return true;
                }
            }
        }
        return false;
    }

    void close() {
        door.close();
    }
}
