// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds the classes of a module whose objects programs get, and of which a log would show no more than a number. */
public final class Spoken {

    private Spoken() {}

    /**
     * The classes that are mute: public methods of exported types return their objects, and they have no toString of their own.
     *
     * @param anchor a class of the module
     * @param exported names of the packages
     */
    public static Set<String> mute(Class<?> anchor, Set<String> exported) {
        List<Class<?>> all = classes(anchor);
        List<Class<?>> returned = new ArrayList<>();
        for (Class<?> type : all) {
            if (isVisible(type) && exported.contains(type.getPackageName())) {
                for (Method method : type.getDeclaredMethods()) {
                    if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()) {
                        collect(method.getGenericReturnType(), returned);
                    }
                }
            }
        }
        Set<String> mute = new TreeSet<>();
        for (Class<?> type : all) {
            if (isConcrete(type)
                    && returned.stream().anyMatch(wanted -> wanted.isAssignableFrom(type))
                    && !speaks(type)) {
                mute.add(type.getName());
            }
        }
        return mute;
    }

    private static void collect(Type type, List<Class<?>> into) {
        if (type instanceof Class<?> plain) {
            Class<?> element = plain.isArray() ? plain.getComponentType() : plain;
            if (element.getName().startsWith("dev.verbatim.")) {
                into.add(element);
            }
        } else if (type instanceof ParameterizedType generic) {
            collect(generic.getRawType(), into);
            for (Type argument : generic.getActualTypeArguments()) {
                collect(argument, into);
            }
        } else if (type instanceof WildcardType wildcard) {
            collect(wildcard.getUpperBounds()[0], into);
        } else if (type instanceof GenericArrayType array) {
            collect(array.getGenericComponentType(), into);
        }
    }

    private static boolean isVisible(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            if (!Modifier.isPublic(each.getModifiers())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isConcrete(Class<?> type) {
        return !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
    }

    private static boolean speaks(Class<?> type) {
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                if (component.getType().isArray() && !declaresToString(type)) {
                    return false;
                }
            }
            return true;
        }
        return declaresToString(type);
    }

    private static boolean declaresToString(Class<?> type) {
        try {
            return type.getMethod("toString").getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Class<?>> classes(Class<?> anchor) {
        try {
            Path root = Path.of(
                    anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
            List<Class<?>> found = new ArrayList<>();
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                    String name =
                            root.relativize(file).toString().replace('/', '.').replace('\\', '.');
                    if (name.startsWith("dev.verbatim.") && name.endsWith(".class") && !name.endsWith("-info.class")) {
                        String type = name.substring(0, name.length() - ".class".length());
                        found.add(Class.forName(type, false, anchor.getClassLoader()));
                    }
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException | ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
