// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

/** Where the fields of a {@link Path} lie in a message: in each of them at the same distances, but for four. */
final class PathLayout {

    static final PathLayout PRIMARY_OF_REQ = inReq(52);
    static final PathLayout ALTERNATE_OF_REQ = inReq(96);
    static final PathLayout OF_LAP = new PathLayout(20, 59, 60, 61);

    private final Field localLid;
    private final Field remoteLid;
    private final Block localGid;
    private final Block remoteGid;
    private final Field flowLabel;
    private final Field trafficClass;
    private final Field hopLimit;
    private final Field packetRate;
    private final Field serviceLevel;
    private final Field subnetLocal;
    private final Field ackTimeout;

    private PathLayout(int offset, int trafficClassOffset, int hopLimitOffset, int packetRateOffset) {
        localLid = Field.at(offset, 16, "localLid");
        remoteLid = Field.at(offset + 2, 16, "remoteLid");
        localGid = Block.gid(offset + 4, "localGid");
        remoteGid = Block.gid(offset + 20, "remoteGid");
        flowLabel = Field.at(offset + 36, 20, "flowLabel");
        trafficClass = Field.at(trafficClassOffset, 8, "trafficClass");
        hopLimit = Field.at(hopLimitOffset, 8, "hopLimit");
        packetRate = Field.within(packetRateOffset, 5, 0, "packetRate");
        serviceLevel = Field.within(offset + 42, 7, 4, "serviceLevel");
        subnetLocal = Field.within(offset + 42, 3, 3, "subnetLocal");
        ackTimeout = Field.within(offset + 43, 7, 3, "ackTimeout");
    }

    private static PathLayout inReq(int offset) {
        return new PathLayout(offset, offset + 40, offset + 41, offset + 39);
    }

    static void check(
            int localLid,
            int remoteLid,
            int flowLabel,
            int trafficClass,
            int hopLimit,
            int packetRate,
            int serviceLevel,
            int ackTimeout) {
        PathLayout any = PRIMARY_OF_REQ;
        any.localLid.check(localLid);
        any.remoteLid.check(remoteLid);
        any.flowLabel.check(flowLabel);
        any.trafficClass.check(trafficClass);
        any.hopLimit.check(hopLimit);
        any.packetRate.check(packetRate);
        any.serviceLevel.check(serviceLevel);
        any.ackTimeout.check(ackTimeout);
    }

    Path parse(byte[] body) {
        return new Path(
                localLid.get(body),
                remoteLid.get(body),
                localGid.getGid(body),
                remoteGid.getGid(body),
                flowLabel.get(body),
                trafficClass.get(body),
                hopLimit.get(body),
                packetRate.get(body),
                serviceLevel.get(body),
                subnetLocal.isSet(body),
                ackTimeout.get(body));
    }

    void emit(Path path, byte[] body) {
        localLid.put(body, path.localLid());
        remoteLid.put(body, path.remoteLid());
        localGid.put(body, path.localGid());
        remoteGid.put(body, path.remoteGid());
        flowLabel.put(body, path.flowLabel());
        trafficClass.put(body, path.trafficClass());
        hopLimit.put(body, path.hopLimit());
        packetRate.put(body, path.packetRate());
        serviceLevel.put(body, path.serviceLevel());
        subnetLocal.put(body, path.subnetLocal());
        ackTimeout.put(body, path.ackTimeout());
    }
}
