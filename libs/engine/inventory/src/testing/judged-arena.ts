import type { KubeObject } from "@microremed/cluster";
import type { Change } from "@microremed/contracts";
import { environments } from "@microremed/environments";
import { compareArena } from "../compare-arena.ts";
import type { Mark } from "../mark.ts";
import { markOf } from "../mark-of.ts";
import type { ArenaObjects } from "../read-arena.ts";
import type { ArenaRecord } from "../record.ts";
import { anArena, changed, partOf, recordOf, withObject } from "./an-arena.ts";

/** An object, to be changed in place. */
export type Loose = Record<string, unknown>;

/** Sets fields of an object. */
export const set =
  (fields: object) =>
  (object: Loose): Loose =>
    Object.assign(object, fields);

export const environment = environments.get("online-boutique");
export const target = "cartservice";
export const healthy = anArena(environment);
export const record = recordOf(healthy);

export const chaos = (name = "cpu-stress", spec: object = {}, kind = "StressChaos"): KubeObject => ({
  apiVersion: "chaos-mesh.org/v1alpha1",
  kind,
  metadata: { name, uid: `uid-${name}` },
  spec,
});

/** The healthy arena right after the injection of a fault. */
export const stress = withObject(healthy, chaos("cpu-stress", { stressors: { cpu: { load: 80 } } }));

export const mark = (
  injected: ArenaObjects = stress,
  of: ArenaRecord = record,
  alsoFailed: Pick<Mark, "alsoFailed" | "resourcesOf"> = { alsoFailed: [], resourcesOf: [] },
  causes: readonly string[] = ["StressChaos"],
  failure = "cpu-stress",
): Mark =>
  markOf(
    {
      failure,
      target,
      fence: 1,
      injectedAt: 0,
      expiresAt: null,
      nodes: ["a"],
      ...alsoFailed,
      causes: causes.map((kind) => ({ apiVersion: "chaos-mesh.org/v1alpha1", kind })),
    },
    environment,
    of,
    injected,
    {},
  );

interface Judged {
  /** How it was right after the injection. */
  readonly injected?: ArenaObjects;
  readonly target?: string;
  readonly resourcesMayDiffer?: boolean;
  /** Workloads of further faults, and those of them whose resources are what is wrong. */
  readonly further?: Pick<Mark, "alsoFailed" | "resourcesOf">;
  readonly record?: ArenaRecord;
  /** Kinds of the fault's own objects. */
  readonly causes?: readonly string[];
}

/** What differs in an arena from its record. */
export function changesOf(arena: ArenaObjects, judged: Judged = {}): Change[] {
  const { injected = stress, resourcesMayDiffer = false, record: of = record } = judged;
  return compareArena(
    {
      environment,
      target: judged.target ?? target,
      record: of.objects,
      mark: mark(injected, of, judged.further, judged.causes),
      resourcesMayDiffer,
    },
    arena,
  );
}

/** What an arena's changes mean: class and object. */
export const classes = (arena: ArenaObjects, judged: Judged = {}): string[] =>
  changesOf(arena, judged).map((change) => `${change.class} ${change.object}`);

/** The classes alone, each once. */
export const kindsOfChange = (arena: ArenaObjects, judged: Judged = {}): (string | undefined)[] => [
  ...new Set(changesOf(arena, judged).map((change) => change.class)),
];

/** The healthy arena, or another, with one object changed. */
export const change = (identity: string, edit: (object: Loose) => void, arena = healthy): ArenaObjects =>
  changed(arena, identity, edit);

/** With the spec of a Deployment changed. */
export const deployment = (name: string, edit: (spec: Loose) => void, arena = healthy): ArenaObjects =>
  change(`Deployment/${name}`, (object) => edit(partOf(object, "spec")), arena);

/** With a Deployment's template changed, and its pod in the same way. */
export const template = (name: string, edit: (spec: Loose) => void, arena = healthy): ArenaObjects => {
  const inTemplate = deployment(name, (spec) => edit(partOf(spec, "template", "spec")), arena);
  return changed(inTemplate, `Pod/${name}`, (pod) => edit(partOf(pod, "spec")));
};

/** With the first container of a Deployment and of its pod changed. */
export const container = (name: string, edit: (container: Loose) => void, arena = healthy): ArenaObjects =>
  template(name, (spec) => edit(partOf(spec, "containers", 0)), arena);

/** With the metadata of one object changed. */
export const metadata = (identity: string, fields: object, arena = healthy): ArenaObjects =>
  change(identity, (object) => Object.assign(partOf(object, "metadata"), fields), arena);

/** With one more object, `x`. */
export const extra = (
  apiVersion: string,
  kind: string,
  spec: object = {},
  fields: object = {},
): ArenaObjects => withObject(healthy, { apiVersion, kind, metadata: { name: "x", ...fields }, spec });

/** With an object around the arena. */
export const around = (object: KubeObject): ArenaObjects => ({ ...healthy, around: [object] });
