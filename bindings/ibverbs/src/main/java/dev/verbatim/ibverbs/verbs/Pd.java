// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_pd;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ProtectionDomain;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A {@code struct ibv_pd}: a protection domain, or a parent domain, which stands for the domain that it was made of. */
public final class Pd extends Struct {

    /** All protection domains. */
    public static final Table<Pd> TABLE = new Table<>(ibv_pd.context, ibv_pd.handle, "ibv_pd");

    private final Context context;
    private final ProtectionDomain domain;
    private final @Nullable Pd parent;
    private final @Nullable Td thread;
    private final boolean isImported;
    private final AtomicInteger children = new AtomicInteger();

    /** A parent domain with {@code parent}. */
    Pd(Context context, ProtectionDomain domain, @Nullable Pd parent, @Nullable Td thread) {
        this(context, domain, parent, thread, false);
    }

    private Pd(Context context, ProtectionDomain domain, @Nullable Pd parent, @Nullable Td thread, boolean isImported) {
        super(ibv_pd.SIZE);
        this.context = context;
        this.domain = domain;
        this.parent = parent;
        this.thread = thread;
        this.isImported = isImported;
        if (thread != null) {
            thread.users().incrementAndGet();
        }
        if (parent != null) {
            parent.children.incrementAndGet();
        }
        ibv_pd.context.set(address(), context.address());
        TABLE.add(this);
    }

    /** A new domain of a context. */
    public static Pd of(Context context) {
        return new Pd(context, context.device().allocatePd(), null, null);
    }

    /** The same domain, by a struct of another context. */
    static Pd imported(Context context, int handle) {
        Pd original = TABLE.withHandle(handle);
        if (!original.context.device().equals(context.device())) {
            throw new Refused(Errno.ENOENT.number(), "the protection domain is of another device");
        }
        return new Pd(context, original.domain, null, null, true);
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

    /** Frees the domain, unless it is another's. */
    void close() {
        if (children.get() > 0) {
            throw new Refused(Errno.EBUSY.number(), "the protection domain has parent domains");
        }
        if (parent == null && !isImported) {
            domain.close();
        }
        if (parent != null) {
            parent.children.decrementAndGet();
        }
        if (thread != null) {
            thread.users().decrementAndGet();
        }
        forget();
    }

    /** Frees the struct; the domain stays. */
    void forget() {
        TABLE.remove(this);
    }
}
