package dev.muster.standalone.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Says that a process uses a data directory; the operating system takes it back when the process dies. */
final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static DirectoryLock acquire(Path directory) {
        FileChannel channel;
        try {
            Files.createDirectories(directory);
            channel = FileChannel.open(
                    directory.resolve("muster.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new BrokerStartException("cannot write to " + directory + ": " + e, e);
        }
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new DirectoryLock(channel);
            }
        } catch (OverlappingFileLockException e) {
            // Another broker of this very process: refused below like one of another process.
        } catch (IOException e) {
            throw new BrokerStartException("cannot lock " + directory + ": " + e, e);
        }
        close(channel);
        throw new BrokerInUseException(directory + " is in use by another muster process");
    }

    @Override
    public void close() {
        close(channel);
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
