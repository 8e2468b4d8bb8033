// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import static dev.verbatim.conformance.misuse.Hosts.WORD;
import static dev.verbatim.conformance.misuse.SystemRuns.accused;
import static dev.verbatim.conformance.misuse.SystemRuns.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.misuse.Hosts.Way;
import dev.verbatim.sanitizer.Mistake;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Collective operations, message protocols of MPI and consensus among hosts; each with a mistake in it is found. */
class SilentGroupsTest {

    private static final int LOCK = 256;
    private static final int VALUE = 320;
    private static final int HEAD = 512;
    private static final int SCRATCH = 1024;
    private static final List<String> THREE = List.of("a", "b", "c");

    /** Each host puts a record to the next one, makes sure that it is there, and meets the others (OpenSHMEM: put, quiet, barrier). */
    private static void dissemination(Hosts hosts, boolean right) {
        for (String name : THREE) {
            hosts.program(name, host -> {
                int own = THREE.indexOf(name);
                for (int round = 1; round <= 2; round++) {
                    Way next = host.to(THREE.get((own + 1) % 3));
                    int from = VALUE + round * 4 * WORD;
                    host.store(from, 10L * round + own);
                    host.store(from + WORD, 20L * round + own);
                    next.silently(next.writing(from, from + 2 * WORD, 2 * WORD));
                    if (right) {
                        next.doing(next.reading(HEAD + 8 * WORD, SCRATCH, WORD));
                    }
                    for (int step = 0; step < 2; step++) {
                        int flag = HEAD + (2 * round + step) * WORD;
                        Way partner = host.to(THREE.get((own + 1 + step) % 3));
                        host.store(SCRATCH + flag, round);
                        partner.silently(partner.writing(SCRATCH + flag, flag, WORD));
                        host.until(flag, round);
                    }
                    int before = (own + 2) % 3;
                    long one = host.load(from + 2 * WORD);
                    long other = host.load(from + 3 * WORD);
                    assertThat(!right || one == 10L * round + before).isTrue();
                    assertThat(!right || other == 20L * round + before).isTrue();
                }
            });
        }
    }

    @Test
    void putsAndABarrierByDissemination() {
        silent(hosts -> dissemination(hosts, true), "a", "b", "c");
        accused(Mistake.S17, hosts -> dissemination(hosts, false), "a", "b", "c");
    }

    /** Each host writes its part to the first one and adds to a count behind it; who comes last says so. */
    private static void lastArrival(Hosts hosts, boolean right) {
        hosts.host("s").to("a").receiveNothing(1);
        hosts.host("s").to("b").receiveNothing(2);
        for (String name : List.of("a", "b")) {
            hosts.program(name, host -> {
                Way way = host.to("s");
                int at = VALUE + name.charAt(0) % 2 * 2 * WORD;
                host.store(at, 5);
                host.store(at + WORD, 6);
                if (right) {
                    way.silently(way.writing(at, at, 2 * WORD));
                }
                long count = way.add(HEAD, 1, SCRATCH);
                if (!right) {
                    way.silently(way.writing(at, at, 2 * WORD));
                }
                way.doing(count == 1 ? way.sending(0, 0) : way.writing(SCRATCH, SCRATCH + name.charAt(0) * WORD, WORD));
            });
        }
        hosts.program("s", host -> {
            List<WorkCompletion> all = List.of();
            while (all.isEmpty()) {
                all = host.to("a").received().poll(1);
                if (all.isEmpty()) {
                    all = host.to("b").received().poll(1);
                }
            }
            assertThat(all.get(0).isSuccess()).isTrue();
            for (int word = 0; word < 4; word++) {
                long value = host.load(VALUE + word * WORD);
                assertThat(!right || value == 5 + word % 2).isTrue();
            }
        });
    }

    @Test
    void lastOfManyTellsTheRoot() {
        silent(hosts -> lastArrival(hosts, true), "a", "b", "s");
        accused(Mistake.S4, hosts -> lastArrival(hosts, false), "a", "b", "s");
    }

