package dev.muster.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

    private final ClusterView view = new ClusterView();
    private final PodKey key = new PodKey("ml", "p");

    @Test
    void theDeletionOfAnEarlierPodLeavesTheNewOneUnderItsName() {
        view.podSeen(pod("new", ""));

        view.podGone(key, "old");

        assertThat(view.pod(key)).isPresent();
    }

    @Test
    void whoWaitsForAPodIsWokenByTheWatch() {
        CompletableFuture<Boolean> told = CompletableFuture.supplyAsync(() -> awaitBound(10_000));
        view.podSeen(pod("u", ""));

        view.podSeen(pod("u", "n"));

        await().untilAsserted(() -> assertThat(told).isCompletedWithValue(true));
    }

    @Test
    void whatTheWatchToldBeforeIsNotWaitedFor() {
        view.podSeen(pod("u", "n"));

        assertThat(awaitBound(0)).isTrue();
    }

    @Test
    void waitingEndsWhenTheWatchIsSilent() {
        assertThat(awaitBound(1)).isFalse();
    }

    private boolean awaitBound(long millis) {
        try {
            return view.await(key, PodState::bound, BinderClock.SYSTEM, millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private PodState pod(String uid, String node) {
        return new PodState(key, uid, "1", node, false, false, "", -1, "", "", JobIdentity.NONE, 0);
    }
}
