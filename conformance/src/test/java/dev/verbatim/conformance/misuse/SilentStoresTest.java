// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static dev.verbatim.conformance.misuse.Hosts.WORD;
import static dev.verbatim.conformance.misuse.SystemRuns.accused;
import static dev.verbatim.conformance.misuse.SystemRuns.accusedInEachRun;
import static dev.verbatim.conformance.misuse.SystemRuns.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.misuse.Hosts.Way;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Key-value stores and shared data structures that clients change by one-sided requests; each with a mistake in it is found. */
class SilentStoresTest {

    private static final int LOCK = 256;
    private static final int VALUE = 320;
    private static final int HEAD = 512;
    private static final int SCRATCH = 1024;

    /** A request is an INLINE WRITE of one word into the slot of the client, the answer a message (HERD). */
    private static void requestSlots(Hosts hosts, boolean right) {
        int calls = 3;
        for (String client : List.of("b", "c")) {
            hosts.program(client, host -> {
                Way way = host.to("a");
                int slot = client.charAt(0) * WORD;
                for (long call = 1; call <= calls; call++) {
                    way.receive(call, 0, WORD);
                    host.store(slot, call);
                    SendWorkRequest request = way.writing(slot, slot, WORD).unsignaled();
                    way.post(right ? request.plus(SendFlags.INLINE) : request);
                    host.store(slot, 100 + call);
                    way.receivedOne();
                    assertThat(!right || host.load(0) == 10 * call).isTrue();
                }
            });
        }
        hosts.program("a", host -> {
            long[] done = new long[2];
            while (done[0] + done[1] < 2 * calls) {
                for (String client : List.of("b", "c")) {
                    int slot = client.charAt(0) * WORD;
                    int i = client.charAt(0) - 'b';
                    long call = host.load(slot);
                    if (call % 100 > done[i]) {
                        done[i]++;
                        host.store(HEAD, 10 * call);
                        Way way = host.to(client);
                        way.doing(way.sending(HEAD, WORD));
                    }
                }
            }
        });
    }

    @Test
    void requestsByInlineWritesIntoSlots() {
        silent(hosts -> requestSlots(hosts, true), "a", "b", "c");
        accused(Mistake.S1, hosts -> requestSlots(hosts, false), "a", "b", "c");
    }

    private static final int READER = 2;

    /** The lowest bit of the lock is the writer's, and the rest counts readers; the record is on a host without a program. */
    private static void readersAndWriter(Hosts hosts, boolean right) {
        for (String reader : List.of("a", "b")) {
            hosts.program(reader, host -> {
                Way way = host.to("s");
                while ((way.add(LOCK, READER, SCRATCH) & 1) != 0) {
                    way.add(LOCK, -READER, SCRATCH);
                }
                way.doing(way.reading(VALUE, VALUE, 2 * WORD));
                assertThat(!right || host.load(VALUE) == host.load(VALUE + WORD))
                        .isTrue();
                way.add(LOCK, -READER, SCRATCH);
            });
        }
        hosts.program("c", host -> {
            Way way = host.to("s");
            for (int i = 1; i <= 2; i++) {
                while (way.swap(LOCK, 0, 1, SCRATCH) != 0 && right) {
                    // Readers, who give way to nobody.
                }
                host.store(VALUE, i);
                host.store(VALUE + WORD, i);
                way.silently(way.writing(VALUE, VALUE, 2 * WORD));
                way.add(LOCK, -1, SCRATCH);
            }
        });
    }

    @Test
    void lockOfReadersAndAWriter() {
        silent(hosts -> readersAndWriter(hosts, true), "a", "b", "c", "s");
        accused(Mistake.S4, hosts -> readersAndWriter(hosts, false), "a", "b", "c", "s");
    }

    /** How a lock that is taken by CMP_SWP is released. */
    private enum Release {
        ATOMIC_WRITE,
        WRITE,
        ATOMIC_WRITE_BEFORE_THE_RECORD
    }

