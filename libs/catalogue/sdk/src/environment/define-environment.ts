import { terminal } from "@microremed/core";
import type { z } from "zod";
import type { Environment } from "./environment.types.ts";
import { Model } from "./format.ts";
import { LoadSpec } from "./load-format.ts";
import { makeEnvironment } from "./make-environment.ts";
import type { Manifest } from "./manifest.ts";
import { inOrder } from "./read-manifests.ts";
import { shapeProblems } from "./shape-problems.ts";

/** An environment in code: what its three files would hold. */
export interface EnvironmentDefinition {
  readonly manifests: readonly Manifest[];
  /** Default: none. */
  readonly made?: readonly Manifest[];
  readonly model: z.input<typeof Model>;
  readonly workload: z.input<typeof LoadSpec>;
}

const defined = new WeakSet<object>();

/** Declares an environment in code. Throws `invalid-environment` that names every wrong place. */
export function defineEnvironment({
  manifests,
  made: ofOperators = [],
  ...files
}: EnvironmentDefinition): Environment {
  const model = Model.safeParse(files.model);
  const workload = LoadSpec.safeParse(files.workload);
  if (!model.success || !workload.success)
    throw invalid([
      ...(model.error
        ? shapeProblems({ error: model.error, value: files.model, schema: Model, at: placeIn("model") })
        : []),
      ...(workload.error
        ? shapeProblems({
            error: workload.error,
            value: files.workload,
            schema: LoadSpec,
            at: placeIn("workload"),
          })
        : []),
    ]);
  const made = makeEnvironment({
    manifests: inOrder(manifests),
    made: inOrder(ofOperators),
    model: model.data,
    workload: workload.data,
  });
  if (Array.isArray(made)) throw invalid(made);
  defined.add(made);
  return made;
}

/** Whether a value is what `defineEnvironment` has made. */
export const isDefinedEnvironment = (value: unknown): value is Environment =>
  typeof value === "object" && value !== null && defined.has(value);

const placeIn = (whole: string) => (field: string) => (field === "" ? whole : `${whole}, ${field}`);

const invalid = (problems: readonly string[]) =>
  terminal("invalid-environment", `not an environment:\n${problems.map((one) => `  - ${one}`).join("\n")}`, {
    problems,
  });