    /** A ring of hosts adds up vectors of one word for each host: first sums go round, then results; each step has a place of its own. */
    private static void allReduce(Hosts hosts, boolean right) {
        for (int i = 0; i < 3; i++) {
            for (int step = 0; step < 4; step++) {
                hosts.host(THREE.get(i)).to(THREE.get((i + 2) % 3)).receiveNothing(step);
            }
        }
        for (String name : THREE) {
            hosts.program(name, host -> {
                int own = THREE.indexOf(name);
                Way next = host.to(THREE.get((own + 1) % 3));
                Way previous = host.to(THREE.get((own + 2) % 3));
                for (int chunk = 0; chunk < 3; chunk++) {
                    host.store(VALUE + chunk * WORD, own + 1);
                }
                for (int step = 0; step < 4; step++) {
                    int out = VALUE + (own - step + 6) % 3 * WORD;
                    int in = VALUE + (own - step + 5) % 3 * WORD;
                    int arrives = HEAD + (right ? step : 0) * WORD;
                    next.post(next.telling(out, arrives, WORD, step));
                    assertThat(previous.receivedOne().immediate()).isEqualTo(step);
                    long sum = host.load(arrives) + (step < 2 ? host.load(in) : 0);
                    next.sentOne();
                    host.store(in, sum);
                }
                for (int chunk = 0; chunk < 3; chunk++) {
                    long value = host.load(VALUE + chunk * WORD);
                    assertThat(!right || value == 6).isTrue();
                }
            });
        }
    }

    @Test
    void sumsThatGoRoundARing() {
        silent(hosts -> allReduce(hosts, true), "a", "b", "c");
        accused(Mistake.S4, hosts -> allReduce(hosts, false), "a", "b", "c");
    }

    /** Halves of a message go by two queue pairs, each with immediate data of its own. */
    private static void rails(Hosts hosts, boolean right) {
        hosts.connectAgain("a", "b");
        for (int i = 0; i < 3; i++) {
            hosts.host("b").to("a").receiveNothing(i);
            hosts.host("b").alsoTo("a").receiveNothing(i);
            hosts.host("a").to("b").receiveNothing(i);
        }
        hosts.program("a", host -> {
            List<Way> both = List.of(host.to("b"), host.alsoTo("b"));
            for (int i = 0; i < 3; i++) {
                for (Way way : both) {
                    int at = both.indexOf(way) * 2 * WORD;
                    host.store(at, 10 + i);
                    host.store(at + WORD, 20 + i);
                    way.post(way.telling(at, at, 2 * WORD, i));
                }
                both.get(0).receivedOne();
                both.forEach(Way::sentOne);
            }
        });
        hosts.program("b", host -> {
            for (int i = 0; i < 3; i++) {
                host.to("a").receivedOne();
                if (right) {
                    host.alsoTo("a").receivedOne();
                }
                for (int word = 0; word < 4; word++) {
                    long value = host.load(word * WORD);
                    assertThat(!right || value == 10 + word % 2 * 10 + i).isTrue();
                }
                if (!right) {
                    host.alsoTo("a").receivedOne();
                }
                Way way = host.to("a");
                way.doing(way.sending(0, 0));
            }
        });
    }

    @Test
    void halvesOfAMessageByTwoQueuePairs() {
        silent(hosts -> rails(hosts, true), "a", "b");
        accused(Mistake.S17, hosts -> rails(hosts, false), "a", "b");
    }