    /** The release is posted behind the record, and not awaited in between (Sherman). */
    private static void released(Hosts hosts, Release release) {
        boolean right = release == Release.ATOMIC_WRITE;
        for (String client : List.of("a", "b")) {
            hosts.program(client, host -> {
                Way way = host.to("s");
                for (int i = 0; i < 2; i++) {
                    while (way.swap(LOCK, 0, 1, SCRATCH) != 0) {
                        // The other has it.
                    }
                    way.doing(way.reading(VALUE, VALUE, 2 * WORD));
                    assertThat(!right || host.load(VALUE) == host.load(VALUE + WORD))
                            .isTrue();
                    host.store(VALUE, host.load(VALUE) + 1);
                    host.store(VALUE + WORD, host.load(VALUE + WORD) + 1);
                    host.store(SCRATCH + WORD, 0);
                    SendWorkRequest record = way.writing(VALUE, VALUE, 2 * WORD);
                    switch (release) {
                        case ATOMIC_WRITE -> {
                            way.silently(record);
                            way.doing(way.settingWord(SCRATCH + WORD, LOCK));
                        }
                        case WRITE -> {
                            way.silently(record);
                            way.doing(way.writing(SCRATCH + WORD, LOCK, WORD));
                        }
                        case ATOMIC_WRITE_BEFORE_THE_RECORD -> {
                            way.silently(way.settingWord(SCRATCH + WORD, LOCK));
                            way.doing(record);
                        }
                    }
                }
                way.add(LOCK + WORD, 1, SCRATCH);
            });
        }
        hosts.program("s", host -> {
            host.until(LOCK + WORD, 2);
            assertThat(!right || host.load(VALUE) == 4).isTrue();
        });
    }

    @Test
    void lockIsReleasedByARequestBehindTheRecord() {
        silent(hosts -> released(hosts, Release.ATOMIC_WRITE), "a", "b", "s");
        accused(Mistake.S4, hosts -> released(hosts, Release.WRITE), "a", "b", "s");
        accused(Mistake.S4, hosts -> released(hosts, Release.ATOMIC_WRITE_BEFORE_THE_RECORD), "a", "b", "s");
    }

    /** A bucket has two words, each the place of a block; it is READ as a whole, and a word is set by CMP_SWP (RACE hashing). */
    private static void buckets(Hosts hosts, boolean right) {
        int bucket = HEAD;
        for (String client : List.of("a", "b")) {
            hosts.program(client, host -> {
                Way way = host.to("s");
                int own = client.equals("a") ? 0 : 1;
                int block = 64 * (own + 1);
                host.store(block, 100 + own);
                host.store(block + WORD, 200 + own);
                if (right) {
                    way.silently(way.writing(block, block, 2 * WORD));
                }
                int slot;
                do {
                    way.doing(way.reading(bucket, SCRATCH, 2 * WORD));
                    slot = host.load(SCRATCH) == 0 ? 0 : 1;
                } while (way.swap(bucket + slot * WORD, 0, block, SCRATCH + 2 * WORD) != 0);
                if (!right) {
                    way.doing(way.writing(block, block, 2 * WORD));
                }
            });
        }
        hosts.program("c", host -> {
            Way way = host.to("s");
            long found = 0;
            while (found == 0) {
                way.doing(way.reading(bucket, SCRATCH, 2 * WORD));
                for (int i = 0; i < 2 && found == 0; i++) {
                    long block = host.load(SCRATCH + i * WORD);
                    if (block != 0) {
                        way.doing(way.reading((int) block, 0, 2 * WORD));
                        found = host.load(0) == 101 ? 1 : 0;
                        assertThat(!right || host.load(WORD) == host.load(0) + 100)
                                .isTrue();
                    }
                }
            }
        });
    }

    @Test
    void bucketsOfBlocksThatAreReadWhole() {
        silent(hosts -> buckets(hosts, true), "a", "b", "c", "s");
        accused(Mistake.S4, hosts -> buckets(hosts, false), "a", "b", "c", "s");
    }

