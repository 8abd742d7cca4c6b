import { readKnownStores } from "@microremed/inventory";
import type { IncidentPart } from "@microremed/verification";
import type { ArenaContext } from "./arena.ts";
import { noteRenewed, noting } from "./noting.ts";

/** Makes the changes that come with a fault and are right, and notes them as the system's: judges compare with them. */
export async function renewSystem(
  arena: ArenaContext,
  { judged, context }: Omit<IncidentPart, "number">,
): Promise<void> {
  const { renew } = judged.fault;
  if (!renew) return;
  const { cluster, namespace, environment } = arena;
  const before = await readKnownStores(cluster, namespace, environment);
  await noting(arena, "setting", () => renew(context));
  const { states } = await readKnownStores(cluster, namespace, environment);
  const isOther = ([place, state]: readonly [string, unknown]): boolean =>
    JSON.stringify(state) !== JSON.stringify(before.states[place]);
  await noteRenewed(arena, Object.fromEntries(Object.entries(states).filter(isOther)));
}
