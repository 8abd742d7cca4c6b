import type { KubeObject } from "@microremed/cluster";
import type { Change } from "@microremed/contracts";
import type { Difference } from "./difference.ts";
import { digestOf } from "./digest.ts";
import { changedFields, pathText } from "./fields.ts";
import { identityOf } from "./inventory.ts";
import { normalise } from "./normalise.ts";

/** How objects depart from a record: identity -> digest. */
export type Departures = Readonly<Record<string, string>>;

/** The digest of an object in the record that is not there. */
export const absent = "absent";

/** What departed from the record at one moment. */
export function departuresOf({ extra, missing, changed }: Difference): Departures {
  return Object.fromEntries([
    ...extra.map((object) => [identityOf(object), digestOf(object)]),
    ...changed.map(({ live }) => [identityOf(live), digestOf(live)]),
    ...missing.map((object) => [identityOf(object), absent]),
  ]);
}

/** The fields of changed objects as they are: identity -> path -> value, `absent` where the field is gone. */
export function fieldsOf({ changed }: Difference): Record<string, Record<string, string>> {
  return Object.fromEntries(
    changed.map(({ recorded, live }: { recorded: KubeObject; live: KubeObject }) => [
      identityOf(recorded),
      Object.fromEntries(
        changedFields(recorded, normalise(live)).map((field) => [pathText(field), field.to ?? absent]),
      ),
    ]),
  );
}

/** What changed outside of the arena; who made it so is not known on a cluster that others use too. */
export function changesOutside(before: Departures, now: Departures): Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].flatMap((object): Change[] => {
    const [was, is] = [before[object], now[object]];
    if (was === is) return [];
    const what = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ where: "cluster", what, object, detail: "", class: classOutside(object) }];
  });
}

/** `kind/name` is of no namespace: a right, or something that all pods depend on. */
function classOutside(object: string): "privilege" | "outside" {
  const [, namespace, name] = object.split("/");
  if (name === undefined) return "privilege";
  return namespace?.startsWith("kube-") || namespace === "chaos-mesh" ? "privilege" : "outside";
}
