// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static dev.verbatim.conformance.misuse.Hosts.WORD;
import static dev.verbatim.conformance.misuse.SystemRuns.accused;
import static dev.verbatim.conformance.misuse.SystemRuns.found;
import static dev.verbatim.conformance.misuse.SystemRuns.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.misuse.Hosts.Host;
import dev.verbatim.conformance.misuse.Hosts.Way;
import dev.verbatim.sanitizer.Finding;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.testing.LongTest;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small right programs as real systems have them, of which nothing is reported; each with a mistake in it is found. */
class SilentSystemsTest {

    private static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    private static final int HEAD = 512;
    private static final int SCRATCH = 1024;

    private static void seqlock(Hosts hosts, boolean right) {
        int version = 128;
        hosts.program("a", host -> {
            Way way = host.to("b");
            long before;
            long after;
            do {
                way.silently(way.reading(version, SCRATCH, WORD));
                way.silently(way.reading(0, 0, 2 * WORD));
                way.doing(way.reading(version, SCRATCH + WORD, WORD));
                before = host.load(SCRATCH);
                after = host.load(SCRATCH + WORD);
            } while (right && (before != after || before < 4));
            assertThat(!right || host.load(0) == host.load(WORD)).isTrue();
        });
        hosts.program("b", host -> {
            for (long round = 1; round <= 3; round += 2) {
                host.store(version, round);
                host.store(0, round);
                host.store(WORD, round);
                host.store(version, round + 1);
            }
        });
    }

    @Test
    @LongTest
    void seqlockWhoseReadsArePosted() {
        silent(hosts -> seqlock(hosts, true), "a", "b");
        accused(Mistake.S4, hosts -> seqlock(hosts, false), "a", "b");
    }

    /** The first word says where the record is, and changes when the record moves; a record is not used again. */
    private static void descriptor(Hosts hosts, boolean right) {
        hosts.program("a", host -> {
            Way way = host.to("b");
            long at;
            do {
                at = way.read(HEAD, SCRATCH);
            } while (at == 0);
            way.doing(way.reading((int) at, 0, 2 * WORD));
            assertThat(!right || host.load(0) == 5).isTrue();
            assertThat(!right || host.load(WORD) == 6).isTrue();
        });
        hosts.program("b", host -> {
            for (int at : new int[] {64, 128}) {
                if (!right) {
                    host.store(HEAD, at);
                }
                host.store(at, 5);
                host.store(at + WORD, 6);
                if (right) {
                    host.store(HEAD, at);
                }
            }
        });
    }

    @Test
    @LongTest
    void descriptorIsReadAndThenTheRecord() {
        silent(hosts -> descriptor(hosts, true), "a", "b");
    }

    private static final int LOCK = 256;
    private static final int VALUE = 320;

    /** Two clients add to a word of a server that neither it nor anything but the lock protects. */
    private static void lease(Hosts hosts, boolean right) {
        hosts.host("s").to("a").receiveNothing(1);
        hosts.host("s").to("b").receiveNothing(1);
        for (String client : List.of("a", "b")) {
            hosts.program(client, host -> {
                Way way = host.to("s");
                long own = client.charAt(0);
                for (int i = 0; i < 2; i++) {
                    while (way.swap(LOCK, 0, own, SCRATCH) != 0) {
                        // The other has it.
                    }
                    long value = way.read(VALUE, VALUE);
                    host.store(VALUE, value + 1);
                    if (right) {
                        way.silently(way.writing(VALUE, VALUE, WORD));
                    }
                    assertThat(way.swap(LOCK, own, 0, SCRATCH)).isEqualTo(own);
                    if (!right) {
                        way.doing(way.writing(VALUE, VALUE, WORD));
                    }
                }
                way.doing(way.sending(0, 0));
            });
        }
        hosts.program("s", host -> {
            host.to("a").receivedOne();
            host.to("b").receivedOne();
            assertThat(!right || host.load(VALUE) == 4).isTrue();
        });
    }

    @Test
    void leaseOfTwoClients() {
        silent(hosts -> lease(hosts, true), "a", "b", "s");
        accused(Mistake.S4, hosts -> lease(hosts, false), "a", "b", "s");
    }