    /** The word at the top has the place of the first element and a count, so that it never has the same value again (Treiber). */
    private static void stack(Hosts hosts, boolean right) {
        hosts.host("s")
                .region
                .memory()
                .buffer()
                .putLong(HEAD, 64)
                .putLong(64, 128)
                .putLong(128, 0);
        for (String client : List.of("a", "b")) {
            hosts.program(client, host -> {
                Way way = host.to("s");
                for (int i = 0; i < 2; i++) {
                    long top;
                    long next;
                    do {
                        top = way.read(HEAD, SCRATCH);
                        next = (top & 0xffff) == 0 ? 0 : way.read((int) (top & 0xffff), SCRATCH + WORD);
                    } while ((top & 0xffff) == 0
                            || way.swap(HEAD, top, (top & ~0xffffL) + 0x10000 + (next & 0xffff), SCRATCH) != top);
                    int own = (int) (top & 0xffff);
                    // It is popped, and nobody else touches it.
                    long value = way.read(own + WORD, SCRATCH);
                    host.store(SCRATCH, value + 1);
                    way.doing(way.writing(SCRATCH, own + WORD, WORD));
                    do {
                        top = way.read(HEAD, SCRATCH);
                        host.store(SCRATCH + WORD, top & 0xffff);
                        if (right) {
                            way.doing(way.writing(SCRATCH + WORD, own, WORD));
                        }
                    } while (way.swap(HEAD, top, (top & ~0xffffL) + 0x10000 + own, SCRATCH) != top);
                    if (!right) {
                        way.doing(way.writing(SCRATCH + WORD, own, WORD));
                    }
                }
                way.add(LOCK + WORD, 1, SCRATCH);
            });
        }
        hosts.program("s", host -> {
            host.until(LOCK + WORD, 2);
            assertThat(!right || host.load(64 + WORD) + host.load(128 + WORD) == 4)
                    .isTrue();
        });
    }

    @Test
    void stackOfElementsThatAreUsedAgain() {
        silent(hosts -> stack(hosts, true), "a", "b", "s");
        accused(Mistake.S4, hosts -> stack(hosts, false), "a", "b", "s");
    }

    /**
     * A reader goes from the root to a leaf, and looks at the version of a node before and behind what it READs of it. If it changed, the
     * reader begins again at the root, and may take another way.
     */
    private static void tree(Hosts hosts, boolean right) {
        int root = HEAD;
        int left = 64;
        int rightLeaf = 128;
        hosts.host("s").region.memory().buffer().putLong(root, left);
        for (int leaf : new int[] {left, rightLeaf}) {
            hosts.host("s").region.memory().buffer().putLong(leaf + WORD, 7).putLong(leaf + 2 * WORD, 7);
        }
        hosts.program("a", host -> {
            Way way = host.to("s");
            // The left leaf is emptied, and the right one is where the root leads to.
            host.store(SCRATCH, rightLeaf);
            way.doing(way.settingWord(SCRATCH, root));
            host.store(SCRATCH, 1);
            way.doing(way.settingWord(SCRATCH, left));
            host.store(VALUE, 0);
            host.store(VALUE + WORD, 0);
            way.silently(way.writing(VALUE, left + WORD, 2 * WORD));
            host.store(SCRATCH + WORD, 2);
            way.doing(way.settingWord(SCRATCH + WORD, left));
        });
        hosts.program("b", host -> {
            Way way = host.to("s");
            boolean isWhole = false;
            while (!isWhole) {
                int leaf = (int) way.read(root, SCRATCH);
                long before = way.read(leaf, SCRATCH);
                way.doing(way.reading(leaf + WORD, VALUE, 2 * WORD));
                isWhole = !right || (before == 0 && way.read(leaf, SCRATCH) == 0);
            }
            assertThat(!right || host.load(VALUE) == 7).isTrue();
            assertThat(!right || host.load(VALUE + WORD) == 7).isTrue();
        });
    }

    @Test
    void nodesOfATreeAreReadBetweenTwoLooksAtTheirVersion() {
        silent(hosts -> tree(hosts, true), "a", "b", "s");
        accused(Mistake.S4, hosts -> tree(hosts, false), "a", "b", "s");
    }

