package dev.muster.standalone.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.standalone.cluster.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FibersTest {

    private final VirtualTime time = new VirtualTime(0);
    private final Fibers fibers = new Fibers(time);
    private final Fibers.Group group = fibers.group("g");
    private final List<String> done = new ArrayList<>();

    @AfterEach
    void close() {
        fibers.close();
    }

    @Test
    void fibersTakeTurnsInTheOrderInWhichTheyBeganAndWake() {
        group.start("a", () -> {
            done.add("a begins");
            fibers.sleep(10);
            done.add("a wakes at " + time.nowMillis());
        });
        group.start("b", () -> {
            done.add("b begins");
            fibers.sleep(5);
            done.add("b wakes at " + time.nowMillis());
        });
        assertThat(done).isEmpty();

        time.runUntil(100);

        assertThat(done).containsExactly("a begins", "b begins", "b wakes at 5", "a wakes at 10");
        assertThat(group.size()).isZero();
    }

    @Test
    void aLatchEndsAWaitAtTheMomentInWhichItIsOpened() {
        CountDownLatch latch = new CountDownLatch(1);
        group.start("waits", () -> {
            fibers.await(latch, 1_000);
            done.add("open at " + time.nowMillis());
        });
        group.start("opens", () -> {
            fibers.sleep(7);
            latch.countDown();
        });

        time.runUntil(2_000);

        assertThat(done).containsExactly("open at 7");
    }

    @Test
    void aWaitForWhatNeverHappensEndsInTime() {
        group.start("waits", () -> done.add(fibers.await(() -> false, 30) + " at " + time.nowMillis()));

        time.runUntil(100);

        assertThat(done).containsExactly("false at 30");
    }

    @Test
    void aFiberThatIsKilledDoesNothingMoreWhateverItCatches() {
        group.start("stubborn", () -> {
            try {
                fibers.sleep(10);
                done.add("woke");
            } catch (RuntimeException e) {
                done.add("went on");
            } finally {
                fibers.sleep(10);
                done.add("cleaned up");
            }
        });
        group.start("never begun", () -> done.add("began"));
        time.runNext();

        group.kill();
        group.start("late", () -> done.add("began late"));
        time.runUntil(100);

        assertThat(done).isEmpty();
        assertThat(group.size()).isZero();
        assertThat(group.alive()).isFalse();
    }

    @Test
    void aFiberThatKillsItsOwnGroupEndsWithIt() {
        group.start("other", () -> {
            fibers.sleep(10);
            done.add("other woke");
        });
        group.start("killer", () -> {
            group.kill();
            done.add("killer went on");
        });

        time.runUntil(100);

        assertThat(done).isEmpty();
        assertThat(group.size()).isZero();
    }

    @Test
    void anExecutorWaitsForItsTasksAndOneThatFailsTellsWhoAsks() {
        group.start("parent", () -> {
            List<Future<Long>> results = new ArrayList<>();
            try (ExecutorService steps = group.executor("step")) {
                for (int i = 3; i > 0; i--) {
                    long millis = i;
                    results.add(steps.submit(() -> {
                        fibers.sleep(millis);
                        return time.nowMillis();
                    }));
                }
            }
            results.forEach(result -> done.add(result.resultNow() + " of " + time.nowMillis()));
        });

        time.runUntil(100);

        assertThat(done).containsExactly("3 of 3", "2 of 3", "1 of 3");
    }

    @Test
    void whatAFiberThrowsReachesWhoRunsTheTime() {
        group.start("broken", () -> {
            throw new IllegalStateException("broken");
        });

        assertThatThrownBy(time::runDue)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
    }

    @Test
    void onlyAFiberCanWait() {
        assertThatThrownBy(() -> fibers.sleep(1)).isInstanceOf(IllegalStateException.class);
    }
}
