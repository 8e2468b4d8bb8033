// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Every packet that may stand on the wire, with more than the fair share of empty and odd payloads. */
public final class AnyPacket implements ArbitrarySupplier<PacketRecord> {
    @Override
    public Arbitrary<PacketRecord> get() {
        return Arbitraries.of(Opcode.class).flatMap(AnyPacket::of).withoutEdgeCases();
    }

    static Arbitrary<PacketRecord> of(Opcode opcode) {
        Arbitrary<Bth> base = base(opcode);
        Arbitrary<List<ExtensionHeader>> extensions = Combinators.combine(Arrays.stream(Header.values())
                        .filter(header -> header != Header.BTH && opcode.has(header))
                        .sorted((a, b) -> opcode.offsetOf(a) - opcode.offsetOf(b))
                        .<Arbitrary<ExtensionHeader>>map(AnyPacket::extension)
                        .toList())
                .as(headers -> headers);
        return Combinators.combine(base, extensions, payload(opcode))
                .as(PacketRecord::new)
                .withoutEdgeCases();
    }

    private static Arbitrary<Bth> base(Opcode opcode) {
        Arbitrary<Boolean> bits = Arbitraries.of(true, false);
        return Combinators.combine(bits, bits, upTo(0xffff), bits, bits, upTo(0xffffff), bits, upTo(0xffffff))
                .as((solicited, migRequest, pkey, fecn, becn, destQp, ackRequest, psn) ->
                        new Bth(opcode, solicited, migRequest, pkey, fecn, becn, destQp, ackRequest, psn));
    }

    private static Arbitrary<ExtensionHeader> extension(Header header) {
        Arbitrary<Long> longs = mixed(Arbitraries.longs(), List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
        Arbitrary<Integer> ints =
                mixed(Arbitraries.integers(), List.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE));
        return switch (header) {
            case RETH -> Combinators.combine(longs, ints, ints).as(ExtensionHeader.Reth::new);
            case ATOMIC_ETH -> Combinators.combine(longs, ints, longs, longs).as(ExtensionHeader.AtomicEth::new);
            case AETH ->
                Combinators.combine(upTo(0xff).filter(s -> !Syndrome.isReserved(s)), upTo(0xffffff))
                        .as(ExtensionHeader.Aeth::new);
            case ATOMIC_ACK_ETH -> longs.map(ExtensionHeader.AtomicAckEth::new);
            case IMM_DT -> ints.map(ExtensionHeader.ImmDt::new);
            case IETH -> ints.map(ExtensionHeader.Ieth::new);
            case FETH -> Combinators.combine(upTo(3), upTo(1)).as(ExtensionHeader.Feth::new);
            case DETH -> Combinators.combine(ints, upTo(0xffffff)).as(ExtensionHeader.Deth::new);
            case XRCETH -> upTo(0xffffff).map(ExtensionHeader.Xrceth::new);
            case BTH -> throw new IllegalArgumentException("header=BTH is no extension header");
        };
    }

    private static Arbitrary<Octets> payload(Opcode opcode) {
        if (!opcode.carriesPayload()) {
            return Arbitraries.just(Octets.EMPTY);
        }
        Arbitrary<Byte> bytes = Arbitraries.bytes();
        return Arbitraries.oneOf(
                bytes.array(byte[].class).ofMaxSize(9).map(Octets::of),
                bytes.array(byte[].class).ofMaxSize(300).map(Octets::of));
    }

    private static Arbitrary<Integer> upTo(int max) {
        return mixed(Arbitraries.integers().between(0, max), List.of(0, 1, max));
    }

    /** Corner values one time in five; combined with each other they would otherwise be all that is ever tried. */
    private static <T> Arbitrary<T> mixed(Arbitrary<T> usual, List<T> corners) {
        return Arbitraries.frequencyOf(Tuple.of(4, usual), Tuple.of(1, Arbitraries.of(corners)));
    }
}
