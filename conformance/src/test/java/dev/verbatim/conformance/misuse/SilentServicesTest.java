// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static dev.verbatim.conformance.misuse.Hosts.WORD;
import static dev.verbatim.conformance.misuse.SystemRuns.accused;
import static dev.verbatim.conformance.misuse.SystemRuns.found;
import static dev.verbatim.conformance.misuse.SystemRuns.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.conformance.misuse.Hosts.Host;
import dev.verbatim.conformance.misuse.Hosts.Way;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Storage targets, message services and what programs do with objects; each with a mistake in it is found. */
class SilentServicesTest {

    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    private static final int VALUE = 320;
    private static final int HEAD = 512;
    private static final int SCRATCH = 1024;

    /**
     * A command carries the key of a window that is bound right before it; the target READs the data, and its answer invalidates the key
     * (NVMe-oF, iSER).
     */
    private static void target(Hosts hosts, boolean right) {
        int commands = 3;
        for (int i = 0; i < commands; i++) {
            hosts.host("t").to("h").receive(i, HEAD + i * WORD, WORD);
        }
        hosts.program("h", host -> {
            Way way = host.to("t");
            MemoryWindow window = host.pd.allocateWindow(MemoryWindowType.TYPE_2);
            for (int i = 0; i < commands; i++) {
                way.receiveNothing(i);
                host.store(0, 10 + i);
                host.store(3 * WORD, 20 + i);
                int key = (window.rkey() & ~0xff) | (i + 1);
                host.store(HEAD, Integer.toUnsignedLong(key));
                way.silently(SendWorkRequest.bindWindow(
                        i, window, key, new BindInfo(host.region, host.address(0), 4 * WORD, RIGHTS)));
                way.post(way.sending(HEAD, WORD));
                if (!right) {
                    way.sentOne();
                    host.store(0, 0);
                }
                WorkCompletion answer = way.receivedOne();
                assertThat(answer.invalidatedKey()).isEqualTo(key);
                if (right) {
                    way.sentOne();
                }
            }
            window.close();
        });
        hosts.program("t", host -> {
            Way way = host.to("h");
            for (int i = 0; i < commands; i++) {
                way.receivedOne();
                int key = (int) host.load(HEAD + i * WORD);
                way.silently(SendWorkRequest.read(i, way.peer().address(0), key, host.region.sge(0, 4 * WORD)));
                way.doing(SendWorkRequest.sendWithInvalidate(i, key).plus(SendFlags.FENCE));
                long value = host.load(3 * WORD);
                assertThat(!right || value == 20 + i).isTrue();
            }
        });
    }

    @Test
    void commandsWhoseAnswerInvalidatesTheirWindow() {
        silent(hosts -> target(hosts, true), "h", "t");
        accused(Mistake.S4, hosts -> target(hosts, false), "h", "t");
    }

