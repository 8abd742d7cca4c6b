import type { Route, RouteResponse } from "@microremed/sim-apiserver";
import type { PumpedEventLoop } from "@microremed/sim-time";

export const clockPath = "/microremed/clock";

/** Longest sleep in one request, ms of cluster time. */
const maxSleepMs = 3_600_000;

const json = (status: number, body: object): RouteResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: `${JSON.stringify(body)}\n`,
});

function parseSleep(body: Uint8Array): { readonly ms: number } | { readonly error: string } {
  let ms: unknown;
  try {
    ms = (JSON.parse(Buffer.from(body).toString("utf8")) as { ms?: unknown } | null)?.ms;
  } catch {
    return { error: 'the body must be JSON such as {"ms": 1000}' };
  }
  if (typeof ms === "number" && ms >= 0 && ms <= maxSleepMs) return { ms };
  return { error: `ms must be a number from 0 to ${maxSleepMs}` };
}

/** The cluster's clock over HTTP: what time it is, sleeping in cluster time, and holding it at its time scale. */
export function clockRoutes(loop: PumpedEventLoop): readonly Route[] {
  const present = (): object => ({ now: loop.now(), timeScale: loop.timeScale });

  async function* held(signal: AbortSignal): AsyncGenerator<string> {
    const release = loop.hold();
    try {
      yield "\n";
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    } finally {
      release();
    }
  }

  return [
    { method: "GET", path: clockPath, handle: async () => json(200, present()) },
    {
      method: "POST",
      path: `${clockPath}/sleep`,
      handle: async ({ body, signal }) => {
        const wanted = parseSleep(body);
        if ("error" in wanted) return json(400, wanted);
        const release = loop.hold();
        try {
          await loop.sleep(wanted.ms, signal);
        } catch {
          return json(499, { error: "the client went away" });
        } finally {
          release();
        }
        return json(200, present());
      },
    },
    {
      method: "GET",
      path: `${clockPath}/hold`,
      handle: async ({ signal }) => ({ status: 200, body: held(signal) }),
    },
  ];
}