    /** A ticket is drawn by FETCH_ADD; the word now served is READ, and added to at the end. */
    private static void tickets(Hosts hosts) {
        int serving = LOCK + WORD;
        for (String client : List.of("a", "b")) {
            hosts.program(client, host -> {
                Way way = host.to("s");
                for (int i = 0; i < 2; i++) {
                    long ticket = way.add(LOCK, 1, SCRATCH);
                    while (way.read(serving, SCRATCH) != ticket) {
                        // Others come first.
                    }
                    long value = way.read(VALUE, VALUE);
                    host.store(VALUE, value + 1);
                    way.silently(way.writing(VALUE, VALUE, WORD));
                    way.add(serving, 1, SCRATCH);
                }
            });
        }
        hosts.program("s", host -> {
            host.until(serving, 4);
            assertThat(host.load(VALUE)).isEqualTo(4);
        });
    }

    @Test
    void ticketsThatAreServedInTurn() {
        silent(SilentSystemsTest::tickets, "a", "b", "s");
    }

    /** In each round each host changes its record, meets the others, READs theirs, and meets them again. */
    private static void rounds(Hosts hosts, boolean right) {
        List<String> names = List.of("a", "b", "c");
        for (String name : names) {
            hosts.program(name, host -> {
                int own = names.indexOf(name);
                long meeting = 0;
                for (int round = 1; round <= 2; round++) {
                    host.store(VALUE, 10L * round + own);
                    host.store(VALUE + WORD, 10L * round + own);
                    meet(host, names, own, ++meeting, right ? names.size() : 1);
                    for (String other : names) {
                        if (!other.equals(name)) {
                            Way way = host.to(other);
                            way.doing(way.reading(VALUE, SCRATCH, 2 * WORD));
                            long value = host.load(SCRATCH + WORD);
                            assertThat(!right || value == 10L * round + names.indexOf(other))
                                    .isTrue();
                        }
                    }
                    meet(host, names, own, ++meeting, names.size());
                }
            });
        }
    }

    private static void meet(Host host, List<String> names, int own, long meeting, int others) {
        int at = HEAD + own * WORD;
        host.store(at, meeting);
        for (String other : names) {
            if (!other.equals(host.name)) {
                Way way = host.to(other);
                way.doing(way.writing(at, at, WORD));
            }
        }
        for (int i = 0; i < others; i++) {
            if (i != own) {
                host.until(HEAD + i * WORD, meeting);
            }
        }
    }

    @Test
    void barriersBetweenRounds() {
        silent(hosts -> rounds(hosts, true), "a", "b", "c");
        accused(Mistake.S4, hosts -> rounds(hosts, false), "a", "b", "c");
    }

