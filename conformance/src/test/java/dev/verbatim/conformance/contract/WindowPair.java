// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.testing.Outcomes.assertEvent;
import static dev.verbatim.testing.Outcomes.assertState;
import static dev.verbatim.testing.Outcomes.assertThat;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.util.Arrays;

/**
 * A pair of which the right side owns memory that can be reached through windows only, and the left side reaches for it.
 * Whatever a test does, it remembers what the memory should hold.
 */
final class WindowPair implements AutoCloseable {

    static final int BYTES = Side.REGION_BYTES;
    static final int READ = AccessFlags.REMOTE_READ;
    static final int WRITE = AccessFlags.REMOTE_WRITE;
    static final int ATOMIC = AccessFlags.REMOTE_ATOMIC;
    static final int ALL = READ | WRITE | ATOMIC;

    /** Where the peer has what READs and atomics bring; below it is what it writes. */
    private static final int RESULTS = BYTES / 2;

    /** Two ends of one connection. */
    record Connection(QueuePair peer, QueuePair owner) {}

    final RcPair pair;
    final Side peer;
    final Side owner;

    /** The owner's memory. Windows of all rights can be bound to it; its own key grants no peer anything. */
    final MemoryRegion region;

    /** The connection that is there from the beginning. */
    final Connection first;

    private final byte[] expected = new byte[BYTES];
    private long id = 1000;

