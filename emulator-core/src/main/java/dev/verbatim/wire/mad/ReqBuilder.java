// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Makes a {@link Req}. It begins with what Linux sends over Ethernet: both response timeouts 20, 15 repeats, both retry counts 7,
 * partition key 0xffff, path MTU 1024, a reliable connection; everything else is 0, false or empty.
 */
public final class ReqBuilder {

    private int localId;
    private long serviceId;
    private long localCaGuid;
    private int localQpn;
    private int responderResources;
    private int initiatorDepth;
    private int remoteResponseTimeout = 20;
    private int transportType;
    private boolean flowControl;
    private int startingPsn;
    private int localResponseTimeout = 20;
    private int retryCount = 7;
    private int partitionKey = 0xffff;
    private int pathMtu = 3;
    private int rnrRetryCount = 7;
    private int maxCmRetries = 15;
    private boolean srq;
    private Path primary = Path.NONE;
    private Path alternate = Path.NONE;
    private Octets privateData = Octets.EMPTY;

    ReqBuilder() {}

    /** Sets {@link Req#localId()}. */
    public ReqBuilder localId(int value) {
        localId = value;
        return this;
    }

    /** Sets {@link Req#serviceId()}. */
    public ReqBuilder serviceId(long value) {
        serviceId = value;
        return this;
    }

    /** Sets {@link Req#localCaGuid()}. */
    public ReqBuilder localCaGuid(long value) {
        localCaGuid = value;
        return this;
    }

    /** Sets {@link Req#localQpn()}. */
    public ReqBuilder localQpn(int value) {
        localQpn = value;
        return this;
    }

    /** Sets {@link Req#responderResources()}. */
    public ReqBuilder responderResources(int value) {
        responderResources = value;
        return this;
    }

    /** Sets {@link Req#initiatorDepth()}. */
    public ReqBuilder initiatorDepth(int value) {
        initiatorDepth = value;
        return this;
    }

    /** Sets {@link Req#remoteResponseTimeout()}. */
    public ReqBuilder remoteResponseTimeout(int value) {
        remoteResponseTimeout = value;
        return this;
    }

    /** Sets {@link Req#transportType()}. */
    public ReqBuilder transportType(int value) {
        transportType = value;
        return this;
    }

    /** Sets {@link Req#flowControl()}. */
    public ReqBuilder flowControl(boolean value) {
        flowControl = value;
        return this;
    }

    /** Sets {@link Req#startingPsn()}. */
    public ReqBuilder startingPsn(int value) {
        startingPsn = value;
        return this;
    }

    /** Sets {@link Req#localResponseTimeout()}. */
    public ReqBuilder localResponseTimeout(int value) {
        localResponseTimeout = value;
        return this;
    }

    /** Sets {@link Req#retryCount()}. */
    public ReqBuilder retryCount(int value) {
        retryCount = value;
        return this;
    }

    /** Sets {@link Req#partitionKey()}. */
    public ReqBuilder partitionKey(int value) {
        partitionKey = value;
        return this;
    }

    /** Sets {@link Req#pathMtu()}. */
    public ReqBuilder pathMtu(int value) {
        pathMtu = value;
        return this;
    }

    /** Sets {@link Req#rnrRetryCount()}. */
    public ReqBuilder rnrRetryCount(int value) {
        rnrRetryCount = value;
        return this;
    }

    /** Sets {@link Req#maxCmRetries()}. */
    public ReqBuilder maxCmRetries(int value) {
        maxCmRetries = value;
        return this;
    }

    /** Sets {@link Req#srq()}. */
    public ReqBuilder srq(boolean value) {
        srq = value;
        return this;
    }

    /** Sets {@link Req#primary()}. */
    public ReqBuilder primary(Path value) {
        primary = value;
        return this;
    }

    /** Sets {@link Req#alternate()}. */
    public ReqBuilder alternate(Path value) {
        alternate = value;
        return this;
    }

    /** Sets {@link Req#privateData()}. */
    public ReqBuilder privateData(Octets value) {
        privateData = value;
        return this;
    }

    /** The message; refuses values that do not fit their fields. */
    public Req build() {
        return new Req(
                localId,
                0,
                serviceId,
                localCaGuid,
                0,
                localQpn,
                responderResources,
                0,
                initiatorDepth,
                0,
                remoteResponseTimeout,
                transportType,
                flowControl,
                startingPsn,
                localResponseTimeout,
                retryCount,
                partitionKey,
                pathMtu,
                false,
                rnrRetryCount,
                maxCmRetries,
                srq,
                0,
                primary,
                alternate,
                false,
                privateData);
    }
}
