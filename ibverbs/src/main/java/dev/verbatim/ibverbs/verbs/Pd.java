// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_pd;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.ProtectionDomain;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A {@code struct ibv_pd}: a protection domain, or a parent domain, which stands for the domain that it was made of. */
public final class Pd extends Struct {

    /** All protection domains. */
    public static final Table<Pd> TABLE = new Table<>(ibv_pd.handle, "ibv_pd");

    private final Context context;
    private final ProtectionDomain domain;
    private final @Nullable Pd parent;
    private final AtomicInteger children = new AtomicInteger();

    Pd(Context context, ProtectionDomain domain, @Nullable Pd parent) {
        super(ibv_pd.SIZE);
        this.context = context;
        this.domain = domain;
        this.parent = parent;
        if (parent != null) {
            parent.children.incrementAndGet();
        }
        ibv_pd.context.set(address(), context.address());
        TABLE.add(this);
    }

    /** A new domain of a context. */
    public static Pd of(Context context) {
        return new Pd(context, context.device().allocatePd(), null);
    }

    public Context context() {
        return context;
    }

    /** The domain of the device. */
    public ProtectionDomain domain() {
        return domain;
    }

    /** The domain that this parent domain was made of; null if it is none. */
    @Nullable
    Pd parent() {
        return parent;
    }

    /** Whether parent domains were made of it. */
    boolean hasChildren() {
        return children.get() > 0;
    }

    void leaveParent() {
        if (parent != null) {
            parent.children.decrementAndGet();
        }
    }
}
