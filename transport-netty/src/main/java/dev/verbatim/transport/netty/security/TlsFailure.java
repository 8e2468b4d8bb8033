// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.security;

import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Describes in one sentence why TLS failed, with a remedy: Java has that in a chain of causes. */
public final class TlsFailure {

    private TlsFailure() {}

    /** Whether TLS failed; Netty wraps that in an exception of a decoder. */
    public static boolean isOne(Throwable failure) {
        return failure instanceof SSLException || failure.getCause() instanceof SSLException;
    }

    /**
     * What happened, for this end.
     *
     * @param host the name that was looked for in the other end's certificate; null if none
     */
    public static String sentence(Throwable failure, @Nullable String host) {
        String root = rootOf(failure);
        if (find(failure, NotSslRecordException.class) != null || root.contains("unrecognized SSL message")) {
            return "what came is not TLS; give both ends NettyOptions.withTls, or neither";
        }
        if (find(failure, CertificateExpiredException.class) != null
                || find(failure, CertificateNotYetValidException.class) != null) {
            return "the other end's certificate is not valid now: " + root
                    + "; give it a new one, and see whether the clocks are right";
        }
        if (find(failure, CertPathBuilderException.class) != null
                || (find(failure, CertPathValidatorException.class) instanceof CertPathValidatorException path
                        && path.getReason() == PKIXReason.NO_TRUST_ANCHOR)) {
            return "the other end's certificate is signed by none of the trusted ones; trust the one that signed it, if it"
                    + " is to be trusted";
        }
        if (host != null && find(failure, CertificateException.class) != null) {
            return "the other end's certificate is not good for host=" + host + ": " + root
                    + "; dial it by a name in its certificate, or say which to expect by Tls.withHost";
        }
        if (root.contains("Empty client certificate chain")) {
            return "the dialing side has no certificate that one of the trusted ones signed; make its options with"
                    + " Tls.of(certificates, key, trusted)";
        }
        if (root.toLowerCase(Locale.ROOT).contains("received fatal alert")) {
            return "the other end does not accept this one: " + root
                    + "; its log says why, such as a certificate that is missing, has expired or is signed by one that it"
                    + " does not trust";
        }
        return "TLS failed: " + root;
    }

    /** The innermost cause that has something to say. */
    public static String rootOf(Throwable failure) {
        String root = failure.getClass().getSimpleName();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && !message.isEmpty()) {
                root = message;
            }
        }
        return root.replaceAll("\\s+", " ");
    }

    private static @Nullable Throwable find(Throwable failure, Class<? extends Throwable> kind) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return cause;
            }
        }
        return null;
    }
}
