import type { AddressInfo } from "node:net";
import type { Bus } from "@microremed/bus";
import type { Logger } from "@microremed/core";
import { terminal } from "@microremed/core";
import { createRangeClient } from "@microremed/range-client";
import type { Catalogue } from "@microremed/registry";
import type { Metrics } from "@microremed/service-kit";
import type { State } from "@microremed/state";
import type { GatewayConfig } from "./config.ts";
import { openEventHub } from "./event-hub.ts";
import { addHealth } from "./http/add-health.ts";
import type { App } from "./http/app.types.ts";
import { createApp } from "./http/create-app.ts";
import { addOpenApi } from "./http/openapi.ts";
import { loopbackHosts } from "./http/origins.ts";
import { plainSerializer } from "./http/serializers.ts";
import { usualTools } from "./mcp/usual-tools.ts";
import { addCancelAndResume } from "./routes/cancel-resume.ts";
import { addCatalogue } from "./routes/catalogue.ts";
import { addEpisodes } from "./routes/episodes.ts";
import { addEvents } from "./routes/events.ts";
import { addExperiments } from "./routes/experiments.ts";
import { addMcp } from "./routes/mcp.ts";
import { addProblems } from "./routes/problems.ts";
import { addRange } from "./routes/range.ts";
import type { RangeDeps } from "./routes/range-deps.ts";
import { addReports } from "./routes/reports.ts";
import { addSessionCalls } from "./routes/session-calls.ts";
import { addHeartbeat, addSessions } from "./routes/sessions.ts";
import { sweepSessions } from "./sessions/close-session.ts";
import { sessionLimits } from "./sessions/session-budgets.ts";
import type { SessionDeps } from "./sessions/session-deps.ts";

/** What a gateway works with. Nothing in it is closed when the gateway stops. */
export interface GatewayDeps {
  readonly bus: Bus;
  readonly state: Pick<State, "tokens" | "sessions" | "now" | "connected">;
  readonly catalogue: Catalogue;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly config: GatewayConfig;
}

/** A running gateway. Disposing it ends what is under way. */
export interface Gateway extends AsyncDisposable {
  /** Where it listens, e.g. `http://127.0.0.1:7070`. */
  readonly url: string;
}

/** All routes below this path. A change that old clients cannot live with gets another one. */
const version = "/v1";

/** Starts a gateway; any number of them may run at once. Throws `invalid-config`, and `listen-failed` if its port is taken. */
export async function startGateway(deps: GatewayDeps): Promise<Gateway> {
  const { bus, state, config } = deps;
  await using starting = new AsyncDisposableStack();
  const stopping = new AbortController();
  const hub = starting.use(await openEventHub(bus));
  const app = await openApp(deps);
  starting.defer(async () => {
    stopping.abort();
    await app.close();
  });
  addHealth(app, deps);
  await addOpenApi(app, config.GATEWAY_URL);
  const { tokens } = state;
  const limits = sessionLimits(config.GATEWAY_AGENT_SECONDS, config.GATEWAY_AGENT_CALLS);
  const range = { ...deps, limits, client: createRangeClient(bus), hub, tokens, signal: stopping.signal };
  const prefix = { prefix: version };
  await app.register(async (routes) => addRange(routes, range), prefix);
  const sessions: SessionDeps = {
    ...{ bus, client: range.client, hub, log: deps.log, catalogue: deps.catalogue },
    ...{ sessions: state.sessions, tokens, now: () => state.now(), limits },
  };
  starting.use(sweepSessions(sessions));
  await app.register(async (routes) => {
    addSessions(routes, sessions);
    addHeartbeat(routes, sessions);
    addSessionCalls(routes, sessions);
  }, prefix);
  await app.register(async (routes) =>
    addMcp(routes, { ...sessions, usualTools: usualTools(deps.catalogue) }),
  );
  await app.register(async (routes) => addResearch(routes, range), prefix);
  const url = await listen(app, config);
  deps.log.info({ url, docs: `${url}/docs` }, "listening");
  const owned = starting.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What only those may ask who may see everything: messages of the bus, which were checked there. */
function addResearch(app: App, range: RangeDeps): void {
  app.setSerializerCompiler(plainSerializer);
  addExperiments(app, range);
  addCancelAndResume(app, range);
  addReports(app, range);
  addEpisodes(app, range);
  addEvents(app, range);
  addProblems(app, range);
  addCatalogue(app, range);
}

function openApp({ config, state, log, metrics }: GatewayDeps): Promise<App> {
  const { GATEWAY_CERT_FILE: certFile, GATEWAY_KEY_FILE: keyFile, GATEWAY_URL: url } = config;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw terminal("invalid-config", "GATEWAY_CERT_FILE and GATEWAY_KEY_FILE go together; set both or none");
  return createApp({
    log,
    metrics,
    tokens: state.tokens,
    origins: {
      allowed: config.GATEWAY_ORIGINS ?? [],
      hosts: [...loopbackHosts, ...(url === undefined ? [] : [new URL(url).hostname])],
    },
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
    proxies: config.GATEWAY_PROXIES,
    mostConnections: config.GATEWAY_CONNECTIONS,
    mostRequests: config.GATEWAY_REQUESTS,
  });
}

async function listen(
  app: App,
  { GATEWAY_HOST: host, GATEWAY_PORT: port, ...config }: GatewayConfig,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const message = `the gateway cannot listen on ${host}, port ${port}: ${String(cause)}; choose another port (GATEWAY_PORT, or --gateway of \`microremed up\`)`;
    throw terminal("listen-failed", message, { host, port }, cause);
  }
  const { port: taken } = app.server.address() as AddressInfo;
  const scheme = config.GATEWAY_CERT_FILE === undefined ? "http" : "https";
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `${scheme}://${name.includes(":") ? `[${name}]` : name}:${taken}`;
}
