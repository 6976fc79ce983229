package dev.muster.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a service was told: a file's settings, overridden by the environment's, by the table of its keys. Collects everything
 * that is wrong, so that an operator reads all of it at once.
 */
public final class Values {
    private static final Pattern OF_THE_COMMAND =
            Pattern.compile("MUSTER_(LOG|DEBUG|NO_BUILD|PROGRAM|JAVA_OPTS|SCHEMA_REGISTRY|COMMAND_CONFIG|DATA_DIR)=.*");

    /** What Kubernetes gives every container for a Service whose name is "muster" or begins with "muster-". */
    private static final Pattern OF_KUBERNETES = Pattern.compile(
            "MUSTER_(.*_)?(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_PROTO|_PORT|_ADDR)?)=.*"
                    + "|MUSTER_(.*_)?PORT=(tcp|udp|sctp)://.*");

    private static final String VARIABLES = "MUSTER_";
    private static final String MASK = "********";

    /** A setting somebody gave: under which name, where, and as which text. */
    private record Given(String origin, String text) {}

    private final Collection<Key<?>> keys;
    private final SortedMap<String, Given> given = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> passedOver = new ArrayList<>();

    private Values(Collection<Key<?>> keys) {
        this.keys = keys;
    }

    /**
     * Puts them together.
     *
     * @param keys all settings of the service
     * @param file where the file's settings are from, for messages
     * @param settings the file's settings
     * @param environment environment variables; those that do not begin with {@code MUSTER_} are passed over
     */
    public static Values of(
            Collection<Key<?>> keys, Path file, Map<String, String> settings, Map<String, String> environment) {
        Values values = new Values(keys);
        new TreeMap<>(settings).forEach((name, text) -> values.takeSetting(file.toString(), name, text));
        new TreeMap<>(environment).forEach(values::takeVariable);
        return values;
    }

    private void takeSetting(String file, String name, String text) {
        if (keyOf(name).isPresent()) {
            take(name, new Given(file, text));
        } else {
            List<String> known = keys.stream().map(Key::name).toList();
            problems.add(file + ": " + name + " is not a setting" + suggestion(name, known));
        }
    }

    private void takeVariable(String variable, String text) {
        if (!variable.startsWith(VARIABLES)) {
            return;
        }
        Optional<String> name = nameOf(variable);
        if (name.isPresent()) {
            take(name.get(), new Given("environment, " + variable, text));
        } else if (!isForOthers(variable + "=" + text)) {
            unknownVariable(variable);
        }
    }

    /** The environment is not ours alone: what is like no setting may be somebody else's. What is like one is a mistake. */
    private void unknownVariable(String variable) {
        List<String> known = keys.stream()
                .map(key -> key.variable().substring(VARIABLES.length()))
                .toList();
        Nearest.to(variable.substring(VARIABLES.length()), known)
                .ifPresentOrElse(
                        near -> problems.add("environment: " + variable + " is not a setting; did you mean " + VARIABLES
                                + near + "?"),
                        () -> passedOver.add(variable));
    }

    private static boolean isForOthers(String assignment) {
        return OF_THE_COMMAND.matcher(assignment).matches()
                || OF_KUBERNETES.matcher(assignment).matches();
    }

    private void take(String name, Given value) {
        // A blank value takes a setting back: compose files and charts cannot leave a variable out.
        if (value.text().isBlank()) {
            given.remove(name);
        } else {
            given.put(name, value);
        }
    }

    /** The value, or its default; null where there is none, or where what was said is wrong (which is reported). */
    public <T> T get(Key<T> key) {
        Given value = given.get(key.name());
        if (value != null) {
            return parsed(key, key.name(), value);
        }
        if (key.required()) {
            refuse(key.name() + " is missing, expected " + key.kind().expected());
        }
        return key.fallback().map(key.kind().parser()).orElse(null);
    }

    /** The value of a setting that may be absent. */
    public <T> Optional<T> find(Key<T> key) {
        return Optional.ofNullable(get(key));
    }

