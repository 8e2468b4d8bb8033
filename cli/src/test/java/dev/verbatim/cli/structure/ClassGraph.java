// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which top-level classes of ours use which, as their class files say; nested classes count as their owner. */
final class ClassGraph {

    private final Map<String, Set<String>> uses;

    ClassGraph(Map<String, Set<String>> uses) {
        this.uses = new TreeMap<>(uses);
    }

    /** Of the classes in these directories or jars. */
    static ClassGraph of(List<Path> places) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : new ClassFileImporter().importLocations(locations(places))) {
            Set<String> used = uses.computeIfAbsent(owner(type.getName()), name -> new TreeSet<>());
            Stream.concat(
                            type.getDirectDependenciesFromSelf().stream()
                                    .map(Dependency::getTargetClass)
                                    .map(JavaClass::getBaseComponentType)
                                    .map(JavaClass::getName),
                            permitted(type))
                    .filter(name -> name.startsWith("dev.verbatim."))
                    .map(ClassGraph::owner)
                    .filter(name -> !name.equals(owner(type.getName())))
                    .forEach(used::add);
        }
        return new ClassGraph(uses);
    }

    private static Set<Location> locations(List<Path> places) {
        return places.stream()
                .map(place -> Files.isDirectory(place) ? place.toUri() : URI.create("jar:" + place.toUri() + "!/"))
                .map(Location::of)
                .collect(Collectors.toSet());
    }

    /** What a sealed type permits: it names them in its class file, which ArchUnit does not read. */
    private static Stream<String> permitted(JavaClass type) {
        if (!type.isInterface() && !type.getModifiers().contains(JavaModifier.ABSTRACT)) {
            return Stream.empty();
        }
        Class<?>[] permitted = type.reflect().getPermittedSubclasses();
        return permitted == null ? Stream.empty() : Stream.of(permitted).map(Class::getName);
    }

    private static String owner(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    Set<String> types() {
        return uses.keySet();
    }

    ClassGraph ofPackages() {
        Map<String, Set<String>> packages = new TreeMap<>();
        uses.forEach((user, used) -> {
            Set<String> seen = packages.computeIfAbsent(packageOf(user), name -> new TreeSet<>());
            used.stream()
                    .map(ClassGraph::packageOf)
                    .filter(other -> !other.equals(packageOf(user)))
                    .forEach(seen::add);
        });
        return new ClassGraph(packages);
    }

    /** The strongly connected groups of two and more, largest first (Tarjan 1972, with a stack of its own). */
    List<Set<String>> groups() {
        List<Set<String>> groups = new ArrayList<>();
        Map<String, Integer> index = new HashMap<>();
        Map<String, Integer> low = new HashMap<>();
        Deque<String> open = new ArrayDeque<>();
        Set<String> isOpen = new HashSet<>();
        for (String root : uses.keySet()) {
            if (index.containsKey(root)) {
                continue;
            }
            Deque<Visit> way = new ArrayDeque<>();
            way.push(visit(root, index, low, open, isOpen));
            while (!way.isEmpty()) {
                Visit visit = way.peek();
                if (visit.next.hasNext()) {
                    String used = visit.next.next();
                    if (!index.containsKey(used)) {
                        way.push(visit(used, index, low, open, isOpen));
                    } else if (isOpen.contains(used)) {
                        low.merge(visit.type, index.get(used), Math::min);
                    }
                    continue;
                }
                way.pop();
                if (!way.isEmpty()) {
                    low.merge(way.peek().type, low.get(visit.type), Math::min);
                }
                if (low.get(visit.type).equals(index.get(visit.type))) {
                    Set<String> group = new TreeSet<>();
                    String member;
                    do {
                        member = open.pop();
                        isOpen.remove(member);
                        group.add(member);
                    } while (!member.equals(visit.type));
                    if (group.size() > 1) {
                        groups.add(group);
                    }
                }
            }
        }
        groups.sort((one, other) -> other.size() - one.size());
        return groups;
    }

    private Visit visit(
            String type, Map<String, Integer> index, Map<String, Integer> low, Deque<String> open, Set<String> isOpen) {
        int number = index.size();
        index.put(type, number);
        low.put(type, number);
        open.push(type);
        isOpen.add(type);
        return new Visit(type, uses.getOrDefault(type, Set.of()).iterator());
    }

    private record Visit(String type, Iterator<String> next) {}
}
