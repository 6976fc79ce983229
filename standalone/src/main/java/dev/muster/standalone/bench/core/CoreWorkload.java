package dev.muster.standalone.bench.core;

import java.util.List;

/** What waits in a benchmark of the core. */
public enum CoreWorkload {
    /** Lone pods of one GPU. */
    single(List.of(new Role("", 1, 1))),
    /** Gangs of 8 pods of one GPU. */
    gang8(List.of(new Role("", 8, 1))),
    /** Gangs of 64 pods of one GPU. */
    gang64(List.of(new Role("", 64, 1))),
    /** Gangs of 8 pods that take a whole node of 8 GPUs each. */
    node8(List.of(new Role("", 8, 8))),
    /** Gangs of 8 pods of one GPU; every fifth has a master without GPUs, six workers of one and an evaluator of two. */
    mixed(List.of(new Role("", 8, 1))),
    /** Gangs of 512 pods of one GPU. */
    gang512(List.of(new Role("", 512, 1)));

    private static final int MIXED_ONE_IN = 5;
    private static final List<Role> MIXED_ROLES =
            List.of(new Role("evaluator", 1, 2), new Role("master", 1, 0), new Role("worker", 6, 1));

    private final List<Role> roles;

    CoreWorkload(List<Role> roles) {
        this.roles = roles;
    }

    /**
     * Pods of a gang that are alike.
     *
     * @param task name of the role; empty where the gang has only one
     * @param gpus GPUs of each pod; its CPUs and memory follow from them
     */
    record Role(String task, int pods, int gpus) {}

    /** The pods of a gang, by role in the order of the roles' names. */
    List<Role> rolesOf(int gang) {
        return this == mixed && gang % MIXED_ONE_IN == 0 ? MIXED_ROLES : roles;
    }

    /** Whether its pods belong to no gang. */
    boolean lone() {
        return this == single;
    }

    /** Pods of every gang, whatever its roles. */
    int podsPerGang() {
        return roles.stream().mapToInt(Role::pods).sum();
    }

    /** GPUs of every gang, whatever its roles. */
    int gpusPerGang() {
        return roles.stream().mapToInt(role -> role.pods() * role.gpus()).sum();
    }
}
