import { isJsonObject, parseJson } from "@microremed/core";
import { shellCall } from "./common-calls.ts";
import type { CauseLabels, Evidence, EvidenceCall, Finding } from "./evidence.ts";

/** Each StatefulSet with what made it. */
const makers = shellCall(
  `kubectl get statefulsets -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}{"\\n"}{end}'`,
);
/** Custom resources that are read. */
const mostResources = 4;

/** A custom resource that StatefulSets were made of, as the tools show it. */
export interface ShownResource {
  readonly object: { readonly kind: string; readonly name: string };
  /** Parts of its spec that are about one workload each, by their names. */
  readonly parts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What its operator says of it. */
  readonly message: string;
  /** The StatefulSets that were made of it. */
  readonly workloads: readonly string[];
}

/** A field of one part that is wrong. */
export interface WrongPart {
  readonly workload: string;
  /** From the part on, such as `tolerations[0].effect`. */
  readonly field: string;
  readonly wrong: string;
  readonly right: string;
}

const readIt = ({ kind, name }: ShownResource["object"]): EvidenceCall =>
  shellCall(
    `kubectl get ${kind.toLowerCase()} ${name} -o jsonpath='{.spec}{"\\n"}{.status.conditions[*].message}'`,
  );

/**
 * Evidence in the custom resources of a system's own operators. `more`: a call whose answer `find` needs too; the workload of a
 * finding is a StatefulSet, and its part the one by whose name its own ends.
 */
export const operatedEvidence = (
  labels: CauseLabels,
  find: (resource: ShownResource, more: string) => readonly WrongPart[],
  more?: EvidenceCall,
): Evidence => ({
  next([made, ...answers]) {
    if (made === undefined) return makers;
    const owned = ownersIn(made);
    const next = [...owned.map(({ object }) => readIt(object)), ...(more && owned.length > 0 ? [more] : [])][
      answers.length
    ];
    if (next) return next;
    const resources = owned.flatMap((one, index) => shownIn(one, answers[index] ?? ""));
    return resources.flatMap((resource) =>
      find(resource, answers[owned.length] ?? "").map((found) => findingOf(resource, found, labels)),
    );
  },
});

type Owned = Pick<ShownResource, "object" | "workloads">;

function ownersIn(text: string): Owned[] {
  const lines = [...text.matchAll(/^([a-z0-9.-]+) ([A-Z]\w*)\/([a-z0-9.-]+)$/gm)];
  const byOwner = Map.groupBy(lines, ([, , kind, name]) => `${kind}/${name}`);
  return [...byOwner.values()].slice(0, mostResources).map((all) => ({
    object: { kind: all[0]?.[2] ?? "", name: all[0]?.[3] ?? "" },
    workloads: all.map(([, workload = ""]) => workload),
  }));
}

/** Empty: it cannot be read. */
function shownIn(owned: Owned, text: string): ShownResource[] {
  const [, spec, ...said] = /^(?:exit code \d+\n)?(\{.*\})\n?([\s\S]*)$/.exec(text) ?? [];
  const read = spec === undefined ? undefined : parseJson(spec);
  if (!isJsonObject(read)) return [];
  const parts = Object.entries(read).filter((entry): entry is [string, Record<string, unknown>] =>
    isJsonObject(entry[1]),
  );
  return [{ ...owned, parts: Object.fromEntries(parts), message: said.join("\n") }];
}

/** The name of a workload's part. */
export const partOf = ({ parts }: ShownResource, workload: string): string | undefined =>
  Object.keys(parts).find((part) => workload.endsWith(`-${part}`));

/** The same field of the other parts: what most of them have, or the first. Undefined: none has it. */
export function usualValue(
  { parts }: ShownResource,
  part: string,
  read: (part: Readonly<Record<string, unknown>>) => unknown,
): unknown {
  return Object.entries(parts)
    .filter(([name]) => name !== part)
    .map(([, one]) => read(one))
    .find((value) => value !== undefined);
}

function findingOf(
  resource: ShownResource,
  { workload, field, wrong, right }: WrongPart,
  labels: CauseLabels,
): Finding {
  const part = partOf(resource, workload) ?? "";
  const { object } = resource;
  return { object, field: `spec.${part}.${field}`, wrong, right, workload, seen: "cause", ...labels };
}

/**
 * A field of a custom resource whose value the API server refuses in what its operator makes of it. `fieldFor`: the field of the
 * part, and its value in a part, by the field that the operator says to be refused; undefined: it is another one.
 */
export const refusedPart = (
  labels: CauseLabels,
  fieldFor: (
    refused: string,
  ) => { readonly field: string; read(part: Readonly<Record<string, unknown>>): unknown } | undefined,
): Evidence =>
  operatedEvidence(labels, (resource) => {
    const [, workload = "", refused = ""] =
      /StatefulSet\.apps \\?"([^"\\]+)\\?" is invalid: (?:\[)?(spec\.[\w.[\]]+):/.exec(resource.message) ??
      [];
    const part = partOf(resource, workload);
    const found = fieldFor(refused);
    if (part === undefined || !found) return [];
    const { field, read } = found;
    const words = (value: unknown): string => (value === undefined ? "none" : String(value));
    return [
      {
        workload,
        field,
        wrong: words(read(resource.parts[part] ?? {})),
        right: words(usualValue(resource, part, read)),
      },
    ];
  });
