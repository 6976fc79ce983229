package dev.muster.standalone.virtual;

import dev.muster.standalone.cluster.Timeline;
import dev.muster.standalone.cluster.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Blocking code on virtual time. A fiber is a thread that runs only while it holds the baton, which there is one of: what
 * runs runs alone, and goes on until it waits or ends. The baton comes from the thread that runs {@link VirtualTime}: a
 * fiber begins as an event there, a wait ends as one. So the order in which fibers run follows from the program alone.
 *
 * <p>A fiber waits through {@link #sleep} and {@link #await} only; one that blocks elsewhere stops everything.
 */
public final class Fibers implements AutoCloseable {

    /** Waits of at least this long have no end of their own. */
    private static final long FOR_EVER_MILLIS = Duration.ofDays(3650).toMillis();

    private final class Fiber {
        private final String name;
        private final Group group;
        private Runnable work;
        private Thread thread;
        private Thread resumer;
        private volatile boolean hasBaton;
        private BooleanSupplier condition;
        private Timeline.Scheduled timeout;
        private Throwable failure;

        Fiber(String name, Group group, Runnable work) {
            this.name = name;
            this.group = group;
            this.work = work;
        }

        private void run() {
            awaitBaton();
            try {
                if (group.alive) {
                    work.run();
                }
            } catch (FiberKilled e) {
                // As intended.
            } catch (Throwable e) {
                failure = e;
            }
            work = null;
            group.fibers.remove(this);
            giveBatonBack();
        }

        private void awaitBaton() {
            while (!hasBaton) {
                LockSupport.park(this);
            }
        }

        private void giveBatonBack() {
            Thread to = resumer;
            hasBaton = false;
            LockSupport.unpark(to);
        }

        private void throwIfKilled() {
            if (!group.alive) {
                throw new FiberKilled(name);
            }
        }
    }

    /** Fibers that live and die together, such as those of one process. */
    public final class Group {
        private final String name;
        private final List<Fiber> fibers = new ArrayList<>();
        private boolean alive = true;

        private Group(String name) {
            this.name = name;
        }

        /** Begins a fiber as soon as what is due before has run. Of a group that was killed nothing begins any more. */
        public void start(String fiber, Runnable work) {
            if (!alive) {
                return;
            }
            Fiber begun = new Fiber(name + "/" + fiber, this, work);
            fibers.add(begun);
            time.execute(() -> begin(begun));
        }

        /** Runs each task in a fiber of its own; {@code close} waits for those that were begun through it. */
        public ExecutorService executor(String fiber) {
            return new FiberExecutor(this, fiber);
        }

        /** Whether it was not killed. */
        public boolean alive() {
            return alive;
        }

        /** Number of fibers that have not ended. */
        public int size() {
            return fibers.size();
        }

        /**
         * Ends all its fibers where they are: what each waits in throws {@link FiberKilled}, and so does every later wait.
         * A fiber that kills its own group ends, too: then this does not return.
         */
        public void kill() {
            alive = false;
            Fiber self = current;
            for (Fiber each : List.copyOf(fibers)) {
                if (each != self && each.thread != null) {
                    stopWaiting(each);
                    resume(each);
                } else if (each != self) {
                    fibers.remove(each);
                }
            }
            if (self != null && self.group == this) {
                throw new FiberKilled(self.name);
            }
        }
    }

    private final VirtualTime time;
    private final List<Group> groups = new ArrayList<>();
    private final List<Fiber> waiting = new ArrayList<>();
    private Fiber current;
    private long resumed;

    /** Fibers whose waits are events of that time. */
    public Fibers(VirtualTime time) {
        this.time = time;
        time.afterEach(this::runReady);
    }

    /** A new group. */
    public Group group(String name) {
        groups.removeIf(group -> !group.alive);
        Group group = new Group(name);
        groups.add(group);
        return group;
    }

    /** How often a fiber was given the baton so far: grows whenever any did something. */
    public long resumed() {
        return resumed;
    }

    /** In a fiber: waits that long. */
    public void sleep(long millis) {
        await(() -> false, millis);
    }

    /** In a fiber: waits until the latch is open, but no longer than {@code millis}. */
    public void await(CountDownLatch latch, long millis) {
        await(() -> latch.getCount() == 0, millis);
    }

    /** In a fiber: waits until the condition holds, but no longer than {@code millis}; whether it holds. */
    public boolean await(BooleanSupplier condition, long millis) {
        Fiber self = current;
        if (self == null) {
            throw new IllegalStateException("only a fiber can wait");
        }
        self.throwIfKilled();
        if (condition.getAsBoolean()) {
            return true;
        }
        self.condition = condition;
        self.timeout = millis >= FOR_EVER_MILLIS ? null : time.after(Duration.ofMillis(millis), () -> timedOut(self));
        waiting.add(self);
        self.giveBatonBack();
        self.awaitBaton();
        self.throwIfKilled();
        return condition.getAsBoolean();
    }

    /** In a fiber of a group that was killed: ends it. Called where something would take effect. */
    public void throwIfKilled() {
        if (current != null) {
            current.throwIfKilled();
        }
    }

    /** Whether a fiber waits for something that has happened. */
    public boolean hasReady() {
        return waiting.stream().anyMatch(fiber -> fiber.condition.getAsBoolean());
    }

    /** Lets all fibers go on that wait for something that has happened, in the order in which they began to wait. */
    public void runReady() {
        int at = 0;
        while (at < waiting.size()) {
            Fiber fiber = waiting.get(at);
            if (fiber.condition.getAsBoolean()) {
                stopWaiting(fiber);
                resume(fiber);
                at = 0;
            } else {
                at++;
            }
        }
    }

    private void begin(Fiber fiber) {
        if (fiber.group.alive) {
            fiber.thread = Thread.ofVirtual().name(fiber.name).unstarted(fiber::run);
            fiber.thread.start();
            resume(fiber);
        }
    }

    private void timedOut(Fiber fiber) {
        stopWaiting(fiber);
        resume(fiber);
    }

    private void stopWaiting(Fiber fiber) {
        waiting.remove(fiber);
        if (fiber.timeout != null) {
            fiber.timeout.cancel();
            fiber.timeout = null;
        }
    }

    /** Hands the baton over and waits for its return. What the fiber threw, if it ended so, is thrown here. */
    private void resume(Fiber fiber) {
        Fiber before = current;
        current = fiber;
        resumed++;
        fiber.resumer = Thread.currentThread();
        fiber.hasBaton = true;
        LockSupport.unpark(fiber.thread);
        while (fiber.hasBaton) {
            LockSupport.park(fiber);
        }
        current = before;
        if (fiber.failure instanceof RuntimeException failure) {
            throw failure;
        } else if (fiber.failure instanceof Error failure) {
            throw failure;
        }
    }

    /** Kills all groups. */
    @Override
    public void close() {
        List.copyOf(groups).forEach(Group::kill);
        groups.clear();
    }

    private final class FiberExecutor extends AbstractExecutorService {
        private final Group group;
        private final String name;
        private int begun;
        private int running;
        private boolean shutdown;

        FiberExecutor(Group group, String name) {
            this.group = group;
            this.name = name;
        }

        @Override
        public void execute(Runnable task) {
            running++;
            group.start(name + "-" + begun++, () -> {
                try {
                    task.run();
                } finally {
                    running--;
                }
            });
        }

        @Override
        public void close() {
            shutdown = true;
            Fibers.this.await(() -> running == 0, FOR_EVER_MILLIS);
        }

        @Override
        public void shutdown() {
            shutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return shutdown;
        }

        @Override
        public boolean isTerminated() {
            return shutdown && running == 0;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return Fibers.this.await(() -> running == 0, unit.toMillis(timeout));
        }
    }
}
