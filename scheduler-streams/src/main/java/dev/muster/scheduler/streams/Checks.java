package dev.muster.scheduler.streams;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Checks on single fields. What passes is finite, non-negative where it counts something, and bounded so that no sum in
 * the core can overflow. Bounds are those of ingest and intake or wider: they keep a writer's bug out, they do not limit
 * clusters.
 */
final class Checks {
    /** Longest object, label or resource name: prefix of 253, slash, 63 (Kubernetes' qualified names). */
    static final int NAME = 317;

    /** Longest identifier made of several names. */
    static final int ID = 1_024;

    /** Longest free text that is kept. */
    static final int TEXT = 32_768;

    /** More of a resource than any node has, 2^50: what is said to be more counts as this much. */
    static final long AMOUNT = 1L << 50;

    /** More of a resource than any pod can use, 2^45: 262,144 such pods still add up in a long. */
    static final long POD_AMOUNT = 1L << 45;

    /** More GPUs than any pod can use; counted in thousandths. */
    static final long POD_GPUS = 1L << 20;

    /** GPU devices of a node, and the largest device index plus one. */
    static final int DEVICES = 1_024;

    /** Entries of a list inside an object. */
    static final int ENTRIES = 20_000;

    /** Pods of a gang. */
    static final int PODS = 1_000_000;

    /** Latest time: the year 9999. */
    static final long MILLIS = 253_402_300_799_999L;

    private static final int PRINTED = 64;

    private Checks() {}

    static String name(String field, String value) {
        if (value.isEmpty() || value.length() > NAME) {
            throw InvalidFieldException.of(field, value, "1 to " + NAME + " characters");
        }
        return value;
    }

    static String nameOrEmpty(String field, String value) {
        return value.isEmpty() ? value : name(field, value);
    }

    static String id(String field, String value) {
        if (value.isEmpty() || value.length() > ID) {
            throw InvalidFieldException.of(field, value, "1 to " + ID + " characters");
        }
        return value;
    }

    static String text(String field, String value) {
        if (value.length() > TEXT) {
            throw InvalidFieldException.of(field, value, "at most " + TEXT + " characters");
        }
        return value;
    }

    static String oneOf(String field, String value, List<String> known) {
        if (!known.contains(value)) {
            throw InvalidFieldException.of(field, value, "one of " + String.join(", ", known));
        }
        return value;
    }

    static long between(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw InvalidFieldException.of(field, value, least + " to " + most);
        }
        return value;
    }

    static int between(String field, int value, int least, int most) {
        return (int) between(field, (long) value, least, most);
    }

    static long millis(String field, long value) {
        return between(field, value, 0, MILLIS);
    }

    /** GPU devices: rising indices. */
    static List<Integer> devices(String field, List<Integer> devices) {
        int previous = -1;
        for (int device : devices) {
            if (device <= previous || device >= DEVICES) {
                throw InvalidFieldException.of(field, devices, "rising indices from 0 to " + (DEVICES - 1));
            }
            previous = device;
        }
        return devices;
    }

    static <A, B> B part(String field, A value, Function<A, B> read) {
        if (value == null) {
            throw InvalidFieldException.of(field, null, "a value");
        }
        try {
            return read.apply(value);
        } catch (InvalidFieldException e) {
            throw e.under(field);
        }
    }

    static <A, B> List<B> each(String field, List<A> values, int most, Function<A, B> read) {
        if (values.size() > most) {
            throw InvalidFieldException.saying(field, "has " + values.size() + " entries, expected at most " + most);
        }
        if (values.isEmpty()) {
            return List.of();
        }
        List<B> out = new ArrayList<>(values.size());
        for (A value : values) {
            try {
                out.add(read.apply(value));
            } catch (InvalidFieldException e) {
                throw e.under(field + "[" + out.size() + "]");
            }
        }
        return out;
    }

    /** Each value written another way; for the direction that needs no checks. */
    static <A, B> List<B> map(List<A> values, Function<A, B> write) {
        if (values.isEmpty()) {
            return List.of();
        }
        List<B> out = new ArrayList<>(values.size());
        for (A value : values) {
            out.add(write.apply(value));
        }
        return out;
    }

    /** A found value as it may stand in a one-line message: short, without control characters. */
    static String printable(Object found) {
        if (!(found instanceof String)) {
            String text = String.valueOf(found);
            return text.length() <= PRINTED ? text : text.substring(0, PRINTED) + "…";
        }
        String text = (String) found;
        StringBuilder out = new StringBuilder("'");
        text.chars()
                .limit(PRINTED)
                .forEach(
                        c -> out.append(Character.isISOControl(c) || Character.isSurrogate((char) c) ? '?' : (char) c));
        return out.append(text.length() > PRINTED ? "…'" : "'").toString();
    }
}