    /** The values of a family of settings, by what stands for the star. */
    public <T> SortedMap<String, T> members(Key<T> family) {
        SortedMap<String, T> members = new TreeMap<>();
        given.forEach((name, value) -> family.memberIn(name).ifPresent(member -> {
            T parsed = parsed(family, name, value);
            if (parsed != null) {
                members.put(member, parsed);
            }
        }));
        return members;
    }

    /** The value of one member of a family, or the family's default; null as for {@link #get}. */
    public <T> T member(Key<T> family, String member) {
        String name = family.name().replace("*", member);
        Given value = given.get(name);
        return value == null ? family.fallback().map(family.kind().parser()).orElse(null) : parsed(family, name, value);
    }

    /** Whether somebody said it. */
    public boolean isGiven(Key<?> key) {
        return given.containsKey(key.name());
    }

    /** Reports {@code otherwise} when two values that are both there do not go together. */
    public <A, B> void require(Key<A> one, Key<B> other, BiPredicate<A, B> holds, String otherwise) {
        int before = problems.size();
        A a = get(one);
        B b = get(other);
        forgetSince(before);
        if (a != null && b != null && !holds.test(a, b)) {
            refuse(one.name() + " is " + a + ", " + other.name() + " is " + b + ": " + otherwise);
        }
    }

    /** Reports something that is wrong. */
    public void refuse(String line) {
        if (!problems.contains(line)) {
            problems.add(line);
        }
    }

    /** Variables that begin with {@code MUSTER_}, but are like no setting. */
    public List<String> passedOver() {
        return List.copyOf(passedOver);
    }

    /** Whether anything that was reported is wrong. */
    public boolean hasProblems() {
        return !problems.isEmpty();
    }

    /** @throws ConfigException with everything that is wrong, if anything is */
    public void check() {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /**
     * Every setting that has a value, as lines of a properties file in the order of the keys, without secrets.
     *
     * @param isSecret names whose values are secret beside those of secret keys
     */
    public List<String> effective(Predicate<String> isSecret) {
        return keys.stream()
                .flatMap(key -> key.isFamily()
                        ? given.keySet().stream()
                                .filter(name -> keyOf(name).filter(key::equals).isPresent())
                        : Stream.of(key.name()))
                .flatMap(name -> line(name, isSecret).stream())
                .toList();
    }

    private Optional<String> line(String name, Predicate<String> isSecret) {
        Key<?> key = keyOf(name).orElseThrow();
        Optional<String> text =
                Optional.ofNullable(given.get(name)).map(Given::text).or(key::fallback);
        return text.map(shown -> name + "=" + (key.secret() || isSecret.test(name) ? MASK : escaped(shown)));
    }

    /** As a properties file needs it, so that what is printed can be a configuration again. */
    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }

    private <T> T parsed(Key<T> key, String name, Given value) {
        try {
            return key.kind().parser().apply(value.text());
        } catch (IllegalArgumentException e) {
            String shown = key.secret() ? MASK : "'" + value.text() + "'";
            refuse(value.origin() + ": " + name + " is " + shown + ", expected "
                    + key.kind().expected());
            return null;
        }
    }

    private void forgetSince(int count) {
        problems.subList(count, problems.size()).clear();
    }

    private Optional<Key<?>> keyOf(String name) {
        return keys.stream()
                .filter(key -> key.isFamily()
                        ? key.memberIn(name).isPresent()
                        : key.name().equals(name))
                .findFirst();
    }

    private Optional<String> nameOf(String variable) {
        // A plain key before a family that its variable fits as well.
        return Stream.of(false, true)
                .flatMap(family -> keys.stream().filter(key -> key.isFamily() == family))
                .flatMap(key -> key.fullNameOf(variable).stream())
                .findFirst();
    }

    private static String suggestion(String name, List<String> known) {
        return Nearest.to(name, known)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
    }
}
