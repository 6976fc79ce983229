package dev.muster.ingest.intake;

import java.util.List;
import org.apache.kafka.common.TopicPartition;

/**
 * Keeps account of a tenant's records that exhaust the memory, while its partitions are read in turn and record by record.
 *
 * <p>A record that was skipped may be one of many in a batch, and reading any of them unpacks those before it: so each skip
 * that ends in front of another bad record is twice as long as the last. Records behind the batch that are skipped with it
 * are at most as many as the batch has; they are named in the dead letter.
 */
final class BombTrail {
    /** So often is the same place tried: the first time may have been the fault of something else in the process. */
    static final int TRIES = 2;

    /** After so many records without trouble there is no more reason to go one by one. */
    static final int CALM_RECORDS = 100;

    /** A partition that gave nothing for so many polls is taken to be at its end. */
    static final int EMPTY_POLLS = 50;

    private final List<TopicPartition> partitions;
    private int turn;
    private int emptyPolls;
    private int emptied;
    private int records;

    private TopicPartition suspect;
    private long suspectOffset;
    private int tries;

    private TopicPartition skipped;
    private long skippedTo;
    private long stride;

    BombTrail(List<TopicPartition> partitions) {
        this.partitions = partitions;
    }

    /** The partition to read now. */
    TopicPartition current() {
        return partitions.get(turn);
    }

    /** Takes note of a poll without trouble; whether there is no more reason to go record by record. */
    boolean calm(int read) {
        records += read;
        emptyPolls = read == 0 ? emptyPolls + 1 : 0;
        emptied = read == 0 ? emptied : 0;
        if (emptyPolls == EMPTY_POLLS) {
            emptyPolls = 0;
            emptied++;
            turn = (turn + 1) % partitions.size();
        }
        return records >= CALM_RECORDS || emptied >= partitions.size();
    }

    /** Memory was exhausted at an offset of the current partition; whether that is to be skipped now. */
    boolean exhaustedAt(long offset) {
        records = 0;
        emptied = 0;
        tries = current().equals(suspect) && offset == suspectOffset ? tries + 1 : 1;
        suspect = current();
        suspectOffset = offset;
        return tries >= TRIES || followsSkip(offset);
    }

    /** The offset to go on at, beyond the one at which memory was exhausted; at most {@code end}. */
    long skip(long offset, long end) {
        stride = followsSkip(offset) ? 2 * stride : 1;
        skipped = current();
        skippedTo = Math.max(offset + 1, Math.min(end, offset + stride));
        return skippedTo;
    }

    private boolean followsSkip(long offset) {
        return current().equals(skipped) && offset == skippedTo;
    }
}
