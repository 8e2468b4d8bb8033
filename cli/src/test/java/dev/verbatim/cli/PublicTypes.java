// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.io.IOException;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The public types of a package, outermost ones, for tests that hold a page against them. */
final class PublicTypes {

    private static final Set<String> OF_EVERY_OBJECT =
            Set.of("toString", "equals", "hashCode", "compareTo", "values", "valueOf");

    private PublicTypes() {}

    /** Those of the package of {@code neighbour}, be it in a directory or in a jar. */
    static Set<Class<?>> beside(Class<?> neighbour) throws IOException, URISyntaxException {
        Path place = Path.of(
                neighbour.getProtectionDomain().getCodeSource().getLocation().toURI());
        String folder = neighbour.getPackageName().replace('.', '/');
        if (Files.isDirectory(place)) {
            return in(place.resolve(folder), neighbour);
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return in(jar.getPath(folder), neighbour);
        }
    }

    private static Set<Class<?>> in(Path folder, Class<?> neighbour) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("[A-Z]\\w*\\.class"))
                    .map(name -> named(name.substring(0, name.indexOf('.')), neighbour))
                    .map(type -> Objects.requireNonNull(type, "a class file without a class"))
                    .filter(type -> Modifier.isPublic(type.getModifiers()))
                    .collect(Collectors.toSet());
        }
    }

    /** The type of that name in the package of {@code neighbour}; null if there is none. */
    static @Nullable Class<?> named(String name, Class<?> neighbour) {
        try {
            return Class.forName(neighbour.getPackageName() + "." + name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** Whether a page that tells what a type has is to name that member. */
    static boolean isToBeTold(Member member) {
        return Modifier.isPublic(member.getModifiers())
                && !member.isSynthetic()
                && !OF_EVERY_OBJECT.contains(member.getName());
    }

    /** The names of all public methods and fields, inherited ones too. */
    static Set<String> membersOf(Class<?> type) {
        return Stream.<Member>concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getFields()))
                .map(Member::getName)
                .collect(Collectors.toSet());
    }
}
