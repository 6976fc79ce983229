package dev.muster.standalone.scenario.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** What changed about a node, in words. */
final class NodeNews {
    private NodeNews() {}

    /** Empty where nothing did that people want to read. */
    static String of(NodeView before, NodeView now, boolean gone) {
        if (gone) {
            return "is gone";
        }
        if (before == null) {
            return "added" + sizes(now) + (now.cordoned() ? ", cordoned" : "") + (now.ready() ? "" : ", not ready");
        }
        List<String> news = new ArrayList<>();
        if (before.ready() != now.ready()) {
            news.add(now.ready() ? "is ready" : "is not ready");
        }
        if (before.cordoned() != now.cordoned()) {
            news.add(now.cordoned() ? "is cordoned" : "is uncordoned");
        }
        TreeSet<String> resources = new TreeSet<>(before.allocatable().keySet());
        resources.addAll(now.allocatable().keySet());
        for (String resource : resources) {
            String was = before.allocatable().getOrDefault(resource, "0");
            String is = now.allocatable().getOrDefault(resource, "0");
            if (!was.equals(is)) {
                news.add("has " + is + " " + resource + " (" + was + " before)");
            }
        }
        return String.join(", ", news);
    }

    private static String sizes(NodeView node) {
        List<String> sizes = new ArrayList<>();
        node.allocatable().forEach((resource, amount) -> {
            if (resource.equals("cpu") || resource.contains("/")) {
                sizes.add(amount + " " + resource);
            }
        });
        return sizes.isEmpty() ? "" : " with " + String.join(", ", sizes);
    }
}