    /** The sender asks, the receiver answers with a place, and the data and their end come without waiting in between. */
    private static void rendezvousByPut(Hosts hosts, boolean right) {
        hosts.connectAgain("a", "b");
        for (int i = 0; i < 2; i++) {
            hosts.host("b").to("a").receive(2 * i, HEAD + i * WORD, WORD);
            hosts.host("b").to("a").receiveNothing(2 * i + 1);
            hosts.host("b").alsoTo("a").receiveNothing(2 * i + 1);
            hosts.host("a").to("b").receive(i, HEAD + i * WORD, WORD);
        }
        hosts.program("a", host -> {
            Way way = host.to("b");
            for (int i = 0; i < 2; i++) {
                host.store(SCRATCH, 4 * WORD);
                way.silently(way.sending(SCRATCH, WORD));
                way.receivedOne();
                int place = (int) host.load(HEAD + i * WORD);
                host.store(VALUE, 7 + i);
                host.store(VALUE + 3 * WORD, 8 + i);
                way.silently(way.writing(VALUE, place, 4 * WORD));
                Way end = right ? way : host.alsoTo("b");
                end.doing(end.sending(0, 0));
                if (!right) {
                    way.doing(way.sending(0, 0));
                }
            }
        });
        hosts.program("b", host -> {
            Way way = host.to("a");
            for (int i = 0; i < 2; i++) {
                way.receivedOne();
                assertThat(host.load(HEAD + i * WORD)).isEqualTo(4 * WORD);
                host.store(SCRATCH, 2048 + 64 * i);
                way.doing(way.sending(SCRATCH, WORD));
                (right ? way : host.alsoTo("a")).receivedOne();
                long value = host.load(2048 + 64 * i);
                assertThat(!right || value == 7 + i).isTrue();
                if (!right) {
                    way.receivedOne();
                }
            }
        });
    }

    @Test
    void rendezvousWhoseDataAreWritten() {
        silent(hosts -> rendezvousByPut(hosts, true), "a", "b");
        accused(Mistake.S17, hosts -> rendezvousByPut(hosts, false), "a", "b");
    }

    /** A leader writes an entry, makes sure that it is seen, and only then the index up to which all is decided (DARE). */
    private static void decided(Hosts hosts, boolean right) {
        hosts.program("a", host -> {
            for (int i = 1; i <= 2; i++) {
                int at = i * 2 * WORD;
                host.store(at, 10 + i);
                host.store(at + WORD, 20 + i);
                for (String follower : List.of("b", "c")) {
                    Way way = host.to(follower);
                    way.silently(way.writing(at, at, 2 * WORD));
                    int unused = follower.charAt(0) * WORD;
                    way.post(right ? way.reading(LOCK, SCRATCH + unused, WORD) : way.writing(LOCK, LOCK, WORD));
                }
                for (String follower : List.of("b", "c")) {
                    host.to(follower).sentOne();
                }
                host.store(HEAD + i * WORD, i);
                for (String follower : List.of("b", "c")) {
                    Way way = host.to(follower);
                    way.silently(way.writing(HEAD + i * WORD, HEAD, WORD));
                }
            }
        });
        for (String follower : List.of("b", "c")) {
            hosts.program(follower, host -> {
                for (int i = 1; i <= 2; i++) {
                    host.until(HEAD, i);
                    long value = host.load(i * 2 * WORD + WORD);
                    assertThat(!right || value == 20 + i).isTrue();
                }
            });
        }
    }

    @Test
    void entriesOfALogAndTheIndexOfWhatIsDecided() {
        silent(hosts -> decided(hosts, true), "a", "b", "c");
        accused(Mistake.S6, hosts -> decided(hosts, false), "a", "b", "c");
    }

    /** How a follower takes the right to write from one leader before it tells the next one. */
    private enum Permission {
        FLAGS,
        ERROR,
        RESET,
        KEPT
    }

    /** The old leader writes to a follower until it may not, and the new one when the follower has told it (Mu). */
    private static void leaders(Hosts hosts, Permission taken) {
        hosts.host("b").to("s").receive(1, HEAD, WORD);
        hosts.program("a", host -> {
            Way way = host.to("s");
            WorkCompletion end;
            int i = 0;
            do {
                host.store(i * WORD, 1);
                way.post(way.writing(i * WORD, VALUE, WORD));
                end = way.sent().awaitCompletion(Hosts.LONG);
            } while (end.isSuccess() && ++i < 3);
            assertThat(end.isSuccess() && taken != Permission.KEPT && i < 3).isFalse();
        });
        hosts.program("b", host -> {
            Way way = host.to("s");
            way.receivedOne();
            host.store(SCRATCH, 2);
            way.doing(way.writing(SCRATCH, VALUE, WORD));
            long value = way.read(VALUE, SCRATCH + WORD);
            assertThat(taken == Permission.KEPT || value == 2).isTrue();
        });
        hosts.program("s", host -> {
            Way old = host.to("a");
            Way now = host.to("b");
            switch (taken) {
                case FLAGS -> old.qp().modify(new QpAttributes().accessFlags(AccessFlags.REMOTE_READ));
                case ERROR -> old.qp().modify(new QpAttributes().state(QpState.ERR));
                case RESET -> old.qp().modify(new QpAttributes().state(QpState.RESET));
                case KEPT -> {}
            }
            now.inline(now.sending(SCRATCH, WORD));
        });
    }

