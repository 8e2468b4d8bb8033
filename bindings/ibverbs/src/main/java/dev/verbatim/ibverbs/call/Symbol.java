// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import java.util.regex.Pattern;

/**
 * A function that C calls and Java answers.
 *
 * @param where the class with the method, below {@code dev.verbatim.ibverbs}
 * @param name of the function and of the method
 * @param heap what it does to the heap
 */
record Symbol(String where, String name, Fails fails, Heap heap) {

    /** What becomes of the heap by a call, as its name says. */
    enum Heap {
        /** It makes an object that stays. */
        KEEPS("(ibv|rdma|op)_(alloc|attach|bind|create|import|join|open|reg|rereg|resize|resolve)_.*|op_advise_mr"
                + "|rdma_(listen|connect|accept|get_request|getaddrinfo|migrate_id)|ibv_open_device|rsocket|raccept|rconnect"
                + "|rlisten|rbind|riomap|repoll_create"),
        /** It is of the data path, and may make an object that stays when a queue is filled for the first time. */
        POSTS("op_post_.*|op_wr_(start|complete)|rdma_write_cm_event"),
        /** It gives objects back. */
        FREES(
                "(ibv|rdma|op)_(close|dealloc|dereg|destroy|detach|free|leave|unimport)_.*|rclose|riounmap|rdma_freeaddrinfo"),
        /** None of these. */
        NEITHER(".*");

        private final Pattern names;

        Heap(String names) {
            this.names = Pattern.compile(names);
        }

        static Heap of(String name) {
            for (Heap each : values()) {
                if (each.names.matcher(name).matches()) {
                    return each;
                }
            }
            throw new IllegalArgumentException(name);
        }
    }

    /** With its class and its name, and a point between. */
    Symbol(String classAndName, Fails fails) {
        this(
                classAndName.substring(0, classAndName.lastIndexOf('.')),
                classAndName.substring(classAndName.lastIndexOf('.') + 1),
                fails,
                Heap.of(classAndName.substring(classAndName.lastIndexOf('.') + 1)));
    }

    /** The package of its class. */
    String packageName() {
        return where.substring(0, where.indexOf('.'));
    }

    /** Its class, without the package. */
    String className() {
        return where.substring(where.indexOf('.') + 1);
    }

    @Override
    public String toString() {
        return name;
    }
}
