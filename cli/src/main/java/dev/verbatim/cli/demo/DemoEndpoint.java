// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.cm.Endpoint;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one side of the demo owns: one of everything that a program needs to talk to another. */
final class DemoEndpoint implements AutoCloseable {

    /** Far more than anything in the demo takes: retries on a TCP connection that is gone end within 5 s. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int CQ_ENTRIES = 64;
    private static final int ALL_RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;

    private final Device device;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final MemoryRegion region;
    private @Nullable Endpoint end;
    private @Nullable Endpoint retired;
    private @Nullable SideDescription peer;
    private @Nullable MemoryWindow window;
    private @Nullable WindowAdvertisement advertisement;

    /** Makes everything on a device; memory comes from {@code addresses}. */
    DemoEndpoint(Device device, AddressSpace addresses) {
        this.device = device;
        this.pd = device.allocatePd();
        this.cq = device.createCq(CQ_ENTRIES);
        this.region = pd.register(addresses.allocate(DemoScript.REGION_BYTES), ALL_RIGHTS);
    }

    /** What this side tells the other when they connect. */
    private DemoPrivateData greeting(int linePort) {
        return new DemoPrivateData(
                ProcessHandle.current().pid(),
                region.address(),
                Math.toIntExact(region.lengthBytes()),
                region.rkey(),
                linePort);
    }

    /** What is to be known of this side, once it is connected. */
    SideDescription description() {
        return SideDescription.of(device.name(), device.gid(), qp().number(), greeting(0));
    }

    /** What is to be known of the other, once they are connected. */
    SideDescription peer() {
        return Objects.requireNonNull(peer, "not connected yet");
    }

    /**
     * Connects to the listener at that address, with a new queue pair.
     *
     * @return the port at which the other waits for lines of text
     */
    int connect(InetSocketAddress destination) {
        Endpoint fresh = Endpoint.connect(device, destination, pd, QpInitAttributes.rc(cq), said(0), PATIENCE);
        end = fresh;
        return met(fresh, Diagram.RIGHT);
    }

    /** Accepts, with a new queue pair. */
    void accept(ConnectionRequest request, int linePort) {
        Endpoint fresh = request.accept(pd, QpInitAttributes.rc(cq), said(linePort), PATIENCE);
        end = fresh;
        met(fresh, Diagram.LEFT);
    }

    private ConnectionParameters said(int linePort) {
        return ConnectionParameters.USUAL.withPrivateData(greeting(linePort).toBytes());
    }

    private int met(Endpoint fresh, String name) {
        DemoPrivateData heard = DemoPrivateData.parse(fresh.privateData());
        QpAttributes attributes = fresh.qp().query();
        AddressVector method = Objects.requireNonNull(attributes.addressVector(), "a connected queue pair has a way");
        peer = SideDescription.of(name, method.destination(), attributes.destinationQp(), heard);
        return heard.linePort();
    }

    /** Ends the connection, if there is one, and waits until the other has said that it is over. */
    void disconnect() {
        Endpoint present = end;
        if (present != null) {
            end = null;
            retired = present;
            requireOver(() -> present.disconnect(PATIENCE));
        }
    }

    /** Destroys the queue pair of the connection that is over, if there is one. */
    void tidy() {
        if (retired != null) {
            retired.close();
            retired = null;
        }
    }

    /**
     * Waits until the other has ended the connection, and says that it is over.
     *
     * @return who the other is; null if there was no connection
     */
    @Nullable
    Gid awaitDisconnected() {
        Endpoint present = end;
        if (present == null) {
            return null;
        }
        requireOver(() -> present.awaitDisconnected(PATIENCE));
        disconnect();
        return peer().gid();
    }

    private static void requireOver(Runnable wait) {
        try {
            wait.run();
        } catch (VerbsException e) {
            if (e.errno() != Errno.ETIMEDOUT) {
                throw e;
            }
            throw VerbsException.of(
                    Errno.ETIMEDOUT,
                    Rule.N_05,
                    "the other side did not end the connection within %d s; check that it is running",
                    PATIENCE.toSeconds());
        }
    }

    private QueuePair qp() {
        return Objects.requireNonNull(end, "not connected yet").qp();
    }

    /** The program's own view of its memory. */
    ByteBuffer bytes() {
        return region.memory().buffer();
    }

    /** Writes an ASCII text into the own memory. */
    void put(int offset, String text) {
        bytes().put(offset, text.getBytes(StandardCharsets.US_ASCII));
    }

    MemoryRegion region() {
        return region;
    }

    void post(SendWorkRequest request) {
        qp().postSend(request);
    }

    void postReceive(long id) {
        qp().postRecv(ReceiveWorkRequest.of(id, region.sge(DemoScript.INBOX, DemoScript.RECEIVE_BYTES)));
    }

    /** A request that opens bytes of the region to the peer, for writing, through a window that is allocated for it. */
    SendWorkRequest open(long id, int offset, int lengthBytes, int variant) {
        MemoryWindow fresh = pd.allocateWindow(MemoryWindowType.TYPE_2);
        window = fresh;
        BindInfo info = new BindInfo(region, region.address() + offset, lengthBytes, AccessFlags.REMOTE_WRITE);
        SendWorkRequest bind = SendWorkRequest.bindWindow(id, fresh, variant, info);
        advertisement = new WindowAdvertisement(lengthBytes, info.address(), bind.boundKey());
        return bind;
    }

    /** A message that tells the peer of what was opened. */
    SendWorkRequest tellOffer(long id, int offset) {
        put(offset, String.valueOf(advertisement));
        return SendWorkRequest.send(id, region.sge(offset, WindowAdvertisement.TEXT_BYTES));
    }

    /** How the next work request ended; null if none did within this time. */
    @Nullable
    WorkCompletion awaitCompletion(Duration patience) {
        try {
            return cq.awaitCompletion(patience);
        } catch (VerbsException e) {
            if (e.errno() == Errno.ETIMEDOUT) {
                return null;
            }
            throw e;
        }
    }

    /** The next event of the queue pair; null if none came within this time. That peers came and went before is the port's. */
    @Nullable
    EventType awaitEvent(Duration patience) {
        try {
            AsyncEvent event = device.getAsyncEvent(patience);
            while (event.queuePair() == null) {
                event.acknowledge();
                event = device.getAsyncEvent(patience);
            }
            event.acknowledge();
            return event.type();
        } catch (VerbsException e) {
            if (e.errno() == Errno.ETIMEDOUT) {
                return null;
            }
            throw e;
        }
    }

    /** Returns when whatever the device was doing is done: a completion is seen before its step is over. */
    void settle() {
        qp().query();
    }

    /** What memory holds of what it should, and whether it does. */
    StepOutcome look(DemoStep step, boolean asExpected, List<String> observed) {
        boolean all = asExpected;
        List<String> sentences = new ArrayList<>(observed);
        for (ExpectedMemory expected : step.expectedMemory()) {
            if (expected.side().equals(device.name())) {
                String where = String.format(Locale.ROOT, "0x%x", region.address() + expected.offset());
                sentences.add(where + " holds " + expected.describe(bytes()));
                all &= expected.isIn(bytes());
            }
        }
        return new StepOutcome(device.name(), all, sentences);
    }

    @Override
    public void close() {
        tidy();
        if (end != null) {
            end.close();
        }
        cq.close();
        if (window != null) {
            window.close();
        }
        region.close();
        pd.close();
    }
}
