// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

/**
 * One packet, as the engine passes it along: a holder that is filled, read and filled again, so that no packet costs an object.
 *
 * <p>All headers are flattened into one set of fields. {@link #begin} resets them and says, by the opcode, which of them the
 * packet carries; the others are zero and never written to the wire. Each setter refuses a value wider than its field,
 * and returns the packet. A holder belongs to one user at a time: a method that gets one reads what it needs before it returns.
 */
public final class Packet {
    /** The partition key that every port has, with full membership. */
    public static final int DEFAULT_PKEY = 0xffff;

    private final Payload payload = new Payload();
    private Opcode opcode = Opcode.SEND_ONLY;
    private boolean solicited;
    private boolean migRequest = true;
    private int pkey = DEFAULT_PKEY;
    private boolean fecn;
    private boolean becn;
    private int destQp;
    private boolean ackRequest;
    private int psn;
    private long remoteAddress;
    private int remoteKey;
    private int dmaLengthBytes;
    private long swapOrAdd;
    private long compare;
    private int syndrome;
    private int messageSequence;
    private long originalData;
    private int immediate;
    private int invalidateKey;
    private int flushType;
    private int flushLevel;
    private int queueKey;
    private int sourceQp;
    private int srqNumber;
    private int trafficClass;
    private int flowLabel;
    private int hopLimit = GrhFields.USUAL_HOP_LIMIT;
    private int packets = 1;

    /** A fresh holder is an empty SEND_ONLY. */
    public Packet() {}

    /**
     * Starts a new packet: every field is zero or false again, but P_Key is 0xffff, MigReq set and the hop limit 64; the payload is
     * empty.
     */
    public Packet begin(Opcode opcode) {
        this.opcode = opcode;
        solicited = false;
        migRequest = true;
        pkey = DEFAULT_PKEY;
        fecn = false;
        becn = false;
        destQp = 0;
        ackRequest = false;
        psn = 0;
        remoteAddress = 0;
        remoteKey = 0;
        dmaLengthBytes = 0;
        swapOrAdd = 0;
        compare = 0;
        syndrome = 0;
        messageSequence = 0;
        originalData = 0;
        immediate = 0;
        invalidateKey = 0;
        flushType = 0;
        flushLevel = 0;
        queueKey = 0;
        sourceQp = 0;
        srqNumber = 0;
        trafficClass = 0;
        flowLabel = 0;
        hopLimit = GrhFields.USUAL_HOP_LIMIT;
        packets = 1;
        payload.clear();
        return this;
    }

    /** Does the same, and sets the queue pair and the PSN that it is for. */
    public Packet begin(Opcode opcode, int destQp, int psn) {
        begin(opcode);
        if (((destQp | psn) & ~Layout.LOW_24_BITS) != 0) {
            return destQp(destQp).psn(psn);
        }
        this.destQp = destQp;
        this.psn = psn;
        return this;
    }

    /** Takes over the opcode and every header field of another packet; the payload of this one stays as it is. */
    public void copyHeadersFrom(Packet other) {
        opcode = other.opcode;
        solicited = other.solicited;
        migRequest = other.migRequest;
        pkey = other.pkey;
        fecn = other.fecn;
        becn = other.becn;
        destQp = other.destQp;
        ackRequest = other.ackRequest;
        psn = other.psn;
        remoteAddress = other.remoteAddress;
        remoteKey = other.remoteKey;
        dmaLengthBytes = other.dmaLengthBytes;
        swapOrAdd = other.swapOrAdd;
        compare = other.compare;
        syndrome = other.syndrome;
        messageSequence = other.messageSequence;
        originalData = other.originalData;
        immediate = other.immediate;
        invalidateKey = other.invalidateKey;
        flushType = other.flushType;
        flushLevel = other.flushLevel;
        queueKey = other.queueKey;
        sourceQp = other.sourceQp;
        srqNumber = other.srqNumber;
        trafficClass = other.trafficClass;
        flowLabel = other.flowLabel;
        hopLimit = other.hopLimit;
        packets = other.packets;
    }