    /** A message waits for a receive, which is posted when the reader has read what came before: that is the credit. */
    private static void receiveIsTheCredit(Hosts hosts, boolean right) {
        int rounds = 3;
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < rounds; i++) {
                host.store(0, 10 + i);
                host.store(WORD, 20 + i);
                if (i > 0) {
                    // It waits, and the WRITE behind it does, too.
                    way.silently(way.sending(0, 0));
                }
                way.doing(way.telling(0, 0, 2 * WORD, i));
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            way.receiveNothing(0);
            for (int i = 0; i < rounds; i++) {
                assertThat(way.receivedOne().immediate()).isEqualTo(i);
                if (!right && i < rounds - 1) {
                    way.receiveNothing(i);
                    way.receiveNothing(i);
                }
                long value = host.load(WORD);
                assertThat(!right || value == 20 + i).isTrue();
                if (i < rounds - 1) {
                    if (right) {
                        way.receiveNothing(i);
                        way.receiveNothing(i);
                    }
                    way.receivedOne();
                }
            }
        });
    }

    @Test
    void receiveThatIsPostedIsACredit() {
        // That the receives are posted late is a note.
        assertThat(found(false, hosts -> receiveIsTheCredit(hosts, true), "a", "b"))
                .filteredOn(Finding::isError)
                .isEmpty();
        accused(Mistake.S4, hosts -> receiveIsTheCredit(hosts, false), "a", "b");
    }

    /** A request is given up: the queue pair is taken to ERR, all is flushed, and what the peer may have written is loaded. */
    private static void givenUp(Hosts hosts, boolean right) {
        hosts.program("a", host -> {
            Way way = host.to("b");
            host.store(0, 1);
            way.receive(1, HEAD, 2 * WORD);
            way.post(way.writing(0, 0, WORD));
            host.node().others();
            way.qp().modify(new QpAttributes().state(QpState.ERR));
            if (right) {
                way.sent().awaitCompletion(Hosts.LONG).status();
                way.received().awaitCompletion(Hosts.LONG).status();
            }
            host.store(0, 2);
            host.store(VALUE, host.load(VALUE) + host.load(HEAD));
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            host.store(VALUE, 5);
            way.post(way.writing(VALUE, VALUE, WORD));
            way.sent().awaitCompletion(Hosts.LONG).status();
        });
    }

    @Test
    void requestsAreGivenUpByTheErrorState() {
        silent(hosts -> givenUp(hosts, true), "a", "b");
        accused(Mistake.S1, hosts -> givenUp(hosts, false), "a", "b");
    }

    /** Both queue pairs are reset and connected again, and the last message is sent once more from the same buffer. */
    private static void reconnected(Hosts hosts, boolean right) {
        Deque<Integer> steps = new ArrayDeque<>();
        hosts.host("b").to("a").receive(1, HEAD, WORD);
        hosts.program("a", host -> {
            Way way = host.to("b");
            host.store(0, 1);
            way.post(way.sending(0, WORD));
            host.node().others();
            if (right) {
                way.qp().modify(new QpAttributes().state(QpState.RESET));
                way.peer().to("a").qp().modify(new QpAttributes().state(QpState.RESET));
            }
            host.store(0, 2);
            if (!right) {
                way.qp().modify(new QpAttributes().state(QpState.RESET));
                way.peer().to("a").qp().modify(new QpAttributes().state(QpState.RESET));
            }
            RcConnection.connect(way.qp(), way.peer().to("a").qp());
            steps.add(1);
            way.doing(way.sending(0, WORD));
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            host.node().await(() -> !steps.isEmpty());
            way.receive(2, HEAD, WORD);
            way.receivedOne();
            assertThat(host.load(HEAD)).isEqualTo(2);
        });
    }

    @Test
    void buffersAreFreeBehindAReset() {
        silent(hosts -> reconnected(hosts, true), "a", "b");
        accused(Mistake.S1, hosts -> reconnected(hosts, false), "a", "b");
    }

    /** A region gets other memory when its peer has said that it is done with what was there, and has the key told anew. */
    private static void moved(Hosts hosts, boolean right) {
        hosts.host("b").to("a").receive(1, HEAD, 2 * WORD);
        hosts.host("b").to("a").receive(2, HEAD + 2 * WORD, 2 * WORD);
        hosts.host("a").to("b").receiveNothing(1);
        hosts.host("a").to("b").receiveNothing(2);
        hosts.program("a", host -> {
            Way way = host.to("b");
            MemoryRegion region = host.pd.register(Memory.allocate(64), RIGHTS | AccessFlags.LOCAL_WRITE);
            for (int i = 0; i < 2; i++) {
                host.store(i * 2 * WORD, region.address());
                host.store(i * 2 * WORD + WORD, Integer.toUnsignedLong(region.rkey()));
                way.doing(way.sending(i * 2 * WORD, 2 * WORD));
                if (right) {
                    way.receivedOne();
                }
                region.reregister(Memory.allocate(64), 0, 64);
                if (!right) {
                    return;
                }
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            for (int i = 0; i < (right ? 2 : 1); i++) {
                way.receivedOne();
                long address = host.load(HEAD + i * 2 * WORD);
                int key = (int) host.load(HEAD + i * 2 * WORD + WORD);
                way.post(SendWorkRequest.write(i, address, key, host.region.sge(0, WORD)));
                assertThat(way.sent().awaitCompletion(Hosts.LONG).isSuccess() || !right)
                        .isTrue();
                if (right) {
                    way.doing(way.sending(0, 0));
                }
            }
        });
    }

    @Test
    void regionMovesWhenItsPeerIsDone() {
        silent(hosts -> moved(hosts, true), "a", "b");
        accused(Mistake.S19, hosts -> moved(hosts, false), "a", "b");
    }

    /** One program polls, and hands what came to another of the same host. */
    private static void dispatched(Hosts hosts, boolean right) {
        int messages = 3;
        Deque<WorkCompletion> queue = new ArrayDeque<>();
        for (int i = 0; i < 2; i++) {
            hosts.host("b").to("a").receive(i, HEAD + i * WORD, WORD);
            hosts.host("a").to("b").receiveNothing(i);
        }
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < messages; i++) {
                if (i >= 2) {
                    way.receivedOne();
                }
                host.store(i * WORD, 10 + i);
                way.doing(way.sending(i * WORD, WORD));
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            for (int i = 0; i < messages; i++) {
                WorkCompletion received = way.receivedOne();
                if (!right && i == 0) {
                    way.receive(2, HEAD, WORD);
                    way.post(way.sending(0, 0));
                }
                queue.add(received);
            }
        });
        Host b = hosts.host("b");
        hosts.simulation().node("worker", node -> {
            Way way = b.to("a");
            for (int i = 0; i < messages; i++) {
                node.await(() -> !queue.isEmpty());
                int at = HEAD + (int) queue.removeFirst().id() % 2 * WORD;
                long value = node.load(b.region.memory(), at);
                assertThat(!right || value == 10 + i).isTrue();
                if (right && i == 0) {
                    way.receive(2, at, WORD);
                    way.post(way.sending(0, 0));
                }
            }
        });
    }

    @Test
    void oneProgramPollsAndAnotherWorks() {
        silent(hosts -> dispatched(hosts, true), "a", "b");
        accused(Mistake.S2, hosts -> dispatched(hosts, false), "a", "b");
    }

    /** The next block is READ while the program works on the one before; the owner hears when all were READ. */
    private static void prefetched(Hosts hosts, boolean right) {
        int blocks = 4;
        int block = 2 * WORD;
        hosts.host("b").to("a").receiveNothing(1);
        for (int i = 0; i < blocks; i++) {
            hosts.host("b").region.memory().buffer().putLong(VALUE + i * block, 7 + i);
        }
        hosts.program("a", host -> {
            Way way = host.to("b");
            way.post(way.reading(VALUE, 0, block));
            for (int i = 0; i < blocks; i++) {
                if (right) {
                    way.sentOne();
                }
                if (i + 1 < blocks) {
                    way.post(way.reading(VALUE + (i + 1) * block, (i + 1) % 2 * block, block));
                }
                long value = host.load(i % 2 * block);
                assertThat(!right || value == 7 + i).isTrue();
                if (!right) {
                    way.sentOne();
                }
            }
            way.doing(way.sending(0, 0));
        });
        hosts.program("b", host -> {
            host.to("a").receivedOne();
            host.store(VALUE, 0);
        });
    }

    @Test
    void blocksAreReadAhead() {
        silent(hosts -> prefetched(hosts, true), "a", "b");
        accused(Mistake.S2, hosts -> prefetched(hosts, false), "a", "b");
    }

    /** Header and payload come from two places, and go to two. */
    private static void scattered(Hosts hosts, boolean right) {
        int messages = 2;
        for (int i = 0; i < messages; i++) {
            Host b = hosts.host("b");
            b.to("a")
                    .qp()
                    .postRecv(ReceiveWorkRequest.of(
                            i,
                            b.region.sge(HEAD + i * WORD, WORD),
                            b.region.sge(VALUE + (right ? i : 0) * 2 * WORD, 2 * WORD)));
        }
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < messages; i++) {
                host.store(i * WORD, i);
                host.store(VALUE + i * 2 * WORD, 30 + i);
                way.post(SendWorkRequest.send(
                        i, host.region.sge(i * WORD, WORD), host.region.sge(VALUE + i * 2 * WORD, 2 * WORD)));
            }
            way.sentOne();
            way.sentOne();
        });
        hosts.program("b", host -> {
            for (int i = 0; i < messages; i++) {
                host.to("a").receivedOne();
                long value = host.load(VALUE + (right ? i : 0) * 2 * WORD);
                assertThat(!right || value == 30 + i).isTrue();
            }
        });
    }

    @Test
    void headersAndPayloadsInElementsOfTheirOwn() {
        silent(hosts -> scattered(hosts, true), "a", "b");
        accused(Mistake.S3, hosts -> scattered(hosts, false), "a", "b");
    }

    /** A queue grows while requests are outstanding, and its owner waits for events of it. */
    private static void grown(Hosts hosts, boolean right) {
        int requests = 6;
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < requests; i++) {
                host.store(i * WORD, i);
                way.post(way.writing(i * WORD, i * WORD, WORD));
                if (i == 2) {
                    way.sent().resize(128);
                }
            }
            if (!right) {
                host.store(0, 9);
            }
            for (int i = 0; i < requests; i++) {
                assertThat(way.sentOne().id()).isEqualTo(i * WORD);
                host.store(i * WORD, 9);
            }
        });
    }

    @Test
    void queueGrowsWhileRequestsAreOutstanding() {
        silent(hosts -> grown(hosts, true), "a", "b");
        accused(Mistake.S1, hosts -> grown(hosts, false), "a", "b");
    }

    /** A record and behind it a mark that is an ATOMIC_WRITE; all are posted at once. */
    private static void marked(Hosts hosts, boolean right) {
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 1; i <= 2; i++) {
                int at = i * 2 * WORD;
                host.store(at, 10 + i);
                host.store(at + WORD, 20 + i);
                host.store(HEAD + i * WORD, i);
                SendWorkRequest record = way.writing(at, at, 2 * WORD);
                if (right) {
                    way.silently(record);
                }
                way.silently(way.settingWord(HEAD + i * WORD, HEAD));
                if (!right) {
                    way.silently(record);
                }
            }
            way.doing(way.reading(HEAD, SCRATCH, WORD));
        });
        hosts.program("b", host -> {
            for (int i = 1; i <= 2; i++) {
                host.until(HEAD, i);
                long value = host.load(i * 2 * WORD + WORD);
                assertThat(!right || value == 20 + i).isTrue();
            }
        });
    }

    @Test
    void recordsAndAMarkPostedAtOnce() {
        silent(hosts -> marked(hosts, true), "a", "b");
        accused(Mistake.S4, hosts -> marked(hosts, false), "a", "b");
    }

    /** A table says where blocks are; readers READ blocks of several hosts, and these hear of the end before they drop them (shuffle). */
    private static void shuffle(Hosts hosts, boolean right) {
        for (String mapper : List.of("b", "c")) {
            hosts.host(mapper).to("a").receiveNothing(1);
            hosts.host("a").to(mapper).receive(1, HEAD + mapper.charAt(0) % 2 * 2 * WORD, 2 * WORD);
            hosts.program(mapper, host -> {
                Way way = host.to("a");
                MemoryRegion block = host.pd.register(Memory.allocate(64), AccessFlags.REMOTE_READ);
                host.node().store(block.memory(), 0, 5);
                host.store(0, block.address());
                host.store(WORD, Integer.toUnsignedLong(block.rkey()));
                way.doing(way.sending(0, 2 * WORD));
                if (right) {
                    way.receivedOne();
                }
                block.close();
            });
        }
        hosts.program("a", host -> {
            for (String mapper : List.of("b", "c")) {
                Way way = host.to(mapper);
                way.receivedOne();
                int at = HEAD + mapper.charAt(0) % 2 * 2 * WORD;
                way.silently(SendWorkRequest.read(
                        1, host.load(at), (int) host.load(at + WORD), host.region.sge(at + 64, WORD)));
                way.post(way.sending(0, 0).plus(SendFlags.FENCE));
            }
            for (String mapper : List.of("b", "c")) {
                if (host.to(mapper).sent().awaitCompletion(Hosts.LONG).status() != WcStatus.SUCCESS) {
                    assertThat(right).isFalse();
                    return;
                }
                assertThat(host.load(HEAD + 64 + mapper.charAt(0) % 2 * 2 * WORD))
                        .isEqualTo(5);
            }
        });
    }

    @Test
    void blocksAreReadAndThenDropped() {
        silent(hosts -> shuffle(hosts, true), "a", "b", "c");
        accused(Mistake.S19, hosts -> shuffle(hosts, false), "a", "b", "c");
    }
}
