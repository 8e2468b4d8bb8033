// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.interop.walk.LocalNode;
import dev.verbatim.interop.walk.WalkNode;
import dev.verbatim.interop.walk.WalkNode.Done;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DifferentialTest {

    private static final long SEED = 1;

    private final List<String> found = new ArrayList<>();

    private DifferentialFigures run(DeviceProfile expected, int programs, UnaryOperator<WalkNode> lie) {
        try (Verbatim rdma = Verbatim.inProcess()) {
            Differential differential = new Differential(
                    () -> rdma.profile(DeviceProfile.STRICT_IBTA).open(Differential.OWN),
                    () -> lie.apply(
                            new LocalNode(rdma.profile(DeviceProfile.RXE_LIKE).open("far"))),
                    expected,
                    Set.of(),
                    Await.LIMIT);
            rdma.tap(differential.tap());
            for (int number = 0; number < programs; number++) {
                differential.run(
                        SEED, number, (name, differences) -> differences.forEach(one -> found.add(name + ": " + one)));
            }
            return differential.figures();
        }
    }

    @Test
    @LongTest
    void programsBetweenDevicesOfVerbatimEndAsExpected() {
        DifferentialFigures figures = run(DeviceProfile.RXE_LIKE, 60, node -> node);

        assertThat(found).isEmpty();
        assertThat(figures.differing()).isZero();
        assertThat(figures.operations()).isGreaterThan(1_000);
    }

    /** Changes what a method of the peer's node returns. */
    private record Lie(String name, String method, UnaryOperator<Object> change) {

        WalkNode told(WalkNode node) {
            return (WalkNode) Proxy.newProxyInstance(
                    WalkNode.class.getClassLoader(), new Class<?>[] {WalkNode.class}, (proxy, called, arguments) -> {
                        Object result = called.invoke(node, arguments);
                        return called.getName().equals(method) ? change.apply(result) : result;
                    });
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Lie ofCompletions(String name, String method, UnaryOperator<Done> change) {
        return new Lie(name, method, result -> ((Optional<?>) result).map(done -> change.apply((Done) done)));
    }

    private static Lie ofMessages(String name, UnaryOperator<Done> change) {
        return ofCompletions(name, "awaitReceive", change);
    }

    static Stream<Lie> lies() {
        return Stream.of(
                ofMessages(
                        "a longer message",
                        done -> new Done(
                                done.id(),
                                done.status(),
                                done.opcode(),
                                done.lengthBytes() + 1,
                                done.immediateOrKey())),
                ofMessages(
                        "other immediate data",
                        done -> new Done(
                                done.id(), done.status(), done.opcode(), done.lengthBytes(), ~done.immediateOrKey())),
                ofMessages(
                        "another receive",
                        done -> new Done(
                                done.id() + 1,
                                done.status(),
                                done.opcode(),
                                done.lengthBytes(),
                                done.immediateOrKey())),
                ofMessages(
                        "another opcode of a receive",
                        done -> new Done(
                                done.id(),
                                done.status(),
                                done.opcode() ^ 1,
                                done.lengthBytes(),
                                done.immediateOrKey())),
                ofCompletions(
                        "another status",
                        "awaitSend",
                        done -> done.opcode() == WcOpcode.BIND_MW.number() || done.status() == WcStatus.SUCCESS
                                ? done
                                : new Done(done.id(), WcStatus.GENERAL_ERR, done.opcode(), 0, 0)),
                new Lie("a queue pair in ERR", "state", state -> QpState.ERR),
                new Lie("a byte of memory", "load", bytes -> {
                    byte[] changed = ((byte[]) bytes).clone();
                    changed[changed.length / 2] ^= 1;
                    return changed;
                }));
    }

    @ParameterizedTest
    @MethodSource("lies")
    void lieOfThePeerIsFound(Lie lie) {
        run(DeviceProfile.RXE_LIKE, 6, lie::told);

        assertThat(found).isNotEmpty();
    }

    /** Without the comparison: the peer reports what it did not do, or not what it did. */
    @Test
    void oracleJudgesThePeerByItsPackets() {
        run(DeviceProfile.RXE_LIKE, 6, new Lie("", "load", bytes -> new byte[((byte[]) bytes).length])::told);

        assertThat(found).anyMatch(one -> one.contains("oracle: "));
    }

    @Test
    void programsAreDrawnFromTheirSeed() {
        assertThat(ProgramDraw.program(SEED, 3)).isEqualTo(ProgramDraw.program(SEED, 3));
        assertThat(ProgramDraw.program(SEED, 3)).isNotEqualTo(ProgramDraw.program(SEED + 1, 3));
    }

    @Test
    @LongTest
    void anotherProfileIsFound() {
        run(DeviceProfile.STRICT_IBTA, 30, node -> node);

        assertThat(found).isNotEmpty();
    }
}