    /** Returns the payload of this packet, always the same object, to be read or to be added to. */
    public Payload payload() {
        return payload;
    }

    public Opcode opcode() {
        return opcode;
    }

    /** Whether the receiver is asked to raise a solicited completion event. */
    public boolean solicited() {
        return solicited;
    }

    public Packet solicited(boolean solicited) {
        this.solicited = solicited;
        return this;
    }

    /** The migration state bit; set unless a path migration is under way. */
    public boolean migRequest() {
        return migRequest;
    }

    public Packet migRequest(boolean migRequest) {
        this.migRequest = migRequest;
        return this;
    }

    /** Partition key, 16 bits. */
    public int pkey() {
        return pkey;
    }

    public Packet pkey(int pkey) {
        this.pkey = Layout.requireFits("pkey", pkey, Layout.LOW_16_BITS);
        return this;
    }

    /** Forward congestion notification. */
    public boolean fecn() {
        return fecn;
    }

    public Packet fecn(boolean fecn) {
        this.fecn = fecn;
        return this;
    }

    /** Backward congestion notification. */
    public boolean becn() {
        return becn;
    }

    public Packet becn(boolean becn) {
        this.becn = becn;
        return this;
    }

    /** Number of the queue pair that is to receive this packet, 24 bits. */
    public int destQp() {
        return destQp;
    }

    public Packet destQp(int destQp) {
        this.destQp = Layout.requireFits("destQp", destQp, Layout.LOW_24_BITS);
        return this;
    }

    /** Whether the responder is asked for an acknowledgement of this packet. */
    public boolean ackRequest() {
        return ackRequest;
    }

    public Packet ackRequest(boolean ackRequest) {
        this.ackRequest = ackRequest;
        return this;
    }

    /** Packet sequence number, 24 bits; see {@link Psn}. */
    public int psn() {
        return psn;
    }

    public Packet psn(int psn) {
        this.psn = Layout.requireFits("psn", psn, Layout.LOW_24_BITS);
        return this;
    }

    /** Remote virtual address, of RETH or AtomicETH. */
    public long remoteAddress() {
        return remoteAddress;
    }

    public Packet remoteAddress(long remoteAddress) {
        this.remoteAddress = remoteAddress;
        return this;
    }

    /** R_Key, of RETH or AtomicETH. */
    public int remoteKey() {
        return remoteKey;
    }

    public Packet remoteKey(int remoteKey) {
        this.remoteKey = remoteKey;
        return this;
    }

    /** Length of the whole WRITE, READ or FLUSH in bytes, of RETH: an unsigned 32-bit number. */
    public int dmaLengthBytes() {
        return dmaLengthBytes;
    }

    public Packet dmaLengthBytes(int dmaLengthBytes) {
        this.dmaLengthBytes = dmaLengthBytes;
        return this;
    }

    /** Sets address, R_Key and length of RETH. */
    public Packet remoteRange(long address, int key, int lengthBytes) {
        remoteAddress = address;
        remoteKey = key;
        dmaLengthBytes = lengthBytes;
        return this;
    }

    /** New value of a compare-and-swap, or summand of a fetch-and-add. */
    public long swapOrAdd() {
        return swapOrAdd;
    }

    public Packet swapOrAdd(long swapOrAdd) {
        this.swapOrAdd = swapOrAdd;
        return this;
    }

    /** Value that a compare-and-swap expects; fetch-and-add does not use it. */
    public long compare() {
        return compare;
    }

    public Packet compare(long compare) {
        this.compare = compare;
        return this;
    }

    /** Syndrome byte of AETH; see {@link Syndrome}. */
    public int syndrome() {
        return syndrome;
    }

    public Packet syndrome(int syndrome) {
        this.syndrome = Layout.requireFits("syndrome", syndrome, Layout.LOW_8_BITS);
        return this;
    }

    /** Message sequence number of AETH, 24 bits. */
    public int messageSequence() {
        return messageSequence;
    }

    /** Sets the message sequence number, which is by definition a count modulo 2^24: higher bits are left out. */
    public Packet messageSequence(int messageSequence) {
        this.messageSequence = messageSequence & Layout.LOW_24_BITS;
        return this;
    }

