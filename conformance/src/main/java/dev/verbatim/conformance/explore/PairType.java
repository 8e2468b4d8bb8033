// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.WrOpcode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What two queue pairs of a random program are that talk to each other. */
public enum PairType {
    /** RC, each with receives of its own. */
    RC(QpType.RC, QpType.RC, null),
    /** UC. */
    UC(QpType.UC, QpType.UC, null),
    /** UD, which may send to any other of that type too. */
    UD(QpType.UD, QpType.UD, null),
    /** RC, with receives that all of the node share. */
    SRQ(QpType.RC, QpType.RC, "pool"),
    /** XRC: one sends, and the other executes. */
    XRC(QpType.XRC_SEND, QpType.XRC_RECV, "mail");

    /** All of them. */
    public static final Set<PairType> ALL = Collections.unmodifiableSet(EnumSet.allOf(PairType.class));

    /** RC alone: programs that look for no events. */
    static final Set<PairType> PLAIN = Collections.unmodifiableSet(EnumSet.of(RC));

    /** The XRC domain of each node. */
    static final String DOMAIN = QpSpec.USUAL_XRCD;

    /** Where the receives of XRC complete. */
    static final String MAIL_CQ = "mails";

    /** Each as often as it stands here. */
    private static final List<WrOpcode> RELIABLE = List.of(
            WrOpcode.SEND,
            WrOpcode.SEND,
            WrOpcode.SEND_WITH_IMM,
            WrOpcode.RDMA_WRITE,
            WrOpcode.RDMA_WRITE,
            WrOpcode.RDMA_WRITE,
            WrOpcode.RDMA_WRITE_WITH_IMM,
            WrOpcode.RDMA_WRITE_WITH_IMM,
            WrOpcode.RDMA_READ,
            WrOpcode.RDMA_READ,
            WrOpcode.RDMA_READ,
            WrOpcode.ATOMIC_CMP_AND_SWP,
            WrOpcode.ATOMIC_FETCH_AND_ADD,
            WrOpcode.ATOMIC_FETCH_AND_ADD,
            WrOpcode.ATOMIC_WRITE,
            WrOpcode.FLUSH);

    private static final List<WrOpcode> UNRELIABLE =
            List.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM);
    private static final List<WrOpcode> DATAGRAMS = List.of(WrOpcode.SEND, WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);

    private final QpType first;
    private final QpType second;
    private final @Nullable String srq;

    PairType(QpType first, QpType second, @Nullable String srq) {
        this.first = first;
        this.second = second;
        this.srq = srq;
    }

    /** Type of the queue pair of that end. */
    QpType end(boolean isFirst) {
        return isFirst ? first : second;
    }

    /** Whether both ends send. */
    boolean isMutual() {
        return this != XRC;
    }

    /** The shared receive queue of a node that its receives go to; null for those of queue pairs. */
    @Nullable
    String srq() {
        return srq;
    }

    /** What it may ask for, windows aside. */
    List<WrOpcode> opcodes() {
        return switch (this) {
            case RC, SRQ, XRC -> RELIABLE;
            case UC -> UNRELIABLE;
            case UD -> DATAGRAMS;
        };
    }

    /** Whether windows are bound over it. */
    boolean binds() {
        return this == RC || this == SRQ || this == UC;
    }

    /** Whether windows are also invalidated from afar. */
    boolean invalidates() {
        return this == RC || this == SRQ;
    }

    /** Whether it can be brought up in steps that are the same for both ends. */
    boolean comesUpInSteps() {
        return this == RC || this == UC;
    }

    /** The type of that word; empty if there is none. */
    public static Optional<PairType> of(String word) {
        return ALL.stream().filter(type -> type.word().equals(word)).findFirst();
    }

    /** The words of all types, for messages. */
    public static String words() {
        return ALL.stream().map(PairType::word).collect(Collectors.joining(", "));
    }

    /** In an option. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
