package dev.muster.standalone.replay;

import dev.muster.standalone.replay.Difference.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Says field by field how two Avro records differ. */
final class RecordDiff {
    private static final int LONGEST_VALUE = 120;

    private final List<Field> found = new ArrayList<>();

    private RecordDiff() {}

    static List<Field> between(IndexedRecord replayed, IndexedRecord recorded) {
        RecordDiff diff = new RecordDiff();
        diff.compare("", replayed, recorded);
        return diff.found;
    }

    private void compare(String path, Object replayed, Object recorded) {
        if (found.size() >= Difference.MOST_FIELDS || Objects.equals(replayed, recorded)) {
            return;
        }
        if (replayed instanceof IndexedRecord a
                && recorded instanceof IndexedRecord b
                && a.getSchema().equals(b.getSchema())) {
            for (Schema.Field field : a.getSchema().getFields()) {
                String inner = path.isEmpty() ? field.name() : path + "." + field.name();
                compare(inner, a.get(field.pos()), b.get(field.pos()));
            }
        } else if (replayed instanceof List<?> a && recorded instanceof List<?> b) {
            if (a.size() != b.size()) {
                found.add(new Field(path, a.size() + " entries", b.size() + " entries"));
            }
            for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
                compare(path + "[" + i + "]", a.get(i), b.get(i));
            }
        } else {
            found.add(new Field(path, text(replayed), text(recorded)));
        }
    }

    private static String text(Object value) {
        StringBuilder text = new StringBuilder();
        String whole = String.valueOf(value);
        whole.chars().limit(LONGEST_VALUE).forEach(c -> text.append(Character.isISOControl(c) ? '?' : (char) c));
        return text.append(whole.length() > LONGEST_VALUE ? "…" : "").toString();
    }
}
