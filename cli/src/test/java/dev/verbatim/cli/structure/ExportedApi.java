// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The types that modules export to everybody, and what a user can name of them: one line for each type and member. */
final class ExportedApi {

    private ExportedApi() {}

    /** Prints the lines for the modules in the given directories or jars, which are on the class path: a new baseline. */
    public static void main(String[] places) throws IOException {
        List<Path> paths = Arrays.stream(places).map(Path::of).collect(Collectors.toList());
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        lines(paths).forEach(out::println);
    }

    static Set<String> lines(List<Path> places) throws IOException {
        Set<String> lines = new TreeSet<>();
        for (Path place : places) {
            for (ModuleReference module : ModuleFinder.of(place).findAll()) {
                if (!module.descriptor().isAutomatic()) {
                    add(module, lines);
                }
            }
        }
        return lines;
    }

    private static void add(ModuleReference module, Set<String> lines) throws IOException {
        Set<String> exported = module.descriptor().exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
        try (ModuleReader reader = module.open()) {
            List<String> names = reader.list()
                    .filter(name -> name.endsWith(".class") && name.contains("/"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
                    .filter(name -> !name.endsWith("package-info"))
                    .collect(Collectors.toList());
            for (String name : names) {
                add(load(name), lines);
            }
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ExportedApi.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static void add(Class<?> type, Set<String> lines) {
        if (!isNamedByUsers(type)) {
            return;
        }
        // Only newer JDKs say whether a type is sealed.
        lines.add(type.toGenericString().replaceAll("\\b(non-)?sealed ", ""));
        for (Field field : type.getDeclaredFields()) {
            add(field, field.toGenericString(), lines);
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            add(constructor, constructor.toGenericString(), lines);
        }
        for (Method method : type.getDeclaredMethods()) {
            add(method, method.toGenericString(), lines);
        }
    }

    private static void add(Member member, String signature, Set<String> lines) {
        boolean isSeen = (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
        if (isSeen && !member.isSynthetic()) {
            lines.add(signature.replaceAll("\\b(native|synchronized|strictfp|transient|volatile) ", ""));
        }
    }

    private static boolean isNamedByUsers(Class<?> type) {
        boolean isPublic = Modifier.isPublic(type.getModifiers()) || Modifier.isProtected(type.getModifiers());
        Class<?> owner = type.getDeclaringClass();
        return isPublic && !type.isSynthetic() && !type.isAnonymousClass() && (owner == null || isNamedByUsers(owner));
    }
}
