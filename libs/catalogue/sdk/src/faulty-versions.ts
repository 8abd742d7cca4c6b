import { z } from "zod";
import type { ContainerSpec } from "./environment/environment.types.ts";
import { imageField } from "./missing-image.ts";
import type { Strength } from "./strength.ts";
import { targetOf } from "./target.ts";
import type { Edit } from "./workload-change/edits.ts";

/** What a version may do wrong: fail requests, or not give connections back. */
export type VersionDefect = "errors" | "leak";

/** Images of other versions of a container's program that have the defect, in the order of the model. */
export const faultyVersions = ({ behaviour }: ContainerSpec, defect: VersionDefect): string[] =>
  Object.entries(behaviour.versions ?? {}).flatMap(([image, { errors, calls }]) => {
    const has = defect === "errors" ? errors : calls.some(({ leak }) => leak !== undefined);
    return has ? [image] : [];
  });

/** One of these, from 0; the first where there are fewer, "" where there are none. */
export const faultyVersion = (container: ContainerSpec, defect: VersionDefect, release: number): string =>
  faultyVersions(container, defect)[release] ?? faultyVersions(container, defect)[0] ?? "";

const parameters = z.object({
  release: z.int().min(0).max(9).default(0).describe("which of the versions that the model has, from 0"),
});

/** A fault that releases a version with the defect: its parameters, its strengths, and the field that it changes. */
export function releaseOf(defect: VersionDefect) {
  const second: Strength = {
    name: "second release",
    parameters: { release: 1 },
    applies: ({ environment, target }) => {
      const place = targetOf(environment, target);
      return place !== undefined && faultyVersions(place.container, defect).length > 1;
    },
  };
  const edit: Edit<z.output<typeof parameters>> = {
    ...imageField,
    wrong: (context, { container }) => faultyVersion(container, defect, context.parameters.release),
  };
  return { parameters, strengths: [second], edit } as const;
}
