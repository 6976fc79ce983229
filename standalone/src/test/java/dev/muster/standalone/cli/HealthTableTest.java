package dev.muster.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.common.Change;
import dev.muster.schemas.common.Origin;
import dev.muster.schemas.event.HealthEvent;
import dev.muster.schemas.event.HealthScope;
import dev.muster.schemas.event.HealthSeverity;
import dev.muster.schemas.event.HealthSignal;
import dev.muster.standalone.cli.NodeTable.NodeKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthTableTest {
    private static final NodeKey N1 = new NodeKey("east", "n1");

    private final HealthTable table = new HealthTable();

    private static HealthEvent event(Change change, long epoch, HealthSignal... signals) {
        return new HealthEvent(new Origin("d", "east", epoch, change, "", "n1", "u", 1L), List.of(signals));
    }

    private static HealthSignal signal(HealthSeverity severity, int device, int peer) {
        HealthScope scope = peer >= 0 ? HealthScope.LINK : device >= 0 ? HealthScope.DEVICE : HealthScope.NODE;
        return new HealthSignal(scope, device, "XID", severity, "79", "annotation", peer, 0L);
    }

    @Test
    void theGravestSignalIsNamedAndTheOthersCounted() {
        table.take(event(
                Change.UPSERT,
                1,
                signal(HealthSeverity.UNKNOWN, -1, -1),
                signal(HealthSeverity.FATAL, 3, -1),
                signal(HealthSeverity.RECOVERABLE, 0, 1)));
        assertThat(HealthTable.summary(table.of(N1))).isEqualTo("fatal:XID(79)@3+2");
        assertThat(HealthTable.summary(List.of(signal(HealthSeverity.RECOVERABLE, 0, 1))))
                .isEqualTo("recoverable:XID(79)@0-1");
        assertThat(HealthTable.summary(List.of(signal(HealthSeverity.UNKNOWN, -1, -1))))
                .as("what could not be read is seen")
                .isEqualTo("unknown:XID(79)");
    }

    @Test
    void aNodeThatIsWellAgainHasADash() {
        table.take(event(Change.UPSERT, 1, signal(HealthSeverity.FATAL, 3, -1)));
        table.take(event(Change.UPSERT, 1));
        assertThat(HealthTable.summary(table.of(N1))).isEqualTo("-");
    }

    @Test
    void whatALaterListDoesNotNameIsForgotten() {
        table.take(event(Change.UPSERT, 1, signal(HealthSeverity.FATAL, 3, -1)));
        table.take(event(Change.RESYNC_BEGIN, 2));
        assertThat(table.of(N1)).hasSize(1);
        table.take(event(Change.RESYNC_END, 2));
        assertThat(table.of(N1)).isEmpty();
        assertThat(table.take(event(Change.UPSERT, 1, signal(HealthSeverity.FATAL, 3, -1))))
                .as("of an ingest that was replaced")
                .isEmpty();
    }
}
