package dev.muster.ingest.intake;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "0", "a-b", "a--b", "123", "x1234567890123456789012345678901234567890123456789012345678901y"
            })
    void takesDnsLabels(String text) {
        assertThat(Names.isDnsLabel(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "a-", "-a", "A", "a.b", "a_b", "a b", "a\n", "\u0430", "a/b", "a\u0000"})
    void refusesWhatIsNoDnsLabel(String text) {
        assertThat(Names.isDnsLabel(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A_b.c-d", "example.com/a", "nvidia.com/gpu", "x.y.z/A"})
    void takesQualifiedNames(String text) {
        assertThat(Names.isQualifiedName(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/a", "a/", "a/b/c", "Example.com/a", "a..b/c", ".a/b", "a b"})
    void refusesWhatIsNoQualifiedName(String text) {
        assertThat(Names.isQualifiedName(text)).isFalse();
    }

    @Test
    void escapesWhateverIsNotPrintableAsciiAndCutsWhatIsLong() {
        assertThat(Names.escape("a\n\u202e\\", 80)).isEqualTo("a\\u000a\\u202e\\u005c");
        assertThat(Names.escape("x".repeat(100), 10)).isEqualTo("xxxxxxxxxx...");
        assertThat(Names.escape("x".repeat(10), 10)).isEqualTo("xxxxxxxxxx");
    }

    @Test
    void aDomainContainsItselfAndItsSubdomainsOnly() {
        assertThat(Names.isWithin("kubernetes.io", "kubernetes.io")).isTrue();
        assertThat(Names.isWithin("app.kubernetes.io", "kubernetes.io")).isTrue();
        assertThat(Names.isWithin("notkubernetes.io", "kubernetes.io")).isFalse();
    }
}
