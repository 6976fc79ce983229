package dev.muster.ingest.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schemas.decision.DeadLetter;
import dev.muster.schemas.job.JobAction;
import dev.muster.schemas.job.JobCommand;
import dev.muster.schemas.job.JobResult;
import dev.muster.schemas.job.JobTask;
import dev.muster.schemas.topic.Domains;
import dev.muster.schemas.topic.Topics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Mutations of valid commands, each drawn from the seed that a failure names. Whatever arrives: the validator never
 * throws, and every record gets exactly one answer or one dead letter.
 */
class CommandFuzzTest {

    private static final int MUTATIONS = 10_000;
    private static final long SEED = 20_261_129;

    private static final List<String> SPLINTERS = List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "null",
            "true",
            "-1",
            "0",
            "1e999",
            "1e999999999",
            "NaN",
            "\\u0000",
            "\\ud800",
            "99999999999999999999",
            "\"\":{}",
            "\"hostPath\":{\"path\":\"/\"},",
            "\"name\":\"x\",",
            "[[[[[[",
            "{\"a\":",
            "..",
            "/",
            "\u202e",
            "\u0000",
            "\ud800",
            "kubernetes.io/",
            "muster.dev/gpu-fraction",
            "-",
            "Ki",
            "9223372036854775807",
            "\"cpu\":\"1Ei\",",
            "x".repeat(300));

    private static final List<Integer> INTEGERS =
            List.of(0, 1, -1, 2, 64, 10_000, 10_001, Integer.MAX_VALUE, Integer.MIN_VALUE, 1_000_000_001);

    private final Topics topics = Topics.DEFAULT;
    private final FakeKafka kafka = new FakeKafka();
    private final SubmissionValidator validator =
            new SubmissionValidator(new PodTemplateReader(IntakeConfig.DEFAULT_MAX_EVENT_BYTES));
    private final TenantPolicy policy = TenantPolicy.ofDefaultTenant("main");

    @Test
    void noMutationOfACommandMakesTheValidatorThrow() {
        int accepted = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            JobCommand command = mutated(new Random(SEED + i));
            try {
                accepted += validator.validate(policy, command) instanceof Validation.Invalid ? 0 : 1;
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed " + (SEED + i) + ": " + command, e);
            }
        }
        // Both sides of the border are visited, else the mutations are too wild or too tame.
        assertThat(accepted).isBetween(MUTATIONS / 20, MUTATIONS * 19 / 20);
    }

    @Test
    void everyMutatedRecordGetsExactlyOneAnswerOrOneDeadLetter() {
        String jobs = topics.jobs("default");
        kafka.topic(jobs, 1).topic(topics.results("default"), 1);
        for (String topic :
                List.of(topics.submissions(), topics.templates(), topics.workloadStatus(), topics.deadLetters())) {
            kafka.topic(topic, 1);
        }
        for (int i = 0; i < MUTATIONS; i++) {
            Random random = new Random(SEED + i);
            byte[] bytes = kafka.encode(jobs, mutated(random), JobCommand.class);
            kafka.append(jobs, 0, null, random.nextInt(3) == 0 ? damaged(bytes, random) : bytes);
        }
        IntakeSession.Setup setup = new IntakeSession.Setup(
                IntakeConfig.of("fuzz", List.of(policy)),
                topics,
                Domains.of("main"),
                kafka.registry,
                kafka,
                new IntakeMetrics(new SimpleMeterRegistry()),
                () -> 0,
                () -> 0);
        try (IntakeSession session = IntakeSession.open(setup, () -> true)) {
            while (kafka.committedOffset(jobs, 0) < MUTATIONS) {
                session.round();
            }
        }
        List<JobResult> answers = kafka.read(topics.results("default"), JobResult.class);
        List<DeadLetter> letters = kafka.read(topics.deadLetters(), DeadLetter.class);
        assertThat(answers.size() + letters.size()).isEqualTo(MUTATIONS);
        assertThat(letters).hasSizeBetween(100, MUTATIONS / 2);
        assertThat(letters).extracting(DeadLetter::getOffset).doesNotHaveDuplicates();
        assertThat(letters).noneMatch(letter -> letter.getMessage().contains("cannot be judged"));
        assertThat(answers).extracting(JobResult::getStatus).contains("Accepted", "Rejected");
        assertThat(answers)
                .allMatch(answer -> answer.getMessage().length() < 2_000
                        && answer.getMessage().chars().allMatch(c -> c >= ' ' && c <= '~'));
    }

    private static JobCommand mutated(Random random) {
        JobCommand command = Commands.submit("c" + random.nextInt(50), "job-" + random.nextInt(50));
        List<JobTask> tasks = new ArrayList<>();
        tasks.add(new JobTask("full", 2, -1, Commands.FULL_TEMPLATE));
        tasks.add(new JobTask("plain", 1, 0, Commands.TEMPLATE));
        command.getJob().setTasks(tasks);
        for (int i = random.nextInt(3); i >= 0; i--) {
            mutate(command, tasks, random);
        }
        return command;
    }

    private static void mutate(JobCommand command, List<JobTask> tasks, Random random) {
        JobTask task = tasks.get(random.nextInt(tasks.size()));
        switch (random.nextInt(14)) {
            case 0 -> command.setCommandId(spliced(command.getCommandId(), random));
            case 1 -> command.setJobId(spliced(command.getJobId(), random));
            case 2 -> command.setAction(JobAction.CANCEL);
            case 3 -> command.getJob().setNamespace(spliced(command.getJob().getNamespace(), random));
            case 4 -> command.getJob().setQueue(spliced("research", random));
            case 5 -> command.getJob().setCluster(spliced("east", random));
            case 6 -> command.getJob().setPriority(any(INTEGERS, random));
            case 7 -> command.getJob().setMinAvailable(any(INTEGERS, random));
            case 8 -> task.setReplicas(any(INTEGERS, random));
            case 9 -> task.setMinAvailable(any(INTEGERS, random));
            case 10 -> task.setName(spliced(task.getName(), random));
            case 11 -> tasks.add(new JobTask("more-" + tasks.size(), 1, -1, Commands.TEMPLATE));
            default -> task.setPodTemplate(spliced(task.getPodTemplate(), random));
        }
    }

    /** The text with a piece taken out, a splinter put in, or both. */
    private static String spliced(String text, Random random) {
        int from = random.nextInt(text.length() + 1);
        int to = random.nextBoolean() ? from : Math.min(text.length(), from + random.nextInt(20));
        String splinter = random.nextInt(3) == 0 ? "" : any(SPLINTERS, random);
        return text.substring(0, from) + splinter + text.substring(to);
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] damaged = Arrays.copyOf(bytes, random.nextBoolean() ? bytes.length : random.nextInt(bytes.length));
        for (int i = random.nextInt(4); i >= 0 && damaged.length > 0; i--) {
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return damaged;
    }

    private static <T> T any(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }
}
