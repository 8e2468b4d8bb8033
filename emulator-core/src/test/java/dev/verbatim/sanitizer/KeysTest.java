// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static dev.verbatim.sanitizer.World.await;
import static dev.verbatim.sanitizer.World.next;
import static dev.verbatim.sanitizer.World.of;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sanitizer.World.Sides;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.Rkey;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How keys are used: S10, S13, S19. */
class KeysTest {

    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.MW_BIND;

    private final List<String> places = new ArrayList<>();

    private static MemoryRegion region(Sides sides) {
        return sides.b().pd().register(Memory.allocate(64), RIGHTS);
    }

    private static SendWorkRequest write(Sides sides, long id, MemoryRegion target, int key) {
        return SendWorkRequest.write(id, target.address(), key, sides.a().sge(0, 8));
    }

    @ParameterizedTest
    @EnumSource
    void localKeyThatIsUsedAsARemoteOneIsNotedWhereBothAreEqual(World world) {
        List<Finding> findings =
                of(Mistake.S10, world.findings(DeviceProfile.MLX5_LIKE, Sanitizer.withSites(), sides -> {
                    MemoryRegion region = region(sides);
                    places.add(next());
                    sides.a().qp().postSend(write(sides, 1, region, region.lkey()));
                    assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
                    sides.a().qp().postSend(write(sides, 2, region, region.lkey()));
                    assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
                }));
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
        assertThat(findings.get(0).isError()).isFalse();
        assertThat(findings.get(0).sentence())
                .contains("RDMA_WRITE wr_id=1 of qp")
                .contains("whose rkey() no program asked for");
    }

    @ParameterizedTest
    @EnumSource
    void remoteKeyThatWasAskedForIsSilent(World world) {
        assertThat(of(Mistake.S10, world.findings(DeviceProfile.MLX5_LIKE, Sanitizer.withSites(), sides -> {
                    MemoryRegion region = region(sides);
                    sides.a().qp().postSend(write(sides, 1, region, region.rkey()));
                    assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
                })))
                .isEmpty();
    }

    private static SendWorkRequest add(Sides sides, long id, MemoryRegion target) {
        return SendWorkRequest.fetchAndAdd(
                id, target.address(), target.rkey(), 1, sides.a().sge(0, 8));
    }