    /** On any pair that is connected. */
    WindowPair(RcPair pair) {
        this.pair = pair;
        this.peer = pair.left;
        this.owner = pair.right;
        this.region = owner.pd.register(Memory.allocate(BYTES), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        this.first = new Connection(peer.qp, owner.qp);
        for (int i = 0; i < BYTES; i++) {
            expected[i] = (byte) (i % 127 + 1);
            peer.bytes().put(i, (byte) -(i % 113 + 1));
        }
        region.memory().buffer().put(0, expected);
    }

    /** On devices that do what the rules say, connected. */
    static WindowPair open(FabricKind fabric) {
        return open(fabric, RcConnection.USUAL);
    }

    static WindowPair open(FabricKind fabric, RcConnection connection) {
        return new WindowPair(fabric.open(QpCapabilities.USUAL).connect(connection));
    }

    /** On two devices whose windows behave like this, connected. */
    static WindowPair open(FabricKind fabric, WindowSwitches switches) {
        return open(fabric, switches, RcConnection.USUAL);
    }

    /** With an owner whose device is like this. */
    static WindowPair open(FabricKind fabric, DeviceProfile ofOwner) {
        return new WindowPair(fabric.open(QpCapabilities.USUAL, DeviceProfile.STRICT_IBTA, ofOwner)
                .connect(RcConnection.USUAL));
    }

    static WindowPair open(FabricKind fabric, WindowSwitches switches, RcConnection connection) {
        DeviceProfile profile = profile(switches);
        return new WindowPair(
                fabric.open(QpCapabilities.USUAL, profile, profile).connect(connection));
    }

    /** On two devices whose windows are meant to break a rule, so that nobody judges them. */
    static WindowPair openUnjudged(FabricKind fabric, WindowSwitches switches) {
        return new WindowPair(
                fabric.openUnjudged(QpCapabilities.USUAL, profile(switches)).connect(RcConnection.USUAL));
    }

    private static DeviceProfile profile(WindowSwitches switches) {
        return DeviceProfile.STRICT_IBTA.toBuilder().windows(switches).build();
    }

    /** One more connection between the two domains. */
    Connection connect() {
        return connect(RcConnection.USUAL, owner.newQueuePair());
    }

    /** One more connection, to a queue pair of the owner that is in RESET. */
    Connection connect(RcConnection attributes, QueuePair ownerQp) {
        Connection connection = new Connection(peer.newQueuePair(), ownerQp);
        attributes.join(connection.peer(), connection.owner());
        return connection;
    }

    /** A queue pair of the owner in a domain of its own, in RESET. */
    QueuePair queuePairOfOtherDomain() {
        return owner.device
                .allocatePd()
                .createQp(QpInitAttributes.rc(owner.sendCq, owner.recvCq, QpCapabilities.USUAL));
    }

    // Windows.

    MemoryWindow window(MemoryWindowType type) {
        return owner.pd.allocateWindow(type);
    }

    long address(int offset) {
        return region.address() + offset;
    }

    /** Some of the owner's memory. */
    BindInfo bytes(int offset, long lengthBytes, int access) {
        return new BindInfo(region, address(offset), lengthBytes, access);
    }

    /** Binds it over the owner's first queue pair; returns the key when the bind has completed. */
    int bind(MemoryWindow window, BindInfo info) {
        return bind(owner.qp, window, info);
    }

    /** Binds it, of whichever type it is; a window of type 2 with the variant after its last. */
    int bind(QueuePair qp, MemoryWindow window, BindInfo info) {
        int key;
        if (window.type() == MemoryWindowType.TYPE_1) {
            qp.bindWindow(window, WindowBind.signaled(++id, info));
            key = window.rkey();
        } else {
            SendWorkRequest request =
                    SendWorkRequest.bindWindow(++id, window, Rkey.increment(window.currentRkey()), info);
            qp.postSend(request);
            key = request.boundKey();
        }
        assertThat(owner.sent()).isSuccess().hasId(id).hasOpcode(WcOpcode.BIND_MW);
        return key;
    }

    /** Invalidates it over the owner's first queue pair. */
    void invalidate(int key) {
        owner.qp.postSend(SendWorkRequest.localInvalidate(++id, key));
        assertThat(owner.sent()).isSuccess().hasId(id).hasOpcode(WcOpcode.LOCAL_INV);
    }

    // What the peer asks for.

    SendWorkRequest write(int key, long address, int lengthBytes) {
        return SendWorkRequest.write(++id, address, key, peer.sge(0, lengthBytes));
    }

    SendWorkRequest read(int key, long address, int lengthBytes) {
        return SendWorkRequest.read(++id, address, key, peer.sge(RESULTS, lengthBytes));
    }

    SendWorkRequest add(int key, long address) {
        return SendWorkRequest.fetchAndAdd(++id, address, key, 1, peer.sge(RESULTS, Long.BYTES));
    }

    /** What one operation needs to be asked for: {@link #READ}, {@link #WRITE} or {@link #ATOMIC}. */
    SendWorkRequest request(int right, int key, long address, int lengthBytes) {
        return switch (right) {
            case READ -> read(key, address, lengthBytes);
            case WRITE -> write(key, address, lengthBytes);
            case ATOMIC -> add(key, address);
            default -> throw new IllegalArgumentException(AccessFlags.describe(right));
        };
    }

    /** Posts a request of the peer and waits for its completion. */
    WorkCompletion ask(Connection connection, SendWorkRequest request) {
        connection.peer().postSend(request);
        WorkCompletion completion = peer.sent();
        assertThat(completion).hasId(request.id());
        return completion;
    }

    // What comes of it.

    /** A WRITE under that key to the address succeeds, and changes the bytes at the offset and no other. */
    void assertWrites(Connection connection, int key, long address, int offset, int lengthBytes) {
        assertThat(ask(connection, write(key, address, lengthBytes))).isSuccess();
        peer.bytes().get(0, expected, offset, lengthBytes);
        assertUntouched();
        // The next WRITE brings others.
        for (int i = 0; i < lengthBytes; i++) {
            peer.bytes().put(i, (byte) (peer.bytes().get(i) + 1));
        }
    }

    void assertWrites(Connection connection, int key, int offset, int lengthBytes) {
        assertWrites(connection, key, address(offset), offset, lengthBytes);
    }

    /** A READ under that key of the address succeeds, and brings the bytes at the offset. */
    void assertReads(Connection connection, int key, long address, int offset, int lengthBytes) {
        peer.bytes().put(RESULTS, new byte[lengthBytes]);
        assertThat(ask(connection, read(key, address, lengthBytes))).isSuccess();
        byte[] actual = new byte[lengthBytes];
        peer.bytes().get(RESULTS, actual);
        assertThat(actual)
                .as("%d bytes of the owner at offset %d", lengthBytes, offset)
                .isEqualTo(Arrays.copyOfRange(expected, offset, offset + lengthBytes));
        assertUntouched();
    }

    void assertReads(Connection connection, int key, int offset, int lengthBytes) {
        assertReads(connection, key, address(offset), offset, lengthBytes);
    }

    /** An atomic under that key on the word at the offset succeeds. */
    void assertAdds(Connection connection, int key, int offset) {
        long before = region.memory().buffer().getLong(offset);
        assertThat(ask(connection, add(key, address(offset)))).isSuccess();
        assertThat(peer.bytes().getLong(RESULTS)).isEqualTo(before);
        assertThat(region.memory().buffer().getLong(offset)).isEqualTo(before + 1);
        region.memory().buffer().get(offset, expected, offset, Long.BYTES);
        assertUntouched();
    }

    /** The operation of that right succeeds on eight bytes at the offset. */
    void assertServes(Connection connection, int right, int key, int offset) {
        switch (right) {
            case READ -> assertReads(connection, key, offset, Long.BYTES);
            case WRITE -> assertWrites(connection, key, offset, Long.BYTES);
            default -> assertAdds(connection, key, offset);
        }
    }

    /** The request ends in REM_ACCESS_ERR and touches no byte; both queue pairs are in ERR, and the owner is told why. */
    void assertDenied(Connection connection, SendWorkRequest request, String rule, String... words) {
        assertDenied(WcStatus.REM_ACCESS_ERR, connection, request, rule, words);
    }

    /** The request ends with that status and touches no byte; both queue pairs are in ERR, and the owner is told why. */
    void assertDenied(WcStatus status, Connection connection, SendWorkRequest request, String rule, String... words) {
        assertThat(ask(connection, request)).hasStatus(status);
        assertState(connection.peer(), QpState.ERR);
        assertState(connection.owner(), QpState.ERR);
        AsyncEvent event = owner.device.pollAsyncEvent();
        assertEvent(event, EventType.QP_ACCESS_ERR, connection.owner());
        assertThat(event.refusal()).isNotNull();
        assertThat(event.refusal().rule()).as("%s", event.refusal()).isEqualTo(rule);
        for (String word : words) {
            assertThat(event.refusal().sentence()).contains(word);
        }
        assertUntouched();
    }

    /** The owner's memory holds what it should. */
    void assertUntouched() {
        byte[] actual = new byte[BYTES];
        region.memory().buffer().get(0, actual);
        assertThat(Arrays.mismatch(actual, expected))
                .as("first offset of the owner's memory that holds another byte than it should")
                .isEqualTo(-1);
        asserted();
    }

    /** The owner's program stores a byte itself. */
    void store(int offset, byte value) {
        region.memory().buffer().put(offset, value);
        expected[offset] = value;
    }

    @Override
    public void close() {
        pair.close();
    }
}
