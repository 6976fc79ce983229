package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OffsetLedgerTest {

    private final OffsetLedger ledger = new OffsetLedger();

    @Test
    void nothingTakenUpIsNothingToCommit() {
        assertThat(ledger.committable()).isEqualTo(-1);
    }

    @Test
    void onlyThePrefixWithoutGapsMayBeCommitted() {
        ledger.begin(5);
        ledger.begin(6);
        ledger.begin(9);
        ledger.finish(6);
        assertThat(ledger.committable()).isEqualTo(5);

        ledger.finish(5);
        assertThat(ledger.committable()).isEqualTo(9);
        assertThat(ledger.inFlight()).isEqualTo(1);

        ledger.finish(9);
        assertThat(ledger.committable()).isEqualTo(10);
    }
}
