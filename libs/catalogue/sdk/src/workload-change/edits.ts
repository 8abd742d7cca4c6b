import type { Environment } from "../environment/format.ts";
import { renderManifests } from "../environment/render-manifests.ts";
import type { Place } from "../target.ts";

/** One field of a workload that a fault gives a wrong value. */
export interface Edit {
  /** Whose field it is: the workload's `spec`, its pods' `spec`, or that of the target's container. */
  readonly of: "workload" | "pod" | "container";
  /** Name of the field there, such as `nodeSelector`. The whole field is replaced. */
  readonly field: string;
  /** Quantities in the API server's spelling. What it adds to an object may be left out. */
  readonly wrong: unknown;
}

/** The edit as a path of the ground truth: `spec.template.spec.containers[name=web].resources`. */
export function fieldText({ of, field }: Pick<Edit, "of" | "field">, container: string): string {
  if (of === "workload") return `spec.${field}`;
  if (of === "pod") return `spec.template.spec.${field}`;
  return `spec.template.spec.containers[name=${container}].${field}`;
}

/** JSON pointer to the edited field; `index`: of the container. */
export function pointerTo({ of, field }: Pick<Edit, "of" | "field">, index: number): string {
  if (of === "workload") return `/spec/${field}`;
  if (of === "pod") return `/spec/template/spec/${field}`;
  return `/spec/template/spec/containers/${index}/${field}`;
}

/** What the environment declares in the edited field; undefined: it leaves the field out. */
export function declaredValue(
  environment: Environment,
  { name, workload, container }: Place,
  { of, field }: Pick<Edit, "of" | "field">,
): unknown {
  const manifest = renderManifests(environment, { namespace: environment.namespace }).find(
    ({ kind, metadata }) => kind === workload.kind && metadata.name === name,
  );
  const spec = manifest?.["spec"] as Declared | undefined;
  if (of === "workload") return spec?.[field];
  const pod = spec?.template.spec;
  if (of === "pod") return pod?.[field];
  return pod?.containers.find((one) => one["name"] === container.name)?.[field];
}

interface Declared {
  readonly template: {
    readonly spec: {
      readonly containers: readonly Readonly<Record<string, unknown>>[];
      readonly [field: string]: unknown;
    };
  };
  readonly [field: string]: unknown;
}
