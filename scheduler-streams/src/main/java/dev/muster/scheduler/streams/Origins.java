package dev.muster.scheduler.streams;

import dev.muster.scheduler.core.event.ClusterEvent;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncBegan;
import dev.muster.scheduler.core.event.ClusterEvent.ResyncEnded;
import dev.muster.scheduler.core.event.Origin;
import dev.muster.schemas.common.Change;

/** Which object a record is about, checked for what its topic needs. */
final class Origins {
    private final String domain;

    Origins(String domain) {
        this.domain = domain;
    }

    /** What a topic's objects must be told by. */
    enum Kind {
        NODE(true, false, true),
        POD(true, true, true),
        GROUP(true, true, true),
        /** A report about a node, whose name it carries. */
        REPORT(true, false, false),
        /** The operator's policies belong to no member cluster. */
        POLICY(false, false, false);

        private final boolean cluster;
        private final boolean namespace;
        private final boolean uid;

        Kind(boolean cluster, boolean namespace, boolean uid) {
            this.cluster = cluster;
            this.namespace = namespace;
            this.uid = uid;
        }
    }

    /** A checked origin; the object's name is empty on resync records. */
    record Read(Change change, Origin object) {
        /** The resync record as an event; the kind is what the topic, or the record, says was listed. */
        ClusterEvent bracket(String kind) {
            return change == Change.RESYNC_BEGIN
                    ? new ResyncBegan(object.cluster(), kind, object.epoch())
                    : new ResyncEnded(object.cluster(), kind, object.epoch(), object.resourceVersion());
        }
    }

    Read read(dev.muster.schemas.common.Origin from, Kind kind) {
        return Checks.part("origin", from, origin -> readOrigin(origin, kind));
    }

    private Read readOrigin(dev.muster.schemas.common.Origin from, Kind kind) {
        if (!from.getDomain().equals(domain)) {
            throw InvalidFieldException.wrongDomain("domain", from.getDomain(), domain);
        }
        Change change = from.getChange();
        boolean object = change == Change.UPSERT || change == Change.DELETE;
        return new Read(
                change,
                new Origin(
                        text("cluster", from.getCluster(), kind.cluster || !object),
                        Checks.between("epoch", from.getEpoch(), 0, Long.MAX_VALUE),
                        text("namespace", from.getNamespace(), kind.namespace && object),
                        text("name", from.getName(), object),
                        text("uid", from.getUid(), kind.uid && object),
                        Checks.between("resourceVersion", from.getResourceVersion(), 0, Long.MAX_VALUE)));
    }

    dev.muster.schemas.common.Origin write(Origin from, Change change) {
        return new dev.muster.schemas.common.Origin(
                domain,
                from.cluster(),
                from.epoch(),
                change,
                from.namespace(),
                from.name(),
                from.uid(),
                from.resourceVersion());
    }

    dev.muster.schemas.common.Origin begin(ResyncBegan event) {
        return write(new Origin(event.cluster(), event.epoch(), "", "", "", 0), Change.RESYNC_BEGIN);
    }

    dev.muster.schemas.common.Origin end(ResyncEnded event) {
        return write(new Origin(event.cluster(), event.epoch(), "", "", "", event.listVersion()), Change.RESYNC_END);
    }

    private static String text(String field, String value, boolean needed) {
        return needed ? Checks.name(field, value) : Checks.nameOrEmpty(field, value);
    }
}