    @ParameterizedTest
    @EnumSource
    void atomicOnABigEndianBufferIsNoted(World world) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        List<Finding> findings = of(Mistake.S13, world.findings(sides -> {
            MemoryRegion region = sides.b().pd().register(Memory.of(buffer), RIGHTS);
            places.add(next());
            sides.a().qp().postSend(add(sides, 1, region));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
        }));
        assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
        assertThat(findings.get(0).sentence()).contains("in the other byte order");
    }

    @ParameterizedTest
    @EnumSource
    void resultOfAnAtomicInABigEndianBufferIsNoted(World world) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        List<Finding> findings = of(Mistake.S13, world.findings(sides -> {
            MemoryRegion region = sides.a().pd().register(Memory.of(buffer), RIGHTS);
            places.add(next());
            sides.a()
                    .qp()
                    .postSend(SendWorkRequest.fetchAndAdd(
                            1, sides.b().address(0), sides.b().rkey(), 1, region.sge(0, 8)));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
        }));
        assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(findings).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void atomicOnANativeBufferAndWritesToBigEndianOnesAreSilent(World world) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        ByteBuffer bytes = ByteBuffer.allocateDirect(64);
        assertThat(of(Mistake.S13, world.findings(sides -> {
                    MemoryRegion words = sides.b().pd().register(Memory.of(buffer), RIGHTS);
                    sides.a().qp().postSend(add(sides, 1, words));
                    MemoryRegion others = sides.b().pd().register(Memory.of(bytes), RIGHTS);
                    sides.a().qp().postSend(write(sides, 2, others, others.rkey()));
                    for (int i = 0; i < 2; i++) {
                        assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
                    }
                })))
                .isEmpty();
        assertThat(bytes.order()).isNotEqualTo(buffer.order());
    }

    @ParameterizedTest
    @EnumSource
    void keyOfADeregisteredRegionNamesItsUserAndTheEnd(World world) {
        List<Finding> findings = of(Mistake.S19, world.findings(sides -> {
            MemoryRegion region = region(sides);
            int rkey = region.rkey();
            long address = region.address();
            String end = next();
            region.close();
            SendWorkRequest late =
                    SendWorkRequest.write(1, address, rkey, sides.a().sge(0, 8));
            places.add(next());
            sides.a().qp().postSend(late);
            places.add(end);
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.REM_ACCESS_ERR);
        }));
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
        assertThat(findings.get(0).sentence())
                .contains("RDMA_WRITE wr_id=1 of qp 17 of a")
                .contains("which was of region")
                .contains("deregistered or re-registered at " + places.get(1))
                .contains(" ms before");
    }

    @ParameterizedTest
    @EnumSource
    void keyOfAnInvalidatedWindowNamesTheInvalidation(World world) {
        List<Finding> findings = of(Mistake.S19, world.findings(sides -> {
            MemoryWindow window = sides.b().pd().allocateWindow(MemoryWindowType.TYPE_2);
            int rkey = Rkey.increment(window.rkey());
            BindInfo info = BindInfo.of(sides.b().region(), AccessFlags.REMOTE_WRITE);
            sides.b().qp().postSend(SendWorkRequest.bindWindow(1, window, rkey, info));
            assertThat(await(sides.b().sent())).isEqualTo(WcStatus.SUCCESS);
            sides.a()
                    .qp()
                    .postSend(SendWorkRequest.write(
                            2, sides.b().address(0), rkey, sides.a().sge(0, 8)));
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.SUCCESS);
            String end = next();
            sides.b().qp().postSend(SendWorkRequest.localInvalidate(3, rkey));
            assertThat(await(sides.b().sent())).isEqualTo(WcStatus.SUCCESS);
            SendWorkRequest late = SendWorkRequest.write(
                    4, sides.b().address(0), rkey, sides.a().sge(0, 8));
            places.add(next());
            sides.a().qp().postSend(late);
            WorkCompletion failed = sides.a().sent().awaitCompletion(Await.LIMIT);
            assertThat(failed.status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
            places.add(end);
            assertThat(failed.explanation())
                    .contains("used by RDMA_WRITE wr_id=4 of qp 17 of a posted at " + places.get(0))
                    .contains("revoked by LOCAL_INV wr_id=3 of qp 17 of b at " + end);
        }));
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
        assertThat(findings.get(0).sentence())
                .contains("revoked by LOCAL_INV wr_id=3 of qp 17 of b at " + places.get(1));
    }

    @ParameterizedTest
    @EnumSource
    void localKeyOfADeregisteredRegionNamesTheDeregistration(World world) {
        world.findings(sides -> {
            MemoryRegion own = sides.a().pd().register(Memory.allocate(8), AccessFlags.LOCAL_WRITE);
            String end = next();
            own.close();
            SendWorkRequest late = SendWorkRequest.write(
                    1, sides.b().address(0), sides.b().rkey(), new Sge(own.address(), 8, own.lkey()));
            sides.a().qp().postSend(late);
            WorkCompletion failed = sides.a().sent().awaitCompletion(Await.LIMIT);
            assertThat(failed.status()).isEqualTo(WcStatus.LOC_PROT_ERR);
            assertThat(failed.explanation()).contains("deregistered or re-registered at " + end);
        });
    }

    @ParameterizedTest
    @EnumSource
    void localKeyAtADeviceThatRefusesItIsCalledSo(World world) {
        List<Finding> findings = of(Mistake.S10, world.findings(sides -> {
            MemoryRegion region = region(sides);
            places.add(next());
            sides.a().qp().postSend(write(sides, 1, region, region.lkey()));
            places.add("");
            assertThat(await(sides.a().sent())).isEqualTo(WcStatus.REM_ACCESS_ERR);
        }));
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).places()).isEqualTo(places);
        assertThat(findings.get(0).sentence()).contains("which is the lkey of region");
    }

    @ParameterizedTest
    @EnumSource
    void validKeyThatIsRefusedForAnotherReasonIsSilent(World world) {
        assertThat(of(Mistake.S19, world.findings(sides -> {
                    MemoryRegion region = region(sides);
                    sides.a()
                            .qp()
                            .postSend(SendWorkRequest.write(
                                    1,
                                    region.address() + 60,
                                    region.rkey(),
                                    sides.a().sge(0, 8)));
                    assertThat(await(sides.a().sent())).isEqualTo(WcStatus.REM_ACCESS_ERR);
                })))
                .isEmpty();
    }
}
