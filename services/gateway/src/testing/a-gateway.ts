import type { Bus } from "@microremed/bus";
import type { TokenRecord, TokenScope } from "@microremed/contracts";
import { type Logger, silentLogger } from "@microremed/core";
import { loadCatalogue } from "@microremed/registry";
import { createMetrics, parseConfig } from "@microremed/service-kit";
import { newToken, type State } from "@microremed/state";
import { gatewayConfig } from "../config.ts";
import { startGateway } from "../service.ts";

/** A range's bus and state as a test has them: in memory, or real servers. */
export interface Backbone extends AsyncDisposable {
  /** With all rights, for what a test does beside the gateway. */
  readonly bus: Bus;
  readonly state: State;
  /** Connections of a gateway, with its rights. */
  connect(): Promise<{ readonly bus: Bus; readonly state: State }>;
}

/** Asks a gateway with a token. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** A running gateway, and ways to ask it. */
export interface GatewayUnderTest extends AsyncDisposable {
  readonly url: string;
  /** With a new token of the scope. */
  as(
    scope: TokenScope,
    changes?: Partial<TokenRecord>,
  ): Promise<Ask & { readonly token: TokenRecord; readonly text: string }>;
  /** Without a token. */
  readonly anonymously: Ask;
  /** Lines of the audit log. */
  readonly audit: readonly Readonly<Record<string, unknown>>[];
  /** Everything that was logged, as text. */
  logged(): string;
  metrics(): Promise<string>;
}

const catalogue = loadCatalogue();
let tokens = 0;

/** Starts a gateway with the catalogue of the repository. `env`: its variables. */
export async function aGateway(
  backbone: Backbone,
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayUnderTest> {
  await using started = new AsyncDisposableStack();
  const lines: Record<string, unknown>[] = [];
  const keep = (fields: object, message: string): void => void lines.push({ ...fields, message });
  const log: Logger = { ...silentLogger, info: keep, warn: keep, error: keep };
  const metrics = createMetrics("gateway");
  const { bus, state } = await backbone.connect();
  started.use(state);
  started.use(bus);
  const gateway = started.use(
    await startGateway({
      ...{ bus, state },
      catalogue: await catalogue,
      config: parseConfig(gatewayConfig, { GATEWAY_PORT: "0", ...env }),
      ...{ log, metrics },
    }),
  );
  const askWith =
    (headers: Readonly<Record<string, string>>): Ask =>
    (path, init = {}) =>
      fetch(`${gateway.url}${path}`, {
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
      });
  const owned = started.move();
  return {
    url: gateway.url,
    anonymously: askWith({}),
    as: async (scope, changes = {}) => {
      const { id, text, secretHash } = newToken();
      const limits = {
        expiresAt: null,
        requestsPerMinute: 60_000,
        mostSessions: 4,
        problemsPerHour: 100_000,
        opens: true,
      };
      const name = `holder-${tokens++}`;
      const token: TokenRecord = { ...{ id, scope, name, secretHash, createdAt: 1, ...limits }, ...changes };
      await backbone.state.tokens.put(token);
      return Object.assign(askWith({ authorization: `Bearer ${text}` }), { token, text });
    },
    get audit() {
      return lines.filter((line) => line["audit"] === true);
    },
    logged: () => JSON.stringify(lines),
    metrics: () => metrics.registry.metrics(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The body of a request that sends JSON. */
export const json = (body: unknown, method = "POST"): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});
