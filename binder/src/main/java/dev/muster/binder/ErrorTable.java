package dev.muster.binder;

/**
 * The one place that says what an API error means. Status codes as kube-apiserver uses them (apimachinery, {@code
 * api/errors}).
 */
final class ErrorTable {

    /** What to do about an API error. */
    enum Verdict {
        /** Try again after a pause; where the call may have taken effect, read first. */
        RETRY,
        /** The object is not as assumed: read it and decide anew. */
        REREAD,
        /** The API server or a webhook does not want this, and will not want it a second time. */
        REFUSED,
        /** The object does not exist. */
        GONE,
        /** No call can succeed: stop. */
        FATAL
    }

    private ErrorTable() {}

    static Verdict verdict(ApiException e) {
        return switch (e.code()) {
            // The answer was lost: it may have happened.
            case ApiException.NO_ANSWER -> Verdict.RETRY;
            case 408, 429 -> Verdict.RETRY;
            // Preconditions, AlreadyExists, "pod is already assigned"; 410 where the server compacted what we refer to.
            case 409, 410, 412 -> Verdict.REREAD;
            case 404 -> Verdict.GONE;
            // Admission webhooks and policies answer 403 (or what they like, mostly 400 and 422); quota and terminating
            // namespaces 403.
            case 400, 403, 422 -> Verdict.REFUSED;
            case 413 -> Verdict.REFUSED;
            // Credentials do not work, or this is no API server we know.
            case 401, 405, 406, 415 -> Verdict.FATAL;
            default -> e.code() >= 500 ? Verdict.RETRY : Verdict.REFUSED;
        };
    }

    /** The verdict, for calls that can't go on after a fatal one. */
    static Verdict verdictOrStop(ApiException e) {
        Verdict verdict = verdict(e);
        if (verdict == Verdict.FATAL) {
            throw new ClusterUnusableException(e);
        }
        return verdict;
    }
}
