package dev.muster.schemas.serde;

import org.apache.avro.util.ClassSecurityValidator;

/** Avro creates objects only of classes that it was told to trust (since 1.12.1): here it is told of ours, once per JVM. */
final class GeneratedClasses {
    private static final String OURS = "dev.muster.schemas.";

    static {
        ClassSecurityValidator.setGlobal(ClassSecurityValidator.composite(
                ClassSecurityValidator.getGlobal(), type -> type.getName().startsWith(OURS)));
    }

    private GeneratedClasses() {}

    static void trust() {
        // Loading the class did it.
    }
}
