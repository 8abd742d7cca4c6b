import type { Bus } from "@microremed/bus";
import type { State } from "@microremed/state";
import type { App } from "./app.types.ts";

/** What the gateway cannot do without. */
interface Backbones {
  readonly bus: Pick<Bus, "connected">;
  readonly state: Pick<State, "connected">;
}

/**
 * `/healthz` (it answers) and `/readyz` (NATS and Redis are there) where the range is asked, without a token: load balancers and people
 * ask there. As on the service's own port, without its metrics.
 */
export function addHealth(app: App, { bus, state }: Backbones): void {
  const add = (url: string, troubles: () => readonly string[]): void =>
    void app.route({
      config: { access: "anyone" },
      method: "GET",
      url,
      schema: { hide: true },
      handler: async (_, reply) => {
        const found = troubles();
        const text = found.length === 0 ? "ok" : found.join("\n");
        return reply
          .code(found.length === 0 ? 200 : 503)
          .type("text/plain")
          .serializer(String)
          .send(`${text}\n` as never);
      },
    });
  add("/healthz", () => []);
  add("/readyz", () => [
    ...(bus.connected ? [] : ["NATS is away"]),
    ...(state.connected ? [] : ["Redis is away"]),
  ]);
}
