package dev.muster.binder;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.muster.binder", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule THE_BINDER_KNOWS_ONLY_SCHEMAS = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.muster.binder..",
                    "dev.muster.schemas..",
                    "io.fabric8.kubernetes..",
                    "org.apache.kafka..",
                    "org.apache.avro.specific..",
                    "io.micrometer..",
                    "org.slf4j..",
                    "java..")
            .because("it carries decisions out and must not know how they are made");

    @ArchTest
    static final ArchRule WHAT_IS_DECIDED_HERE_IS_TESTED_WITHOUT_A_CLUSTER = noClasses()
            .that()
            .haveNameMatching(".*\\.(GangBinder|MemberCheck|TakeBack|Evictor|Revoker|PodDeleter|GangRun|Patience)")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8..", "org.apache.kafka..")
            .because("the steps speak to ClusterApi, so that every fault can be scripted");

    @ArchTest
    static final ArchRule ONE_TABLE_CLASSIFIES_ERRORS = noClasses()
            .that()
            .haveNameNotMatching(".*\\.(ErrorTable|Fabric8ClusterApi|ApiException)")
            .should()
            .callMethod(ApiException.class, "code")
            .because("what a status code means is said once");
}