    /** Version and record are READ, and the version is locked by a CMP_SWP that fails if it has changed (optimistic concurrency control). */
    private static void optimistic(Hosts hosts, boolean right) {
        for (String client : List.of("a", "b")) {
            hosts.program(client, host -> {
                Way way = host.to("s");
                for (int i = 0; i < 2; i++) {
                    long version;
                    do {
                        version = way.read(LOCK, SCRATCH);
                        way.doing(way.reading(VALUE, VALUE, 2 * WORD));
                    } while (version % 2 != 0 || (way.swap(LOCK, version, version + 1, SCRATCH) != version && right));
                    assertThat(!right || host.load(VALUE) == host.load(VALUE + WORD))
                            .isTrue();
                    host.store(VALUE, host.load(VALUE) + 1);
                    host.store(VALUE + WORD, host.load(VALUE + WORD) + 1);
                    way.silently(way.writing(VALUE, VALUE, 2 * WORD));
                    host.store(SCRATCH + WORD, version + 2);
                    way.doing(way.settingWord(SCRATCH + WORD, LOCK));
                }
                way.add(LOCK + WORD, 1, SCRATCH);
            });
        }
        hosts.program("s", host -> {
            host.until(LOCK + WORD, 2);
            assertThat(!right || host.load(VALUE) == 4).isTrue();
        });
    }

    @Test
    void recordIsReadAndThenLockedIfItsVersionIsTheSame() {
        silent(hosts -> optimistic(hosts, true), "a", "b", "s");
        accused(Mistake.S4, hosts -> optimistic(hosts, false), "a", "b", "s");
    }

    /** Money goes from a record of one host to one of another, and both are locked. */
    private static void transfers(Hosts hosts, boolean right) {
        for (String client : List.of("a", "b")) {
            hosts.program(client, host -> {
                List<Way> both = List.of(host.to("s"), host.to("t"));
                for (Way way : both) {
                    while (way.swap(LOCK, 0, 1, SCRATCH) != 0) {
                        // In the same order as the other.
                    }
                }
                for (Way way : both) {
                    if (!right) {
                        way.swap(LOCK, 1, 0, SCRATCH);
                    }
                    long amount = way == both.get(0) ? -5 : 5;
                    host.store(VALUE, way.read(VALUE, VALUE) + amount);
                    way.doing(way.writing(VALUE, VALUE, WORD));
                }
                for (Way way : both) {
                    if (right) {
                        way.swap(LOCK, 1, 0, SCRATCH);
                    }
                    way.add(LOCK + WORD, 1, SCRATCH);
                }
            });
        }
        for (String server : List.of("s", "t")) {
            hosts.program(server, host -> {
                host.until(LOCK + WORD, 2);
                assertThat(!right || host.load(VALUE) == (server.equals("s") ? -10 : 10))
                        .isTrue();
            });
        }
    }

    @Test
    void recordsOfTwoHostsAreLockedInOneOrder() {
        silent(hosts -> transfers(hosts, true), "a", "b", "s", "t");
        accused(Mistake.S4, hosts -> transfers(hosts, false), "a", "b", "s", "t");
    }

