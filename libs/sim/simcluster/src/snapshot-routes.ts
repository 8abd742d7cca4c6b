import type { Route, RouteResponse } from "@microremed/sim-apiserver";
import type { NamedSnapshots } from "./named-snapshots.ts";

/** Where a cluster serves its snapshots. */
export const snapshotsPath = "/microremed/snapshots";

const json = (status: number, body: object): RouteResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: `${JSON.stringify(body)}\n`,
});

interface Named {
  readonly name: string;
  readonly salt?: string;
}

function readNamed(body: Uint8Array): Named | undefined {
  try {
    const { name, salt } = (JSON.parse(Buffer.from(body).toString("utf8")) ?? {}) as Record<string, unknown>;
    if (typeof name !== "string" || !/^[\w.-]{1,63}$/.test(name)) return undefined;
    if (salt === undefined) return { name };
    return typeof salt === "string" && salt.length <= 1000 ? { name, salt } : undefined;
  } catch {
    return undefined;
  }
}

/** The cluster's snapshots over HTTP, by name: list, take, go back. */
export function snapshotRoutes(snapshots: NamedSnapshots): readonly Route[] {
  const wrong = json(400, { error: 'the body must be JSON such as {"name": "baseline", "salt": "case 7"}' });

  const withName =
    (act: (named: Named) => RouteResponse): Route["handle"] =>
    async ({ body }) => {
      const named = readNamed(body);
      return named === undefined ? wrong : act(named);
    };
  const take = ({ name }: Named): RouteResponse => json(201, { name, ...snapshots.take(name) });
  const goBack = ({ name, salt }: Named): RouteResponse => {
    const snapshot = snapshots.restore(name, salt);
    return snapshot
      ? json(200, { name, ...snapshot })
      : json(404, { error: `no snapshot is called ${name}` });
  };
  const list = (): RouteResponse =>
    json(200, { restores: snapshots.restores(), snapshots: snapshots.list() });

  return [
    { method: "GET", path: snapshotsPath, handle: async () => list() },
    { method: "POST", path: snapshotsPath, handle: withName(take) },
    { method: "POST", path: `${snapshotsPath}/restore`, handle: withName(goBack) },
  ];
}
