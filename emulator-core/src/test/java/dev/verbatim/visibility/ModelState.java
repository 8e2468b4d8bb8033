// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import dev.verbatim.visibility.ModelStep.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** A moment of {@link VisibilityModel}. */
final class ModelState {

    final int[] next;
    final boolean[] isDead;
    final TreeMap<String, Long> registers = new TreeMap<>();
    final TreeSet<String> told = new TreeSet<>();

    /** By word: all that was written, with the first value at index 0. */
    final List<List<Version>> versions = new ArrayList<>();

    /** By observer and word: the index of the oldest value that it may see. */
    final int[][] oldest;

    /** What adapters accepted and what has not arrived, in this order. */
    final List<Held> held = new ArrayList<>();

    /** By queue pair: requests that have not completed. */
    final List<List<Sent>> sent = new ArrayList<>();

    /** By queue pair: how many receives are posted. */
    final int[] receives;

    /** By queue pair: messages whose receives have not completed, with the pieces that must arrive before. */
    final List<List<List<Integer>>> received = new ArrayList<>();

    /** By queue: completions that nobody took. */
    final int[] completions;

    int accepted;

    /** A value of a word, by whom, and whether it has left its writer. */
    record Version(long value, int writer, boolean isReleased) {}

    /** A word that an adapter accepted through a queue pair, as what a peer placed or what its own request returned. */
    record Held(
            int number,
            int adapter,
            int qp,
            int word,
            long value,
            boolean isReturned,
            boolean isRelaxed,
            boolean isUnordered) {}

    /** How far a request is. */
    enum Stage {
        POSTED,
        SENT,
        EXECUTED,
        RETURNED
    }

    /** A request with what it brings, there or back, and the pieces of which its completion waits. */
    record Sent(Request request, Stage stage, List<Long> values, List<Integer> pieces) {

        Sent at(Stage later, List<Long> moved, List<Integer> awaited) {
            return new Sent(request, later, moved, awaited);
        }
    }

    ModelState(ModelNodes nodes) {
        next = new int[nodes.programs.size()];
        isDead = new boolean[nodes.nodes.size()];
        oldest = new int[nodes.observers.size()][nodes.words.size()];
        nodes.words.forEach(word -> versions.add(List.of(new Version(word.initial(), -1, true))));
        nodes.qps.forEach(qp -> {
            sent.add(List.of());
            received.add(List.of());
        });
        receives = new int[nodes.qps.size()];
        completions = new int[nodes.queues()];
    }

    private ModelState(ModelState from) {
        next = from.next.clone();
        isDead = from.isDead.clone();
        registers.putAll(from.registers);
        told.addAll(from.told);
        versions.addAll(from.versions);
        oldest = new int[from.oldest.length][];
        Arrays.setAll(oldest, i -> from.oldest[i].clone());
        held.addAll(from.held);
        sent.addAll(from.sent);
        receives = from.receives.clone();
        received.addAll(from.received);
        completions = from.completions.clone();
        accepted = from.accepted;
    }

    ModelState copy() {
        return new ModelState(this);
    }

    /** The list with one more. */
    static <T> List<T> plus(List<T> list, T more) {
        List<T> longer = new ArrayList<>(list);
        longer.add(more);
        return List.copyOf(longer);
    }

    /** The list with another element at an index. */
    static <T> List<T> with(List<T> list, int index, T other) {
        List<T> changed = new ArrayList<>(list);
        changed.set(index, other);
        return List.copyOf(changed);
    }

    /** The list without its first element. */
    static <T> List<T> rest(List<T> list) {
        return List.copyOf(list.subList(1, list.size()));
    }

    boolean isHeld(List<Integer> pieces) {
        return held.stream().anyMatch(each -> pieces.contains(each.number()));
    }

    /** Two moments with the same text go on alike. */
    String text() {
        return Arrays.toString(next)
                + Arrays.toString(isDead)
                + registers
                + told
                + versions
                + Arrays.deepToString(oldest)
                + held
                + sent
                + Arrays.toString(receives)
                + received
                + Arrays.toString(completions);
    }
}