    /** A record is written to a new place, and then a word leads there, which is an ATOMIC_WRITE posted behind it. */
    private static void newPlace(Hosts hosts, boolean right) {
        hosts.program("a", host -> {
            Way way = host.to("s");
            for (int i = 1; i <= 3; i++) {
                int at = i * 64;
                host.store(at, i);
                host.store(at + WORD, i);
                host.store(HEAD + i * WORD, at);
                SendWorkRequest record = way.writing(at, at, 2 * WORD);
                SendWorkRequest place = way.settingWord(HEAD + i * WORD, HEAD);
                way.silently(right ? record : place);
                way.doing(right ? place : record);
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("s");
            long at;
            do {
                at = way.read(HEAD, SCRATCH);
                if (at != 0) {
                    way.doing(way.reading((int) at, 0, 2 * WORD));
                    assertThat(!right || host.load(0) == at / 64).isTrue();
                    assertThat(!right || host.load(WORD) == at / 64).isTrue();
                }
            } while (at != 3 * 64);
        });
    }

    @Test
    void recordInANewPlaceAndAWordThatLeadsThere() {
        silent(hosts -> newPlace(hosts, true), "a", "b", "s");
        accused(Mistake.S4, hosts -> newPlace(hosts, false), "a", "b", "s");
    }

    /** A page is written out and read in again through one frame, without waiting in between (remote paging). */
    private static void paging(Hosts hosts, boolean right) {
        hosts.program("a", host -> {
            Way way = host.to("s");
            int page = 4 * WORD;
            for (int i = 0; i < 3; i++) {
                host.store(0, 10 + i);
                host.store(3 * WORD, 20 + i);
                way.silently(way.writing(0, i * page, page));
                if (i == 0) {
                    if (right) {
                        way.doing(way.reading(0, HEAD, page));
                    }
                } else {
                    // The frame has another page now.
                    way.doing(way.reading((i - 1) * page, 0, page));
                    assertThat(!right || host.load(3 * WORD) == 20 + i - 1).isTrue();
                }
            }
        });
    }

    @Test
    void pageIsReadIntoTheFrameThatIsWrittenOut() {
        silent(hosts -> paging(hosts, true), "a", "s");
        accused(Mistake.S1, hosts -> paging(hosts, false), "a", "s");
    }

    /** Space of a log is drawn by FETCH_ADD; each entry has a word of its own that says that it is whole. */
    private static void sharedLog(Hosts hosts, boolean right) {
        int entry = 4 * WORD;
        for (String client : List.of("a", "b")) {
            hosts.program(client, host -> {
                Way way = host.to("s");
                for (int i = 0; i < 2; i++) {
                    int at = (int) way.add(HEAD, right ? entry : WORD, SCRATCH);
                    host.store(VALUE, 5 + at);
                    host.store(VALUE + WORD, 6 + at);
                    way.silently(way.writing(VALUE, at + WORD, 2 * WORD));
                    host.store(SCRATCH, 1);
                    way.doing(way.settingWord(SCRATCH, at));
                }
            });
        }
        hosts.program("s", host -> {
            for (int at = 0; right && at < 4 * entry; at += entry) {
                host.until(at, 1);
                assertThat(host.load(at + WORD)).isEqualTo(5 + at);
                assertThat(host.load(at + 2 * WORD)).isEqualTo(6 + at);
            }
        });
    }

    @Test
    void logWhoseSpaceIsDrawnByFetchAndAdd() {
        silent(hosts -> sharedLog(hosts, true), "a", "b", "s");
        accused(Mistake.S4, hosts -> sharedLog(hosts, false), "a", "b", "s");
    }

    /** A mark and the record behind it are READ at once: that the mark is seen says nothing of the record (ORD-40). */
    private static void markReadWithItsRecord(Hosts hosts) {
        hosts.program("a", host -> {
            Way way = host.to("s");
            host.store(VALUE, 5);
            host.store(HEAD, 1);
            way.silently(way.writing(VALUE, VALUE, WORD));
            way.doing(way.settingWord(HEAD, VALUE - WORD));
        });
        hosts.program("b", host -> {
            Way way = host.to("s");
            way.doing(way.reading(VALUE - WORD, 0, 2 * WORD));
        });
    }

    @Test
    void markThatIsReadTogetherWithItsRecord() {
        accusedInEachRun(Mistake.S4, SilentStoresTest::markReadWithItsRecord, "a", "b", "s");
    }

    private static long sum(long one, long other) {
        return one * 31 + other + 1;
    }

    /** Words of a record and their checksum are READ at once until they fit (Pilaf). */
    private static void checksum(Hosts hosts, boolean declared) {
        if (declared) {
            hosts.sanitizer.checksummed(hosts.host("s").region.memory(), VALUE, 3 * WORD);
        }
        hosts.program("s", host -> {
            for (long i = 1; i <= 2; i++) {
                host.store(VALUE, i);
                host.store(VALUE + WORD, 10 * i);
                host.store(VALUE + 2 * WORD, sum(i, 10 * i));
            }
        });
        hosts.program("a", host -> {
            Way way = host.to("s");
            long one;
            long other;
            do {
                way.doing(way.reading(VALUE, VALUE, 3 * WORD));
                one = host.load(VALUE);
                other = host.load(VALUE + WORD);
            } while (host.load(VALUE + 2 * WORD) != sum(one, other) || one != 2);
            assertThat(other).isEqualTo(20);
        });
    }

    @Test
    void recordWithAChecksumIsDeclared() {
        silent(hosts -> checksum(hosts, true), "a", "s");
        accused(Mistake.S4, hosts -> checksum(hosts, false), "a", "s");
    }
}
