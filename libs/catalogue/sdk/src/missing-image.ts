import { z } from "zod";
import type { Draw } from "./drawn/draw.ts";
import { otherTag } from "./drawn/values.ts";
import type { Remedy } from "./remedy.ts";
import { targetOf } from "./target.ts";
import { setOther } from "./workload-change/remedies.ts";

/** The field of the target's container that says which program it runs. */
export const imageField = { of: "container", field: "image" } as const;

/** A shortcut of faults of images: asks for one that is nowhere. */
export const missingImage = (name: string, doc: string): Remedy => ({
  ...setOther(doc, imageField, "registry.internal.example/none:1"),
  name,
});

/** A parameter of faults of images: a tag. */
export const imageTag = z.string().regex(/^\w[\w.-]{0,127}$/);

const withoutDigest = (image: string): string => image.split("@")[0] ?? "";

/** Draws a tag that the image of the target's container might have, and has not. */
export const drawnTag: Draw<string> = (rng, { environment, target }) => {
  const image = withoutDigest(targetOf(environment, target)?.container.image ?? "");
  return otherTag(/:([^/]+)$/.exec(image)?.[1] ?? "latest", rng);
};

/** The same image by another tag. */
export const withTag = (image: string, tag: string): string =>
  `${withoutDigest(image).replace(/:[^/]+$/, "")}:${tag}`;
