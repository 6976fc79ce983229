package dev.muster.binder;

import java.util.Optional;

/** Pod templates of jobs that came as events, by hash. */
@FunctionalInterface
interface Templates {

    /** The PodTemplateSpec as JSON; empty while the binder has not seen it. */
    Optional<String> json(String hash);
}
