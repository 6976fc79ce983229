package dev.muster.standalone.cluster;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP side: every request of every client comes in here and leaves as JSON. */
final class ApiServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final long MAX_REQUEST_BYTES = 3L << 20;
    private static final String WATCH = "muster.watch";

    private final ResourceKinds kinds;
    private final VersionedStore store;
    private final ApiHandlers handlers;
    private final Faults faults;
    private final Discovery discovery;
    private final Counters counters;
    private final Duration bookmarkInterval;
    private final String host;
    private final Javalin javalin;
    private volatile boolean serving = true;

    ApiServer(
            ResourceKinds kinds,
            VersionedStore store,
            ApiHandlers handlers,
            Faults faults,
            Counters counters,
            SimulatedClusterOptions options) {
        this.kinds = kinds;
        this.store = store;
        this.handlers = handlers;
        this.faults = faults;
        this.discovery = new Discovery(kinds);
        this.counters = counters;
        this.bookmarkInterval = options.bookmarkInterval();
        this.host = options.host();
        this.javalin =
                Javalin.create(config -> configure(config, options.port())).start();
    }

    URI url() {
        return URI.create("http://" + host + ":" + javalin.port());
    }

    @Override
    public void close() {
        serving = false;
        store.wakeAll();
        javalin.stop();
    }

    private void configure(JavalinConfig config, int port) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.concurrency.useVirtualThreads = true;
        config.http.maxRequestSize = MAX_REQUEST_BYTES;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.jetty.addConnector((server, http) -> {
            http.setSendServerVersion(false);
            ServerConnector connector =
                    new ServerConnector(server, 1, 1, new org.eclipse.jetty.server.HttpConnectionFactory(http));
            connector.setHost(host);
            connector.setPort(port);
            // Watches are idle for as long as nothing happens.
            connector.setIdleTimeout(0);
            return connector;
        });
        config.jetty.modifyWebSocketServletFactory(factory -> {
            factory.setIdleTimeout(Duration.ZERO);
            factory.setMaxTextMessageSize(MAX_REQUEST_BYTES);
        });
        for (HandlerType method :
                List.of(HandlerType.GET, HandlerType.POST, HandlerType.PUT, HandlerType.PATCH, HandlerType.DELETE)) {
            config.routes.addHttpHandler(method, "/*", this::serve);
        }
        config.routes.wsBeforeUpgrade(this::beforeUpgrade);
        config.routes.ws("/*", this::webSocket);
        config.routes.exception(ApiException.class, (e, context) -> refuse(context, e));
        config.routes.exception(
                HttpResponseException.class,
                (e, context) -> refuse(context, new ApiException(e.getStatus(), "RequestRefused", e.getMessage())));
        config.routes.exception(Exception.class, this::broken);
    }

    private void serve(Context context) throws IOException, InterruptedException {
        var document = context.method() == HandlerType.GET ? discovery.at(context.path()) : null;
        if (document != null && document.isPresent()) {
            answer(context, 200, Json.bytes(document.get()));
            return;
        }
        ApiRequest request = parse(context);
        Faulted faulted = strike(request);
        if (request.verb().equals("watch")) {
            stream(context, watch(request, faulted));
            return;
        }
        ApiHandlers.Reply reply = handlers.handle(request, context.contentType(), context.bodyAsBytes());
        if (faulted.loseReply()) {
            cut(context);
        } else {
            answer(context, reply.code(), reply.body());
        }
    }

    private ApiRequest parse(Context context) {
        ApiRequest request = ApiRequest.parse(
                kinds,
                context.req().getMethod(),
                context.req().getRequestURI(),
                context.req().getQueryString());
        counters.requested(
                request.subresource().isEmpty() ? request.verb() : request.verb() + " " + request.resource());
        return request;
    }

    private record Faulted(boolean loseReply, boolean expire) {}

    private Faulted strike(ApiRequest request) throws InterruptedException {
        boolean loseReply = false;
        boolean expire = false;
        for (Faults.Action action : faults.take(request)) {
            switch (action) {
                case Faults.Action.Refuse refuse ->
                    throw new ApiException(refuse.code(), refuse.reason(), refuse.message());
                case Faults.Action.Delay delay -> Thread.sleep(delay.duration());
                case Faults.Action.LoseReply lose -> loseReply = true;
                case Faults.Action.Expire gone -> {
                    if (gone.asHttpStatus()) {
                        throw ApiException.expired("too old resource version");
                    }
                    expire = true;
                }
            }
        }
        return new Faulted(loseReply, expire);
    }

    private WatchLoop watch(ApiRequest request, Faulted faulted) {
        return new WatchLoop(store, faults, request, faulted.expire(), bookmarkInterval, () -> serving);
    }

    private void stream(Context context, WatchLoop watch) throws IOException, InterruptedException {
        context.res().setContentType("application/json");
        context.res().setHeader("Cache-Control", "no-cache, private");
        context.res().flushBuffer();
        try {
            watch.run(new StreamSink(context.res().getOutputStream(), () -> cut(context)));
        } catch (IOException e) {
            LOG.debug("a watching client went away: {}", e.toString());
        }
    }

    private void beforeUpgrade(Context context) throws InterruptedException {
        ApiRequest request = parse(context);
        if (!request.verb().equals("watch")) {
            throw ApiException.badRequest("only watches are served over WebSocket");
        }
        context.attribute(WATCH, watch(request, strike(request)));
    }

    private void webSocket(WsConfig socket) {
        socket.onConnect(context -> {
            WatchLoop watch = context.attribute(WATCH);
            Thread.ofVirtual().name("watch").start(() -> run(watch, context));
        });
    }

    private static void run(WatchLoop watch, WsContext context) {
        try {
            watch.run(new WebSocketSink(context.session));
            context.session.close();
        } catch (IOException e) {
            LOG.debug("a watching client went away: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the connection under a request, as a broken network does. */
    private static void cut(Context context) {
        ServletContextRequest.getServletContextRequest(context.req())
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint()
                .close();
    }

    private static void answer(Context context, int code, byte[] body) {
        context.status(code).contentType("application/json").result(body);
    }

    private static void refuse(Context context, ApiException refusal) {
        if (refusal.retryAfterSeconds() > 0) {
            context.header("Retry-After", Integer.toString(refusal.retryAfterSeconds()));
        }
        answer(context, refusal.code(), Json.bytes(refusal.status()));
    }

    private void broken(Exception problem, Context context) {
        if (!serving) {
            return;
        }
        LOG.error("{} {} failed", context.method(), context.path(), problem);
        refuse(context, new ApiException(500, "InternalError", "Internal error occurred: " + problem));
    }
}