    @Test
    void followerTakesARightFromOneLeaderAndTellsTheNext() {
        for (Permission each : List.of(Permission.FLAGS, Permission.ERROR, Permission.RESET)) {
            silent(hosts -> leaders(hosts, each), "a", "b", "s");
        }
        accused(Mistake.S4, hosts -> leaders(hosts, Permission.KEPT), "a", "b", "s");
    }

    /** A count is drawn, and goes on in a message that gathers it behind a FENCE. */
    private static void numbered(Hosts hosts, boolean right) {
        for (int i = 0; i < 3; i++) {
            hosts.host("s").to("a").receive(i, HEAD + i * 2 * WORD, 2 * WORD);
        }
        hosts.program("a", host -> {
            Way way = host.to("s");
            for (int i = 0; i < 3; i++) {
                int at = SCRATCH + i * 2 * WORD;
                host.store(at + WORD, 40 + i);
                way.silently(way.adding(LOCK, 1, at));
                way.post(right ? way.sending(at, 2 * WORD).plus(SendFlags.FENCE) : way.sending(at, 2 * WORD));
            }
            for (int i = 0; i < 3; i++) {
                way.sentOne();
            }
        });
        hosts.program("s", host -> {
            for (int i = 0; i < 3; i++) {
                host.to("a").receivedOne();
                long number = host.load(HEAD + i * 2 * WORD);
                assertThat(!right || number == i).isTrue();
                assertThat(host.load(HEAD + i * 2 * WORD + WORD)).isEqualTo(40 + i);
            }
        });
    }

    @Test
    void messagesWithANumberThatIsDrawn() {
        silent(hosts -> numbered(hosts, true), "a", "s");
        accused(Mistake.S3, hosts -> numbered(hosts, false), "a", "s");
    }

    /** A publisher writes to all subscribers, who answer with how far they have read; the slowest one counts. */
    private static void published(Hosts hosts, boolean right) {
        int slots = 2;
        int entries = 5;
        for (int i = 0; i < entries; i++) {
            hosts.host("b").to("a").receiveNothing(i);
            hosts.host("c").to("a").receiveNothing(i);
        }
        List<String> subscribers = List.of("b", "c");
        hosts.program("a", host -> {
            for (int i = 0; i < entries; i++) {
                for (String each : right ? subscribers : List.of("b")) {
                    host.until(HEAD + subscribers.indexOf(each) * WORD, i - slots + 1);
                }
                int slot = i % slots * 2 * WORD;
                if (i >= slots) {
                    subscribers.forEach(each -> host.to(each).sentOne());
                }
                host.store(slot, 10 + i);
                host.store(slot + WORD, 20 + i);
                for (String each : subscribers) {
                    Way way = host.to(each);
                    way.post(way.telling(slot, slot, 2 * WORD, i));
                }
            }
        });
        for (String each : subscribers) {
            hosts.program(each, host -> {
                Way way = host.to("a");
                for (int i = 0; i < entries; i++) {
                    way.receivedOne();
                    long value = host.load(i % slots * 2 * WORD + WORD);
                    assertThat(!right || value == 20 + i).isTrue();
                    host.store(SCRATCH, i + 1);
                    way.inline(way.writing(SCRATCH, HEAD + subscribers.indexOf(each) * WORD, WORD)
                            .unsignaled());
                }
            });
        }
    }

    @Test
    void publisherWaitsForTheSlowestSubscriber() {
        silent(hosts -> published(hosts, true), "a", "b", "c");
        accused(Mistake.S4, hosts -> published(hosts, false), "a", "b", "c");
    }
}
