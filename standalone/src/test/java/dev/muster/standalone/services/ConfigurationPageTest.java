package dev.muster.standalone.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.service.Key;
import dev.muster.service.Service;
import dev.muster.service.ServiceProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables of docs/configuration.md are written from the keys: {@code -Dmuster.update=true} writes them anew. */
class ConfigurationPageTest {
    private static final String BEGIN = "<!-- begin: keys of ";
    private static final String END = "<!-- end -->";

    @Test
    void thePageNamesEveryKeyWithItsDefaultAsTheCodeHasThem() throws IOException {
        Path page = Services.root().resolve("docs/configuration.md");
        String before = Files.readString(page, StandardCharsets.UTF_8);
        String after = before;
        for (var entry : Services.all().entrySet()) {
            after = replaced(after, entry.getKey(), table(entry.getValue().keys()));
        }
        Service<?> any = Services.all().values().iterator().next();
        List<Key<?>> all = ServiceProcess.keysOf(any);
        List<Key<?>> common = all.subList(0, all.size() - any.keys().size());
        after = replaced(after, "every service", table(common));
        if (Boolean.getBoolean("muster.update")) {
            Files.writeString(page, after, StandardCharsets.UTF_8);
        } else {
            assertThat(before)
                    .as("docs/configuration.md; -Dmuster.update=true writes it anew")
                    .isEqualTo(after);
        }
    }

    private static String replaced(String page, String whose, String table) {
        String begin = BEGIN + whose + " -->\n";
        int from = page.indexOf(begin);
        assertThat(from).as("the page has a place for %s", begin).isNotNegative();
        int start = from + begin.length();
        return page.substring(0, start) + table + page.substring(page.indexOf(END, start));
    }

    private static String table(List<Key<?>> keys) {
        StringBuilder text = new StringBuilder("| key | default | what it is |\n| --- | --- | --- |\n");
        for (Key<?> key : keys) {
            String fallback = key.name().equals("http.port")
                    ? "see above"
                    : key.fallback().map(value -> "`" + value + "`").orElse(key.required() ? "**must be set**" : "");
            text.append("| `")
                    .append(key.name())
                    .append("` | ")
                    .append(fallback)
                    .append(" | ")
                    .append(key.meaning().replace("<", "&lt;").replace("|", "\\|"))
                    .append(key.secret() ? " (secret)" : "")
                    .append(
                            key.kind().expected().equals("some text")
                                    ? ""
                                    : "; " + key.kind().expected())
                    .append(" |\n");
        }
        return text.toString();
    }
}
