import type { ContainerSpec } from "./environment/environment.types.ts";

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
