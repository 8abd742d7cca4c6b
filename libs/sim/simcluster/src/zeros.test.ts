import { decode, modelOf, storageOf } from "@microremed/sim-kinds";
import { jsonEqual, type Loose } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { servedKinds } from "./served-kinds.ts";
import { deployedWorld } from "./testing/deployed-world.ts";

/** The paths at which two values differ. */
function differences(one: Loose, other: Loose, path = ""): string[] {
  // A time that was not set is null.
  if (jsonEqual(one, other) || (one === null && other === undefined)) return [];
  const areObjects = one !== null && other !== null && typeof one === "object" && typeof other === "object";
  if (!areObjects) return [path];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    differences(one[key], other[key], `${path}.${key}`),
  );
}

test("no controller stores what the API server would leave out of the next write", () => {
  using world = deployedWorld("online-boutique");
  const changed = new Set<string>();
  let seen = 0;
  for (const type of servedKinds) {
    const model = modelOf(type);
    if (model === undefined || type.stored) continue;
    for (const object of world.store.list(storageOf(type))) {
      seen += 1;
      for (const path of differences(object, decode(model, object).value)) changed.add(`${type.kind}${path}`);
    }
  }
  expect([...changed]).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});
