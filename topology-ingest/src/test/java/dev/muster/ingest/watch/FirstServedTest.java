package dev.muster.ingest.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstServedTest {
    private final List<String> watched = new ArrayList<>();

    /** A version of a kind that the server has or does not have. */
    private final class Version implements ListWatch<String> {
        private final String name;
        private SourceException failure;

        Version(String name, SourceException.Kind failure) {
            this.name = name;
            this.failure = failure == null ? null : new SourceException(failure, name);
        }

        @Override
        public Page<String> list(String next) {
            if (failure != null) {
                throw failure;
            }
            return new Page<>(List.of(name + next), "1", "");
        }

        @Override
        public Open watch(String resourceVersion, Sink<String> sink) {
            watched.add(name);
            return () -> {};
        }
    }

    @Test
    void theFirstVersionThatIsThereIsListedAndWatched() {
        var kind = new FirstServed<>(List.of(
                new Version("v2", SourceException.Kind.MISSING), new Version("v1", null), new Version("v0", null)));

        assertThat(kind.list("").items()).containsExactly("v1");
        assertThat(kind.list("+2").items()).containsExactly("v1+2");
        kind.watch("1", null).close();
        assertThat(watched).containsExactly("v1");
    }

    @Test
    void eachListBeginsWithTheFirstAgain() {
        Version newest = new Version("v2", SourceException.Kind.MISSING);
        var kind = new FirstServed<>(List.of(newest, new Version("v1", null)));
        assertThat(kind.list("").items()).containsExactly("v1");
        newest.failure = null;
        assertThat(kind.list("").items()).containsExactly("v2");
    }

    @Test
    void whatIsMissingInEveryVersionIsMissing() {
        var kind = new FirstServed<>(List.of(
                new Version("v2", SourceException.Kind.MISSING), new Version("v1", SourceException.Kind.MISSING)));
        assertThatThrownBy(() -> kind.list("")).hasMessage("v1");
    }

    @Test
    void otherFailuresAreNoReasonToTryAnOlderVersion() {
        var kind = new FirstServed<>(
                List.of(new Version("v2", SourceException.Kind.UNAVAILABLE), new Version("v1", null)));
        assertThatThrownBy(() -> kind.list("")).hasMessage("v2");
    }
}
