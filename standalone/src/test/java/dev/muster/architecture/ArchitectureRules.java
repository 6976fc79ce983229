package dev.muster.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The walls of the house (DESIGN.md, Modules and The state machine; STYLE.md, The pure core has no neighbours). Each rule
 * takes the root package it guards, so that a fixture can show that it would be noticed when it is broken.
 */
final class ArchitectureRules {
    private ArchitectureRules() {}

    /** The core sees the language, the value parts of java.util, and itself: then nothing can make a replay differ. */
    static ArchRule theCoreHasNoNeighbours(String root) {
        return classes()
                .that()
                .resideInAPackage(root + ".core..")
                .should()
                .onlyDependOnClassesThat(DescribedPredicate.describe(
                        "are the core's own, java.lang's or values of java.util",
                        (JavaClass seen) -> seen.getPackageName().startsWith(root + ".core") || isAllowedInCore(seen)))
                .because("a decision must follow from the journal alone");
    }

    private static boolean isAllowedInCore(JavaClass seen) {
        String name = seen.getBaseComponentType().getName();
        Set<String> notValues = Set.of(
                "java.util.Random",
                "java.util.UUID",
                "java.util.Timer",
                "java.util.ServiceLoader",
                "java.lang.Thread",
                "java.lang.Process",
                "java.lang.ProcessBuilder",
                "java.lang.Runtime");
        if (notValues.contains(name) || seen.isPrimitive()) {
            return seen.isPrimitive();
        }
        String in = seen.getBaseComponentType().getPackageName();
        return in.equals("java.lang")
                || in.equals("java.lang.invoke") // lambdas and string concatenation
                || in.equals("java.lang.runtime") // records and pattern switches
                || in.equals("java.util")
                || in.equals("java.util.function")
                || in.equals("java.util.stream")
                || in.isEmpty();
    }

