// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdCompletionPort;
import dev.verbatim.networkdirect.NdCompletionPort.Entry;
import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdMrFlags;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdOverlappedFile;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.Memory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * ndmrlat and ndmrrate (5.3): registrations one after another, and many at a time. As many as {@link NdScale#REGISTRATIONS} says. Not in
 * virtual time, which has one thread.
 */
@ParameterizedClass
@EnumSource(
        value = FabricKind.class,
        names = {"IN_PROCESS", "ONE_LOOP", "TCP"})
@Timeout(600)
class NdRegistrationContractTest {

    private static final int MOST_BYTES = 1 << 22;
    private static final int THREADS = 2;
    private static final int FLAGS = NdMrFlags.ALLOW_LOCAL_WRITE;

    @Parameter
    FabricKind fabric;

    private final Memory memory = Memory.allocate(MOST_BYTES);

    /** A port, and a file of it; whoever waits for an event waits at the object, and the port hears nothing. */
    private static final class Waiting {

        final NdCompletionPort port = new NdCompletionPort();
        private final NdSide side;
        private final NdOverlappedFile file;
        private final boolean atThePort;

        Waiting(NdSide side, boolean atThePort) {
            this.side = side;
            this.atThePort = atThePort;
            file = side.adapter.createOverlappedFile();
            port.associate(file, 1);
        }

        NdMemoryRegion newRegion() {
            return side.adapter.createMemoryRegion(file);
        }

        NdOverlapped overlapped() {
            return atThePort ? new NdOverlapped() : NdOverlapped.suppressPort();
        }

        /** All are delivered, each once and in their order. */
        void done(List<NdMemoryRegion> regions, List<NdOverlapped> requests) {
            for (int i = 0; i < requests.size(); i++) {
                if (atThePort) {
                    assertThat(port.get(Await.LIMIT)).isEqualTo(new Entry(1, requests.get(i), NdStatus.SUCCESS));
                }
                assertThat(regions.get(i).getOverlappedResult(requests.get(i), true))
                        .isEqualTo(NdStatus.SUCCESS);
            }
            assertThat(port.poll()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ndmrlat_oneRegionIsRegisteredAgainAndAgainInAllLengths(boolean atThePort) {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            Waiting waiting = new Waiting(meeting.client, atThePort);
            NdMemoryRegion region = waiting.newRegion();
            NdOverlapped overlapped = waiting.overlapped();
            for (int length = 1; length <= MOST_BYTES; length *= 2) {
                for (int i = 0; i < NdScale.REGISTRATIONS; i++) {
                    assertPending(region.register(memory, 0, length, FLAGS, overlapped));
                    waiting.done(List.of(region), List.of(overlapped));
                    assertPending(region.deregister(overlapped));
                    waiting.done(List.of(region), List.of(overlapped));
                }
            }
            region.release();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ndmrrate_manyRegionsOfOneBufferLiveAtATime(boolean atThePort) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            List<Future<Set<Integer>>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(
                        (Callable<Set<Integer>>) () -> registerMany(new Waiting(meeting.client, atThePort))));
            }
            for (Future<Set<Integer>> each : all) {
                assertThat(each.get()).hasSize(NdScale.REGISTRATIONS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** One thread's: all are asked for before the end of any is looked at. The tokens that they had at the same time. */
    private Set<Integer> registerMany(Waiting waiting) {
        List<NdMemoryRegion> regions = new ArrayList<>();
        List<NdOverlapped> requests = new ArrayList<>();
        for (int i = 0; i < NdScale.REGISTRATIONS; i++) {
            regions.add(waiting.newRegion());
            requests.add(waiting.overlapped());
            assertPending(regions.get(i).register(memory, 0, MOST_BYTES, FLAGS, requests.get(i)));
        }
        waiting.done(regions, requests);
        Set<Integer> tokens = new HashSet<>();
        regions.forEach(region -> tokens.add(region.getLocalToken()));
        for (int i = 0; i < NdScale.REGISTRATIONS; i++) {
            assertPending(regions.get(i).deregister(requests.get(i)));
        }
        waiting.done(regions, requests);
        regions.forEach(NdMemoryRegion::release);
        return tokens;
    }

    /** However little there was to do, for the programs wait whatever the call returns. */
    private static void assertPending(NdStatus returned) {
        assertThat(returned).isEqualTo(NdStatus.PENDING);
    }
}
