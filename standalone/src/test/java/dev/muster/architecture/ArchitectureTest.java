package dev.muster.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule holds for the code, and is broken by its fixture: a rule that nothing can break would say nothing. */
class ArchitectureTest {
    private static final String FIXTURE = "dev.muster.architecture.fixture";

    private static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.muster");
    private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages(FIXTURE);

    /**
     * A rule, where it must hold, and the fixture that breaks it.
     *
     * @param breaker part of the message that the fixture must give
     */
    private record Wall(String name, Function<String, ArchRule> rule, String root, String fixtureRoot, String breaker) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Wall> walls() {
        return Stream.of(
                new Wall(
                        "the core has no neighbours",
                        ArchitectureRules::theCoreHasNoNeighbours,
                        "dev.muster.scheduler",
                        FIXTURE,
                        "LooksAtTheClock"),
                new Wall(
                        "the core calls nothing that differs from run to run",
                        ArchitectureRules::theCoreCallsNothingThatDiffersFromRunToRun,
                        "dev.muster.scheduler",
                        FIXTURE,
                        "IteratesInAnyOrder"),
                new Wall(
                        "the core has no floating point",
                        ArchitectureRules::theCoreHasNoFloatingPoint,
                        "dev.muster.scheduler",
                        FIXTURE,
                        "ScoresInFractions"),
                new Wall(
                        "arrows inside the core point one way",
                        ArchitectureRules::arrowsInsideTheCorePointOneWay,
                        "dev.muster.scheduler",
                        FIXTURE,
                        "LooksUp"),
                new Wall(
                        "the scheduler does not know Kubernetes",
                        ArchitectureRules::theSchedulerDoesNotKnowKubernetes,
                        "dev.muster.scheduler",
                        FIXTURE + ".streams",
                        "AsksTheApiServer"),
                new Wall(
                        "ingest knows only the contract",
                        root -> ArchitectureRules.aModuleKnowsOnlyTheContract(
                                root,
                                List.of("dev.muster.scheduler..", "dev.muster.binder..", "dev.muster.standalone..")),
                        "dev.muster.ingest",
                        FIXTURE + ".ingest",
                        "KnowsTheScheduler"),
                new Wall(
                        "binder knows only the contract",
                        root -> ArchitectureRules.aModuleKnowsOnlyTheContract(
                                root,
                                List.of("dev.muster.scheduler..", "dev.muster.ingest..", "dev.muster.standalone..")),
                        "dev.muster.binder",
                        FIXTURE + ".binder",
                        "KnowsIngest"),
                new Wall(
                        "the contract knows nobody",
                        root -> ArchitectureRules.aModuleKnowsOnlyTheContract(
                                root,
                                List.of(
                                        "dev.muster.scheduler..",
                                        "dev.muster.ingest..",
                                        "dev.muster.binder..",
                                        "dev.muster.standalone..")),
                        "dev.muster.schemas",
                        FIXTURE + ".ingest",
                        "KnowsTheScheduler"),
                new Wall(
                        "mappers are functions",
                        ArchitectureRules::mappersAreFunctions,
                        "dev.muster.ingest",
                        FIXTURE + ".ingest",
                        "AsksTheTime"),
                new Wall(
                        "steps of the binder are tested without a cluster",
                        ArchitectureRules::stepsOfTheBinderAreTestedWithoutACluster,
                        "dev.muster.binder",
                        FIXTURE + ".binder",
                        "GangBinder"),
                new Wall(
                        "only the intake reads what tenants write",
                        ArchitectureRules::onlyTheIntakeReadsWhatTenantsWrite,
                        "dev.muster",
                        FIXTURE + ".streams",
                        "ReadsTenantsBytes"),
                new Wall(
                        "only the embedded broker knows Kafka's inside",
                        ArchitectureRules::onlyTheEmbeddedBrokerKnowsKafkasInside,
                        "dev.muster",
                        FIXTURE + ".streams",
                        "StartsABroker"),
                new Wall(
                        "only the row store knows the inside of Streams",
                        ArchitectureRules::onlyTheRowStoreKnowsTheInsideOfStreams,
                        "dev.muster",
                        FIXTURE + ".streams",
                        "WaitsForACommit"),
                new Wall(
                        "only mains read the environment",
                        ArchitectureRules::onlyMainsReadTheEnvironment,
                        "dev.muster",
                        FIXTURE + ".binder",
                        "ReadsTheEnvironment"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("walls")
    void holdsForTheCode(Wall wall) {
        wall.rule().apply(wall.root()).check(CODE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("walls")
    void isBrokenByItsFixture(Wall wall) {
        var result = wall.rule().apply(wall.fixtureRoot()).evaluate(FIXTURES);
        assertThat(result.getFailureReport().getDetails())
                .as("violations of: %s", wall.name())
                .anyMatch(line -> line.contains(wall.breaker()));
    }
}
