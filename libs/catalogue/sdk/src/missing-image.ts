import type { Remedy } from "./remedy.ts";
import { setOther } from "./workload-change/remedies.ts";

/** The field of the target's container that says which program it runs. */
export const imageField = { of: "container", field: "image" } as const;

/** A shortcut of faults of images: asks for one that is nowhere. */
export const missingImage = (name: string, doc: string): Remedy => ({
  ...setOther(doc, imageField, "registry.internal.example/none:1"),
  name,
});
