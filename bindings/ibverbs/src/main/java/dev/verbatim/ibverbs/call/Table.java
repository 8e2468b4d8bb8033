// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.verbs.Errno;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind. The field {@code handle} of a program's struct is the index here; a struct that is none of ours, or not any
 * more, is refused with EINVAL and not used.
 */
public final class Table<T extends Struct> {

    private static final int FIRST_ROOM = 16;

    private final Field.@Nullable I64 context;
    private final Field.I32 handle;
    private final String what;

    /** Replaced when it grows, and its elements are only set under the monitor. */
    private volatile @Nullable Struct[] objects = new Struct[FIRST_ROOM];

    private int lowest = 1; // no smaller handle is free, and a zeroed one is nobody's

    /**
     * An empty table of objects whose handles are good in any context.
     *
     * @param handle the field of the struct
     * @param what the struct's name, for messages
     */
    public Table(Field.I32 handle, String what) {
        this(null, handle, what);
    }

    /**
     * An empty table of objects whose handles are good only in the context that they were made in, as on Linux.
     *
     * @param context the field of the struct, which does not change
     * @param handle the field of the struct
     * @param what the struct's name, for messages
     */
    public Table(Field.@Nullable I64 context, Field.I32 handle, String what) {
        this.context = context;
        this.handle = handle;
        this.what = what;
    }

    /** Adds an object and sets the handle in its struct. */
    public synchronized void add(T object) {
        int index = lowest;
        while (index < objects.length && objects[index] != null) {
            index++;
        }
        if (index == objects.length) {
            objects = Arrays.copyOf(objects, 2 * objects.length);
        }
        if (context != null) {
            object.context(context.get(object.address()));
        }
        objects[index] = object;
        lowest = index + 1;
        handle.set(object.address(), index);
    }

    /**
     * The object of a struct.
     *
     * @throws Refused EINVAL if it is NULL, or the struct of no object, or of one that was destroyed
     */
    public T at(long struct) {
        T object = find(struct);
        if (object == null) {
            throw new Refused(
                    Errno.EINVAL.number(),
                    struct == 0
                            ? what + " is NULL"
                            : String.format(
                                    "%s at 0x%x is none of this device, or was destroyed before", what, struct));
        }
        return object;
    }

    /** The object of a struct; null if there is none. */
    @SuppressWarnings("unchecked")
    public @Nullable T find(long struct) {
        if (struct == 0) {
            return null;
        }
        @Nullable Struct[] all = objects;
        int index = handle.get(struct);
        if (index <= 0 || index >= all.length) {
            return null;
        }
        Struct object = all[index];
        return object != null && object.address() == struct && isInContext(object) ? (T) object : null;
    }

    private boolean isInContext(Struct object) {
        return context == null || context.get(object.address()) == object.context();
    }

    /**
     * The object of a struct that is to be destroyed: Linux looks its handle up.
     *
     * @throws Refused ENOENT if the struct has the handle of none, or the context of others, EINVAL as {@link #at}
     */
    public T toDestroy(long struct) {
        T object = find(struct);
        if (object != null) {
            return object;
        }
        object = ofAddress(struct);
        if (object == null) {
            return at(struct);
        }
        throw new Refused(
                Errno.ENOENT.number(),
                isInContext(object)
                        ? String.format("handle=%d of the %s at 0x%x was overwritten", handle.get(struct), what, struct)
                        : String.format("context of the %s at 0x%x was overwritten", what, struct));
    }

    /**
     * The object of a struct, whatever its handle is: what posts and polls does not ask the kernel.
     *
     * @throws Refused EINVAL as {@link #at}
     */
    public T inUse(long struct) {
        T object = find(struct);
        if (object == null) {
            object = ofAddress(struct);
        }
        return object == null ? at(struct) : object;
    }

    @SuppressWarnings("unchecked")
    private @Nullable T ofAddress(long struct) {
        for (Struct object : objects) {
            if (object != null && object.address() == struct) {
                return (T) object;
            }
        }
        return null;
    }

    /**
     * The object with a handle, for functions that are given the number alone.
     *
     * @throws Refused ENOENT if there is none
     */
    @SuppressWarnings("unchecked")
    public T withHandle(int number) {
        @Nullable Struct[] all = objects;
        Struct object = number > 0 && number < all.length ? all[number] : null;
        if (object == null) {
            throw new Refused(Errno.ENOENT.number(), String.format("no %s has handle %d", what, number));
        }
        return (T) object;
    }

    /** Removes an object, and frees its struct. */
    public void remove(T object) {
        synchronized (this) {
            int index = handle.get(object.address());
            objects[index] = null;
            lowest = Math.min(lowest, index);
        }
        Native.free(object.address());
    }

    /** Those that are there. */
    @SuppressWarnings("unchecked")
    public synchronized List<T> all() {
        List<T> all = new ArrayList<>();
        for (@Nullable Struct object : objects) {
            if (object != null) {
                all.add((T) object);
            }
        }
        return all;
    }
}
