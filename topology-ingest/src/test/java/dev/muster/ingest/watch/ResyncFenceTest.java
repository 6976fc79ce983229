package dev.muster.ingest.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResyncFenceTest {

    private final ResyncFence fence = new ResyncFence(7, List.of("Node", "Pod"));

    @Test
    void everyBracketOpensAndClosesOnce() {
        assertThat(fence.open("Node")).isTrue();
        assertThat(fence.open("Node")).isFalse();
        assertThat(fence.isOpen("Node")).isTrue();
        assertThat(fence.close("Node")).isTrue();
        assertThat(fence.close("Node")).isFalse();
        assertThat(fence.open("Node")).isFalse();
    }

    @Test
    void itIsClosedWhenTheLastKindIs() {
        fence.open("Node");
        fence.open("Pod");
        fence.close("Node");
        assertThat(fence.closed()).isNotDone();
        fence.close("Pod");
        assertThat(fence.closed()).isCompleted();
    }

    @Test
    void closingWhatWasNeverOpenedBreaksALaw() {
        assertThatThrownBy(() -> fence.close("Pod")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> fence.open("Other")).isInstanceOf(IllegalStateException.class);
    }
}
