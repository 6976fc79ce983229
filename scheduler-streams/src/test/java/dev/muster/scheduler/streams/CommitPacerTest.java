package dev.muster.scheduler.streams;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommitPacerTest {
    private long nanos = 1_000;
    private final CommitPacer pacer = new CommitPacer(() -> nanos);

    @Test
    void nothingToTellAsksForNothing() {
        assertThat(pacer.due()).isFalse();
    }

    @Test
    void newsAsksOnceAtOnceWhileCommitsAreQuick() {
        pacer.news();
        assertThat(pacer.due()).isTrue();
        assertThat(pacer.due()).isFalse();
    }

    @Test
    void afterASlowCommitTheNextWaitsAsLongAsThatOneTook() {
        pacer.news();
        assertThat(pacer.due()).isTrue();
        nanos += 100;
        pacer.back();

        pacer.news();
        pacer.paused();
        nanos += 99;
        pacer.back();
        assertThat(pacer.due()).isFalse();
        nanos += 1;
        assertThat(pacer.due()).isTrue();
    }

    @Test
    void whileInputNeverPausesCommitsGetAQuarterOfTheTime() {
        pacer.news();
        assertThat(pacer.due()).isTrue();
        nanos += 100;
        pacer.back();

        pacer.news();
        nanos += 299;
        assertThat(pacer.due()).isFalse();
        nanos += 1;
        assertThat(pacer.due()).isTrue();
    }
}
