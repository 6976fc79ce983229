package dev.muster.standalone.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Bugs that are planted on purpose stay plantable as the code changes; playing them takes too long for here. */
class PlantedBugsTest {
    @Test
    void whatEachBugChangesIsInItsFileOnce() throws IOException {
        assertThat(PlantedBugs.rotten(Path.of(".."))).isEmpty();
    }
}
