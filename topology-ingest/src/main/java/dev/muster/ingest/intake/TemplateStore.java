package dev.muster.ingest.intake;

import dev.muster.schemas.job.PodTemplate;
import dev.muster.schemas.job.Submission;
import dev.muster.schemas.job.SubmittedTask;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Which pod templates topic {@code templates} already has, so that each is published once. A template goes out in the
 * same transaction as the first submission that uses it and ahead of it, so a hash that a submission names is there.
 * The memory is bounded; a template that was forgotten is published again under the same key with the same bytes,
 * which changes nothing.
 */
final class TemplateStore {

    private record Key(String domain, String hash) {}

    private final int maxRemembered;
    private final SequencedSet<Key> published = new LinkedHashSet<>();

    /** @param maxRemembered most templates that are remembered */
    TemplateStore(int maxRemembered) {
        this.maxRemembered = maxRemembered;
    }

    /** The templates of a submission that are not published yet; from now on they count as published. */
    List<PodTemplate> unpublished(Submission submission, Map<String, String> jsonByHash) {
        List<PodTemplate> fresh = new ArrayList<>();
        jsonByHash.forEach((hash, json) -> {
            if (remember(new Key(submission.getDomain(), hash))) {
                fresh.add(new PodTemplate(submission.getDomain(), hash, json));
            }
        });
        return fresh;
    }

    /** Learns from a submission read back at start. */
    void apply(Submission submission) {
        if (submission.getJob() != null) {
            for (SubmittedTask task : submission.getJob().getTasks()) {
                remember(new Key(submission.getDomain(), task.getTemplateHash()));
            }
        }
    }

    private boolean remember(Key key) {
        boolean fresh = published.add(key);
        if (published.size() > maxRemembered) {
            published.removeFirst();
        }
        return fresh;
    }
}