    /** Sets syndrome and message sequence number of AETH. */
    public Packet answer(int syndrome, int messageSequence) {
        this.syndrome = (syndrome & ~Layout.LOW_8_BITS) == 0
                ? syndrome
                : Layout.requireFits("syndrome", syndrome, Layout.LOW_8_BITS);
        this.messageSequence = messageSequence & Layout.LOW_24_BITS;
        return this;
    }

    /** What memory held before the atomic. */
    public long originalData() {
        return originalData;
    }

    public Packet originalData(long originalData) {
        this.originalData = originalData;
        return this;
    }

    /** The four bytes of immediate data as they stand on the wire, read as a big-endian int. */
    public int immediate() {
        return immediate;
    }

    public Packet immediate(int immediate) {
        this.immediate = immediate;
        return this;
    }

    /** R_Key that the receiver is to invalidate. */
    public int invalidateKey() {
        return invalidateKey;
    }

    public Packet invalidateKey(int invalidateKey) {
        this.invalidateKey = invalidateKey;
        return this;
    }

    /** Placement type of FETH, a set of bits: 1 global visibility, 2 persistence. */
    public int flushType() {
        return flushType;
    }

    public Packet flushType(int flushType) {
        this.flushType = Layout.requireFits("flushType", flushType, Layout.FLUSH_TYPE_MASK);
        return this;
    }

    /** Selectivity level of FETH: 0 the range that RETH names, 1 the whole memory region. */
    public int flushLevel() {
        return flushLevel;
    }

    public Packet flushLevel(int flushLevel) {
        this.flushLevel = Layout.requireFits("flushLevel", flushLevel, Layout.FLUSH_LEVEL_MASK);
        return this;
    }

    /** Q_Key of DETH. */
    public int queueKey() {
        return queueKey;
    }

    public Packet queueKey(int queueKey) {
        this.queueKey = queueKey;
        return this;
    }

    /** Number of the queue pair that sent the packet, of DETH, 24 bits. */
    public int sourceQp() {
        return sourceQp;
    }

    public Packet sourceQp(int sourceQp) {
        this.sourceQp = Layout.requireFits("sourceQp", sourceQp, Layout.LOW_24_BITS);
        return this;
    }

    /** Number of the shared receive queue that the request is for, of XRCETH, 24 bits. */
    public int srqNumber() {
        return srqNumber;
    }

    public Packet srqNumber(int srqNumber) {
        this.srqNumber = Layout.requireFits("srqNumber", srqNumber, Layout.LOW_24_BITS);
        return this;
    }

    /** Traffic class of the header before the BTH, 8 bits; what it says arrives with datagrams (UD-01). */
    public int trafficClass() {
        return trafficClass;
    }

    public Packet trafficClass(int trafficClass) {
        this.trafficClass = Layout.requireFits("trafficClass", trafficClass, Layout.LOW_8_BITS);
        return this;
    }

    /** Flow label of the header before the BTH, 20 bits. */
    public int flowLabel() {
        return flowLabel;
    }

    public Packet flowLabel(int flowLabel) {
        this.flowLabel = Layout.requireFits("flowLabel", flowLabel, Layout.LOW_20_BITS);
        return this;
    }

    /** Hop limit of the header before the BTH, 8 bits: as it was sent, since nothing here routes. */
    public int hopLimit() {
        return hopLimit;
    }

    public Packet hopLimit(int hopLimit) {
        this.hopLimit = Layout.requireFits("hopLimit", hopLimit, Layout.LOW_8_BITS);
        return this;
    }

    /**
     * How many packets of consecutive PSNs, beginning with {@link #psn()}, these headers and this payload stand for. More than 1 is a
     * {@link SegmentRun}, which only carriers and queue pairs see; all others get its packets.
     */
    public int packets() {
        return packets;
    }

    public Packet packets(int packets) {
        this.packets = packets;
        return this;
    }

    /** Returns the packet as {@link PacketRecord} prints it, without copying the payload's bytes. */
    @Override
    public String toString() {
        return PacketLine.of(this);
    }
}
