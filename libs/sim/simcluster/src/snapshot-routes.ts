import type { Route, RouteResponse } from "@microremed/sim-apiserver";
import type { Snapshot } from "./moments.ts";
import type { World } from "./world.ts";

const snapshotsPath = "/microremed/snapshots";

/** More would keep too many past states alive; the oldest goes first. */
const most = 32;

const json = (status: number, body: object): RouteResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: `${JSON.stringify(body)}\n`,
});

function nameIn(body: Uint8Array): string | undefined {
  try {
    const name = (JSON.parse(Buffer.from(body).toString("utf8")) as { name?: unknown } | null)?.name;
    return typeof name === "string" && /^[\w.-]{1,63}$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/** The cluster's snapshots over HTTP, by name: list, take, go back. */
export function snapshotRoutes(world: Pick<World, "snapshot" | "restore">): readonly Route[] {
  const taken = new Map<string, Snapshot>();
  const wrongName = json(400, { error: 'the body must be JSON such as {"name": "baseline"}' });

  function take(name: string): RouteResponse {
    const snapshot = world.snapshot();
    taken.delete(name);
    taken.set(name, snapshot);
    const [oldest] = taken.keys();
    if (taken.size > most && oldest !== undefined) taken.delete(oldest);
    return json(201, { name, ...snapshot });
  }

  function goBack(name: string): RouteResponse {
    const snapshot = taken.get(name);
    if (!snapshot) return json(404, { error: `no snapshot is called ${name}` });
    world.restore(snapshot);
    return json(200, { name, ...snapshot });
  }

  const withName =
    (act: (name: string) => RouteResponse): Route["handle"] =>
    async ({ body }) => {
      const name = nameIn(body);
      return name === undefined ? wrongName : act(name);
    };
  const list = (): RouteResponse =>
    json(200, { snapshots: [...taken].map(([name, snapshot]) => ({ name, ...snapshot })) });

  return [
    { method: "GET", path: snapshotsPath, handle: async () => list() },
    { method: "POST", path: snapshotsPath, handle: withName(take) },
    { method: "POST", path: `${snapshotsPath}/restore`, handle: withName(goBack) },
  ];
}