    /** Clocks, the environment, identity hashes, and collections whose order differs from run to run. */
    static ArchRule theCoreCallsNothingThatDiffersFromRunToRun(String root) {
        Map<String, Set<String>> forbidden = Map.of(
                "java.lang.System",
                Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty", "identityHashCode"),
                "java.lang.Math",
                Set.of("random"),
                "java.util.Set",
                Set.of("of", "copyOf"),
                "java.util.Map",
                Set.of("of", "ofEntries", "copyOf"),
                "java.util.Collection",
                Set.of("parallelStream"));
        return noClasses()
                .that()
                .resideInAPackage(root + ".core..")
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "the result differs from run to run",
                        (JavaMethodCall call) -> forbidden
                                .getOrDefault(call.getTargetOwner().getName(), Set.of())
                                .contains(call.getName())))
                .because("the same journal must give the same bytes");
    }

    /** Integers only: rounding differs between ways to compute the same thing. */
    static ArchRule theCoreHasNoFloatingPoint(String root) {
        return classes()
                .that()
                .resideInAPackage(root + ".core..")
                .should(new ArchCondition<>("have no field, parameter or result of floating point") {
                    @Override
                    public void check(JavaClass checked, ConditionEvents events) {
                        for (JavaField field : checked.getFields()) {
                            report(field.getFullName(), field.getRawType(), events, checked);
                        }
                        checked.getCodeUnits().forEach(unit -> {
                            report(unit.getFullName(), unit.getRawReturnType(), events, checked);
                            unit.getRawParameterTypes()
                                    .forEach(type -> report(unit.getFullName(), type, events, checked));
                        });
                    }

                    private void report(String where, JavaClass type, ConditionEvents events, JavaClass checked) {
                        String name = type.getBaseComponentType().getName();
                        if (Set.of("float", "double", "java.lang.Float", "java.lang.Double")
                                .contains(name)) {
                            events.add(SimpleConditionEvent.violated(checked, where + " is of type " + name));
                        }
                    }
                })
                .because("a decision is made with integers");
    }

    /** model ← event, decision ← state ← rule ← round: arrows inside the core point one way. */
    static ArchRule arrowsInsideTheCorePointOneWay(String root) {
        Map<String, Set<String>> mayUse = Map.of(
                "model", Set.of(),
                "decision", Set.of("model"),
                "event", Set.of("model", "decision"),
                "quota", Set.of("model"),
                "numa", Set.of("model"),
                "state", Set.of("model", "decision", "event", "quota", "numa"),
                "rule", Set.of("model", "decision", "event", "quota", "state"),
                "round", Set.of("model", "decision", "event", "quota", "state", "rule"));
        return classes()
                .that()
                .resideInAPackage(root + ".core..")
                .should(new ArchCondition<>("use only what lies below") {
                    @Override
                    public void check(JavaClass checked, ConditionEvents events) {
                        String layer = layer(root, checked);
                        Set<String> used = new TreeSet<>();
                        checked.getDirectDependenciesFromSelf().forEach(dependency -> {
                            String other = layer(root, dependency.getTargetClass());
                            if (other != null && !other.equals(layer)) {
                                used.add(other);
                            }
                        });
                        used.removeAll(mayUse.getOrDefault(layer, Set.of()));
                        if (!used.isEmpty()) {
                            events.add(SimpleConditionEvent.violated(
                                    checked, checked.getName() + " of " + layer + " uses " + used));
                        }
                    }
                })
                .because("a newcomer reads the core from the facts up to the round");
    }

    private static String layer(String root, JavaClass of) {
        String prefix = root + ".core.";
        if (!of.getPackageName().startsWith(prefix)) {
            return null;
        }
        String rest = of.getPackageName().substring(prefix.length());
        return rest.contains(".") ? rest.substring(0, rest.indexOf('.')) : rest;
    }

    /** The scheduler holds no cluster's credentials and cannot even speak to one. */
    static ArchRule theSchedulerDoesNotKnowKubernetes(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.fabric8..", "dev.muster.ingest..", "dev.muster.binder..")
                .because("only ingest and binder talk to member clusters");
    }

    /** A module sees the contract and nothing of its siblings: they meet on topics only. */
    static ArchRule aModuleKnowsOnlyTheContract(String root, List<String> siblings) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(siblings.toArray(String[]::new))
                .because("processes meet on topics, and any of them may be replaced");
    }

    /** Configuration comes in at one place. */
    static ArchRule onlyMainsReadTheEnvironment(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .haveSimpleNameNotEndingWith("Main")
                .and()
                .doNotHaveSimpleName("Environment")
                .should()
                .accessTargetWhere(DescribedPredicate.describe(
                        "System.getenv",
                        (JavaAccess<?> access) ->
                                access.getTargetOwner().getName().equals("java.lang.System")
                                        && access.getName().equals("getenv")))
                .because("what a process does must follow from its arguments and its configuration");
    }

    /** Objects in, facts out: what a mapper makes of an object must not depend on when or where it is asked. */
    static ArchRule mappersAreFunctions(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + ".map..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(
                                "org.apache.kafka..",
                                "io.fabric8.kubernetes.client..",
                                "java.io..",
                                "java.nio..",
                                "java.net..",
                                root + ".watch..",
                                root + ".publish..")
                        .or(HasName.Predicates.name("java.time.Clock")))
                .because("mappers are tested by tables");
    }

    /** The steps of carrying a decision out speak to an interface, so that every fault can be scripted. */
    static ArchRule stepsOfTheBinderAreTestedWithoutACluster(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .haveNameMatching(".*\\.(GangBinder|GangRun|MemberCheck|TakeBack|Evictor|Revoker|PodDeleter|Patience)")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.fabric8..", "org.apache.kafka..")
                .because("what happens after a lost reply must not need a network to be tested");
    }

    /** A tenant's bytes are decoded by the intake and by nobody else: it may die of them without anybody noticing. */
    static ArchRule onlyTheIntakeReadsWhatTenantsWrite(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackages(
                        "dev.muster.ingest.intake..", "dev.muster.schemas..", "dev.muster.standalone..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.muster.schemas.job.JobCommand")
                .because("poison is local");
    }

    /** What is not public API of Kafka stays in one place. */
    static ArchRule onlyTheEmbeddedBrokerKnowsKafkasInside(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackage("dev.muster.standalone.broker..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("kafka..", "org.apache.kafka.server..", "org.apache.kafka.metadata..")
                .because("the next release of Kafka may change it");
    }

    /** What is not public API of Kafka Streams stays in one class. */
    static ArchRule onlyTheRowStoreKnowsTheInsideOfStreams(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .doNotHaveFullyQualifiedName("dev.muster.scheduler.streams.RowStore")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka.streams..internals..")
                .because("the next release of Kafka may change it");
    }
}
