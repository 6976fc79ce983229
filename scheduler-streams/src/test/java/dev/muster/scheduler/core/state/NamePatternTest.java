package dev.muster.scheduler.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "^node-[0-9]+$ node-12 true",
                "^node-[0-9]+$ node-12a false",
                "node node-12 true",
                "rack-(a|bc)-n rack-bc-n7 true",
                "rack-(a|bc)-n rack-b-n7 false",
                "^a{2,3}$ aaa true",
                "^a{2,3}$ aaaa false",
                "^a{2,}b$ aaaab true",
                "^(?:ab)?c$ c true",
                "^gpu-\\d{2}$ gpu-07 true",
                "^gpu-[^0-4]$ gpu-5 true",
                "^gpu-[^0-4]$ gpu-4 false",
                "^n1\\.example$ n1xexample false",
                "^(n1|n2|n3)$ n3 true",
                "^(n1|n2|n3)$ n4 false",
                "(( ab false",
                "a** aa false",
                "[b-a] a false",
                "a{300} a false",
                "\\q q false",
            })
    void matchesAsGoDoes(String pattern, String name, boolean matches) {
        assertThat(NamePattern.of(pattern).matches(name)).isEqualTo(matches);
    }

    @Test
    void anExpressionThatMakesOthersBacktrackForEverTakesNoTime() {
        assertThat(NamePattern.of("^(a+)+$").matches("a".repeat(5_000) + "b")).isFalse();
    }

    @Test
    void agreesWithTheLibraryOnRandomExpressions() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String pattern = expression(random, 3);
            StringBuilder name = new StringBuilder();
            for (int length = random.nextInt(6); length > 0; length--) {
                name.append((char) ('a' + random.nextInt(3)));
            }
            boolean expected = Pattern.compile(pattern).matcher(name).find();
            assertThat(NamePattern.of(pattern).matches(name.toString()))
                    .as("%s on %s", pattern, name)
                    .isEqualTo(expected);
        }
    }

    private static String expression(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 3 : 8)) {
            case 0 -> String.valueOf((char) ('a' + random.nextInt(3)));
            case 1 -> ".";
            case 2 -> "[ab]";
            case 3 -> "(" + expression(random, depth - 1) + "|" + expression(random, depth - 1) + ")";
            case 4 -> "(" + expression(random, depth - 1) + ")" + pick(random, "*", "+", "?", "{2}", "{1,2}", "{1,}");
            case 5 -> expression(random, depth - 1) + expression(random, depth - 1);
            case 6 -> "^" + expression(random, depth - 1);
            default -> expression(random, depth - 1) + "$";
        };
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
