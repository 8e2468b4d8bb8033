// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What an identifier does. */
final class Identifier {
    private EventChannel channel;
    private volatile @Nullable Object context;

    Identifier(EventChannel channel, @Nullable Object context) {
        this.channel = channel;
        this.context = context;
    }

    private static VerbsException notYet() {
        return VerbsException.of(Errno.EOPNOTSUPP, "CM-06", "there are no connections yet");
    }

    void act(Runnable work) {
        work.run();
    }

    <T> T ask(Supplier<T> work) {
        return work.get();
    }

    @Nullable
    Object context() {
        return context;
    }

    void context(@Nullable Object own) {
        context = own;
    }

    EventChannel channel() {
        return channel;
    }

    @Nullable
    QueuePair qp() {
        return null;
    }

    @Nullable
    InetSocketAddress localAddress() {
        return null;
    }

    @Nullable
    InetSocketAddress peerAddress() {
        return null;
    }

    void bindAddress(InetSocketAddress address) {
        throw notYet();
    }

    void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout) {
        throw notYet();
    }

    void resolveRoute(Duration timeout) {
        throw notYet();
    }

    QueuePair createQp(ProtectionDomain pd, QpInitAttributes attributes) {
        throw notYet();
    }

    void destroyQp() {}

    void listen(int backlog) {
        throw notYet();
    }

    void connect(ConnectionParameters parameters) {
        throw notYet();
    }

    void accept(ConnectionParameters parameters) {
        throw notYet();
    }

    void reject(byte[] privateData) {
        throw notYet();
    }

    void establish() {
        throw notYet();
    }

    void notifyEstablished() {
        throw notYet();
    }

    void disconnect() {
        throw notYet();
    }

    void migrate(EventChannel to) {
        channel = to;
    }

    void ackTimeout(int code) {
        throw notYet();
    }

    void typeOfService(int trafficClass) {
        throw notYet();
    }

    QpAttributes initQpAttributes(QpState state) {
        throw notYet();
    }

    void close() {}
}