    private static void doubleBuffer(Hosts hosts, boolean right) {
        int rounds = 5;
        for (int i = 0; i < rounds; i++) {
            hosts.host("b").to("a").receiveNothing(i);
            hosts.host("a").to("b").receiveNothing(i);
        }
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < rounds; i++) {
                int at = i % 2 * 64;
                if (i >= 2) {
                    way.receivedOne();
                }
                for (int word = 0; word < 4; word++) {
                    host.store(at + word * WORD, 10L * i + word);
                }
                way.post(way.telling(at, at, 4 * WORD, i));
                if (right) {
                    if (i > 0) {
                        way.sentOne();
                    }
                } else {
                    host.store(at, 0);
                }
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            for (int i = 0; i < rounds; i++) {
                int at = way.receivedOne().immediate() % 2 * 64;
                for (int word = 0; word < 4; word++) {
                    long value = host.load(at + word * WORD);
                    assertThat(!right || value == 10L * i + word).isTrue();
                }
                way.silently(way.sending(0, 0));
            }
        });
    }

    @Test
    void doubleBufferWithImmediateData() {
        silent(hosts -> doubleBuffer(hosts, true), "a", "b");
        accused(Mistake.S1, hosts -> doubleBuffer(hosts, false), "a", "b");
    }

    /** Two clients of one server, whose receives are of one pool; each is posted again when the answer has been made of it. */
    private static void pool(Hosts hosts, boolean right) {
        int calls = 3;
        Host server = hosts.host("a");
        for (int i = 0; i < 2; i++) {
            server.pool().postRecv(ReceiveWorkRequest.of(i, server.region.sge(right ? i * WORD : 0, WORD)));
        }
        for (String client : List.of("b", "c")) {
            hosts.program(client, host -> {
                Way way = host.to("a");
                for (int i = 0; i < calls; i++) {
                    host.store(0, 10 + i);
                    way.receive(i, WORD, WORD);
                    way.doing(way.sending(0, WORD));
                    way.receivedOne();
                    assertThat(!right || host.load(WORD) == 20 + i).isTrue();
                }
            });
        }
        hosts.program("a", host -> {
            for (int i = 0; i < 2 * calls; i++) {
                // Both queue pairs have their receives completed in one queue.
                WorkCompletion received = host.to("b").receivedOne();
                int at = right ? (int) received.id() * WORD : 0;
                long call = host.load(at);
                server.pool().postRecv(ReceiveWorkRequest.of(received.id(), server.region.sge(at, WORD)));
                Way way = host.to(host.to("b").qp().number() == received.qpNumber() ? "b" : "c");
                host.store(HEAD, call + 10);
                way.doing(way.sending(HEAD, WORD));
            }
        });
    }

    @Test
    void clientsOfOneServerWithAPoolOfReceives() {
        assertThat(found(true, hosts -> pool(hosts, true), "a", "b", "c")).isEmpty();
        assertThat(found(true, hosts -> pool(hosts, false), "a", "b", "c"))
                .extracting(Finding::mistake)
                .contains(Mistake.S3);
    }

    /** Every fourth request of a ring of eight sources has a completion, which gives back four of them. */
    private static void fewSignals(Hosts hosts, boolean right) {
        int requests = 24;
        hosts.host("b").to("a").receiveNothing(1);
        hosts.program("a", host -> {
            Way way = host.to("b");
            int outstanding = 0;
            for (int i = 0; i < requests; i++) {
                if (outstanding == (right ? 8 : 9)) {
                    way.sentOne();
                    outstanding -= 4;
                }
                int at = i % 8 * WORD;
                host.store(at, i);
                SendWorkRequest request = way.writing(at, at, WORD);
                way.post(i % 4 == 3 ? request : request.unsignaled());
                outstanding++;
            }
            while (outstanding >= 4) {
                way.sentOne();
                outstanding -= 4;
            }
            way.doing(way.sending(0, 0));
        });
        hosts.program("b", host -> {
            host.to("a").receivedOne();
            for (int i = 0; i < 8; i++) {
                long value = host.load(i * WORD);
                assertThat(!right || value == 16 + i).isTrue();
            }
        });
    }

    @Test
    void sendQueueWithFewSignals() {
        silent(hosts -> fewSignals(hosts, true), "a", "b");
        accused(Mistake.S1, hosts -> fewSignals(hosts, false), "a", "b");
    }

    /** The server opens a window for one WRITE; the client closes it with its message, and the server opens another. */
    private static void window(Hosts hosts, boolean right) {
        int rounds = 2;
        hosts.host("b").to("a").receive(1, HEAD, WORD);
        hosts.program("a", host -> {
            Way way = host.to("b");
            MemoryWindow window = host.pd.allocateWindow(MemoryWindowType.TYPE_2);
            for (int i = 1; i <= rounds; i++) {
                way.receiveNothing(i);
                int key = (window.rkey() & ~0xff) | i;
                way.doing(SendWorkRequest.bindWindow(
                        i, window, key, new BindInfo(host.region, host.address(0), 2 * WORD, RIGHTS)));
                host.store(HEAD, Integer.toUnsignedLong(window.currentRkey()));
                way.doing(way.sending(HEAD, WORD));
                if (!right) {
                    assertThat(host.load(WORD)).isGreaterThanOrEqualTo(0);
                }
                way.receivedOne();
                assertThat(host.load(0)).isEqualTo(i);
                assertThat(host.load(WORD)).isEqualTo(10 + i);
            }
            window.close();
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            for (int i = 1; i <= rounds; i++) {
                way.receivedOne();
                int key = (int) host.load(HEAD);
                if (i < rounds) {
                    way.receive(i + 1, HEAD, WORD);
                }
                host.store(0, i);
                host.store(WORD, 10 + i);
                way.silently(SendWorkRequest.write(i, way.peer().address(0), key, host.region.sge(0, 2 * WORD)));
                way.doing(SendWorkRequest.sendWithInvalidate(10 + i, key));
            }
        });
    }

    @Test
    void windowForOneWriteThatThePeerCloses() {
        silent(hosts -> window(hosts, true), "a", "b");
        accused(Mistake.S4, hosts -> window(hosts, false), "a", "b");
    }

    /** A large message: its place is sent, the receiver READs it and says that it has. */
    private static void rendezvous(Hosts hosts, boolean right) {
        int messages = 3;
        for (int i = 0; i < messages; i++) {
            hosts.host("b").to("a").receiveNothing(i);
            hosts.host("a").to("b").receiveNothing(i);
        }
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < messages; i++) {
                for (int word = 0; word < 8; word++) {
                    host.store(word * WORD, 10L * i + word);
                }
                way.silently(way.sending(0, 0));
                way.receivedOne();
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            for (int i = 0; i < messages; i++) {
                way.receivedOne();
                way.silently(way.reading(0, 0, 8 * WORD));
                way.doing(right ? way.sending(0, 0).plus(SendFlags.FENCE) : way.sending(0, 0));
                for (int word = 0; word < 8; word++) {
                    long value = host.load(word * WORD);
                    assertThat(!right || value == 10L * i + word).isTrue();
                }
            }
        });
    }

    @Test
    void rendezvousWhoseEndIsFenced() {
        silent(hosts -> rendezvous(hosts, true), "a", "b");
        accused(Mistake.S4, hosts -> rendezvous(hosts, false), "a", "b");
    }

    /** What comes goes on from the same buffer to the next host, and the first hears of the end. */
    private static void chain(Hosts hosts, boolean right) {
        int rounds = 3;
        for (int i = 0; i < rounds; i++) {
            hosts.host("b").to("a").receiveNothing(i);
            hosts.host("c").to("b").receiveNothing(i);
            hosts.host("a").to("c").receiveNothing(i);
        }
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < rounds; i++) {
                host.store(0, i);
                host.store(WORD, 10 + i);
                way.doing(way.telling(0, 0, 2 * WORD, i));
                if (right || i == rounds - 1) {
                    host.to("c").receivedOne();
                }
            }
        });
        hosts.program("b", host -> {
            for (int i = 0; i < rounds; i++) {
                host.to("a").receivedOne();
                Way way = host.to("c");
                way.doing(way.telling(0, 0, 2 * WORD, i));
            }
        });
        hosts.program("c", host -> {
            for (int i = 0; i < rounds; i++) {
                host.to("b").receivedOne();
                long value = host.load(WORD);
                assertThat(!right || value == 10 + i).isTrue();
                Way way = host.to("a");
                way.doing(way.sending(0, 0));
            }
        });
    }

    @Test
    void chainOfReplicas() {
        silent(hosts -> chain(hosts, true), "a", "b", "c");
        accused(Mistake.S4, hosts -> chain(hosts, false), "a", "b", "c");
    }

    /** A call is a WRITE of one word into the slot of the client, and so is the answer; the server looks at all slots in turn. */
    private static void slots(Hosts hosts) {
        int calls = 3;
        for (String client : List.of("b", "c")) {
            hosts.host("a").to(client).receiveNothing(1);
            hosts.program(client, host -> {
                Way way = host.to("a");
                int slot = client.charAt(0) * WORD;
                for (long call = 1; call <= calls; call++) {
                    host.store(slot, call);
                    way.silently(way.writing(slot, slot, WORD));
                    assertThat(host.until(HEAD + slot, call)).isEqualTo(call);
                }
                // The answer says that the call was executed, not that the source is free again: only this does.
                way.doing(way.sending(0, 0));
            });
        }
        hosts.program("a", host -> {
            String[] clients = {"b", "c"};
            long[] done = new long[2];
            while (done[0] + done[1] < 2 * calls) {
                for (int i = 0; i < 2; i++) {
                    int slot = clients[i].charAt(0) * WORD;
                    long call = host.load(slot);
                    if (call > done[i]) {
                        done[i] = call;
                        host.store(HEAD + slot, call);
                        Way way = host.to(clients[i]);
                        way.doing(way.writing(HEAD + slot, HEAD + slot, WORD));
                    }
                }
            }
        });
    }

    @Test
    void callsByWordsInSlotsOfTheClients() {
        silent(SilentSystemsTest::slots, "a", "b", "c");
    }

    /** A word that is not 0 is a message; its reader empties the mailbox, and the sender READs until it is empty. */
    private static void mailbox(Hosts hosts) {
        int messages = 3;
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (long message = 1; message <= messages; message++) {
                while (way.read(0, SCRATCH) != 0) {
                    // It is full.
                }
                host.store(WORD, message);
                way.doing(way.writing(WORD, 0, WORD));
            }
        });
        hosts.program("b", host -> {
            for (long message = 1; message <= messages; message++) {
                assertThat(host.until(0, 1)).isEqualTo(message);
                host.store(0, 0);
            }
        });
    }

    @Test
    @LongTest
    void mailboxThatTheSenderReadsUntilItIsEmpty() {
        silent(SilentSystemsTest::mailbox, "a", "b");
    }

    /** Workers take tasks by FETCH_ADD on an index, READ them, and WRITE the result beside. */
    private static void tasks(Hosts hosts) {
        int tasks = 4;
        int count = 2 * WORD * tasks;
        Host owner = hosts.host("a");
        owner.to("b").receiveNothing(1);
        owner.to("c").receiveNothing(1);
        hosts.program("a", host -> {
            for (int i = 0; i < tasks; i++) {
                host.store(2 * i * WORD, 5 + i);
            }
            for (String worker : List.of("b", "c")) {
                Way way = host.to(worker);
                way.doing(way.sending(0, 0));
            }
            host.to("b").receivedOne();
            host.to("c").receivedOne();
            for (int i = 0; i < tasks; i++) {
                assertThat(host.load((2 * i + 1) * WORD)).isEqualTo(15 + i);
            }
        });
        for (String worker : List.of("b", "c")) {
            hosts.host(worker).to("a").receiveNothing(1);
            hosts.program(worker, host -> {
                Way way = host.to("a");
                way.receivedOne();
                long task = way.add(HEAD, 1, SCRATCH);
                while (task < tasks) {
                    int at = (int) task * 2 * WORD;
                    host.store(at + WORD, way.read(at, at) + 10);
                    way.silently(way.writing(at + WORD, at + WORD, WORD));
                    task = way.add(HEAD, 1, SCRATCH);
                }
                way.doing(way.sending(0, 0));
            });
        }
        assertThat(count).isLessThan(HEAD);
    }

    @Test
    void tasksThatWorkersTake() {
        silent(SilentSystemsTest::tasks, "a", "b", "c");
    }

    /** Of a server that has memory only: a client locks the version by CMP_SWP and changes the record, the other READs both versions. */
    private static void versions(Hosts hosts, boolean right, boolean swapped) {
        hosts.program("a", host -> {
            Way way = host.to("s");
            for (int i = 0; i < 2; i++) {
                // Something else, long enough for the other to see two equal versions in between.
                for (int work = 0; work < 4; work++) {
                    way.read(HEAD, SCRATCH);
                }
                long version = 2L * i;
                assertThat(way.swap(LOCK, version, version + 1, SCRATCH)).isEqualTo(version);
                host.store(VALUE, 10 + i);
                host.store(VALUE + WORD, 10 + i);
                way.silently(way.writing(VALUE, VALUE, 2 * WORD));
                if (swapped) {
                    way.swap(LOCK, version + 1, version + 2, SCRATCH);
                } else {
                    host.store(SCRATCH, version + 2);
                    way.doing(way.settingWord(SCRATCH, LOCK));
                }
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("s");
            long before;
            long after;
            do {
                before = way.read(LOCK, SCRATCH);
                way.doing(way.reading(VALUE, VALUE, 2 * WORD));
                after = right ? way.read(LOCK, SCRATCH) : before;
            } while (before != after || before % 2 != 0);
            assertThat(!right || host.load(VALUE) == host.load(VALUE + WORD)).isTrue();
        });
    }

    @Test
    void recordWhoseVersionAClientChanges() {
        silent(hosts -> versions(hosts, true, true), "a", "b", "s");
        silent(hosts -> versions(hosts, true, false), "a", "b", "s");
        accused(Mistake.S4, hosts -> versions(hosts, false, true), "a", "b", "s");
    }

    /** The index of the next task is READ, and set by a CMP_SWP that fails if another worker was faster. */
    private static void stolen(Hosts hosts, boolean right) {
        int index = HEAD + WORD;
        hosts.program("s", host -> {
            for (int i = 0; i < 3; i++) {
                host.store(i * WORD, 70 + i);
            }
            host.store(HEAD, 3);
        });
        for (String worker : List.of("a", "b")) {
            hosts.program(worker, host -> {
                Way way = host.to("s");
                long tasks;
                do {
                    tasks = way.read(HEAD, SCRATCH);
                } while (tasks == 0);
                long next = way.read(index, SCRATCH);
                while (next < tasks) {
                    long task = way.read((int) next * WORD, SCRATCH + WORD);
                    if (right) {
                        long found = way.swap(index, next, next + 1, SCRATCH);
                        assertThat(found != next || task == 70 + next).isTrue();
                        next = found == next ? next + 1 : found;
                    } else {
                        host.store(SCRATCH, ++next);
                        way.doing(way.writing(SCRATCH, index, WORD));
                    }
                }
            });
        }
    }

    @Test
    void tasksThatAreReadAndTakenByAComparison() {
        silent(hosts -> stolen(hosts, true), "a", "b", "s");
        accused(Mistake.S4, hosts -> stolen(hosts, false), "a", "b", "s");
    }

    /** A record is copied within the server, and what was copied is READ into the source of the WRITE that copied it. */
    private static void copy(Hosts hosts) {
        hosts.host("b").region.memory().buffer().putLong(0, 5);
        hosts.host("b").to("a").receiveNothing(1);
        hosts.program("a", host -> {
            Way way = host.to("b");
            way.silently(way.reading(0, SCRATCH, 2 * WORD));
            way.silently(way.writing(SCRATCH, VALUE, 2 * WORD).plus(SendFlags.FENCE));
            way.silently(way.reading(VALUE, SCRATCH, 2 * WORD));
            way.doing(way.sending(0, 0).plus(SendFlags.FENCE));
        });
        hosts.program("b", host -> {
            host.to("a").receivedOne();
            assertThat(host.load(VALUE)).isEqualTo(host.load(0));
            host.store(VALUE, 1);
        });
    }

    @Test
    void copyThatIsReadIntoItsSource() {
        silent(SilentSystemsTest::copy, "a", "b");
    }

    /** A queue of waiting clients: each writes its number to the one before it, and waits for its own word (Mellor-Crummey and Scott). */
    private static void queuedLock(Hosts hosts) {
        int successor = HEAD;
        int waiting = HEAD + WORD;
        List<String> clients = List.of("a", "b", "c");
        for (String client : clients) {
            hosts.program(client, host -> {
                Way server = host.to("s");
                long own = clients.indexOf(client) + 1;
                host.store(waiting, 1);
                long last = 0;
                for (long found = server.swap(LOCK, last, own, SCRATCH); found != last; ) {
                    last = found;
                    found = server.swap(LOCK, last, own, SCRATCH);
                }
                if (last != 0) {
                    host.store(SCRATCH, own);
                    Way before = host.to(clients.get((int) last - 1));
                    before.doing(before.writing(SCRATCH, successor, WORD));
                    host.node().loadUntil(host.region.memory(), waiting, value -> value == 0);
                }
                host.store(VALUE, server.read(VALUE, VALUE) + 1);
                server.doing(server.writing(VALUE, VALUE, WORD));
                if (host.load(successor) != 0 || server.swap(LOCK, own, 0, SCRATCH) != own) {
                    long next = host.until(successor, 1);
                    host.store(SCRATCH, 0);
                    Way behind = host.to(clients.get((int) next - 1));
                    behind.doing(behind.writing(SCRATCH, waiting, WORD));
                }
                server.add(LOCK + WORD, 1, SCRATCH);
            });
        }
        hosts.program("s", host -> {
            host.until(LOCK + WORD, clients.size());
            assertThat(host.load(VALUE)).isEqualTo(clients.size());
        });
    }

    @Test
    void lockWithAQueueOfClients() {
        silent(SilentSystemsTest::queuedLock, "a", "b", "c", "s");
    }

    /** The owner destroys its queue pair, and then gives back the region that its peer may still write to. */
    private static void leaving(Hosts hosts, boolean right) {
        hosts.host("a").to("b").receiveNothing(1);
        hosts.program("a", host -> {
            Way way = host.to("b");
            way.receivedOne();
            way.post(way.writing(0, 0, WORD));
            WorkCompletion end = way.sent().awaitCompletion(Hosts.LONG);
            assertThat(end.id()).isZero();
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            way.doing(way.sending(0, 0));
            if (right) {
                way.qp().close();
            }
            host.region.close();
        });
    }

    @Test
    void regionIsGivenBackBehindItsQueuePair() {
        silent(hosts -> leaving(hosts, true), "a", "b");
        accused(Mistake.S19, hosts -> leaving(hosts, false), "a", "b");
    }
}
