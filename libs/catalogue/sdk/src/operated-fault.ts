import type { Kind } from "@microremed/cluster";
import { waitFor } from "@microremed/core";
import type { z } from "zod";
import type { Environment } from "./environment/environment.types.ts";
import type { CauseLabels, Evidence, Finding } from "./evidence/evidence.ts";
import type { FaultContext, TruthContext, WithParameters } from "./fault.ts";
import { type FieldChange, runningValue } from "./field-change.ts";
import { fieldFault } from "./field-fault.ts";
import { readReconciled } from "./measurements/reconciled.ts";
import { mergeCommand, parametersOf, patchCommand, type Remedy, type RemedyContext } from "./remedy.ts";
import type { Runbook } from "./runbook.ts";
import { targetOf } from "./target.ts";
import { workloadsWhere } from "./target-selectors.ts";

/** The custom resource that says what a workload is to be. */
export interface Operated extends Kind {
  readonly name: string;
  /** Where the workload is in it, as a JSON pointer. */
  readonly part: string;
  /** The workload that runs the operator. */
  readonly by: string;
}

/** Of a workload that an operator of the system makes; undefined: none does. */
export function operatedOf(environment: Environment, workload: string): Operated | undefined {
  const { operated } = environment.workloads[workload] ?? {};
  const { kind, name } = operated ?? {};
  const found = environment.manifests.find((one) => one.kind === kind && one.metadata.name === name);
  return operated && found && { ...operated, apiVersion: found.apiVersion };
}

/** The target's custom resource. Throws where it has none: it is no target then. */
export function operatedTarget({
  environment,
  target,
}: Pick<TruthContext, "environment" | "target">): Operated {
  const operated = operatedOf(environment, targetOf(environment, target)?.name ?? "");
  if (!operated) throw new Error(`no operator of ${environment.name} makes ${target}`);
  return operated;
}

/** A field below a workload's part of its custom resource, declared there. */
const declaredAt = (environment: Environment, { part, ...resource }: Operated, field: string): unknown =>
  runningValue(environment, { kind: resource, name: resource.name, path: `${part}${field}` });

/** Workloads that an operator makes, whose custom resource has a field (a JSON pointer from their part on). */
export const operatedWorkloads = (
  field: string,
  check: (declared: unknown) => string | undefined = () => undefined,
) =>
  workloadsWhere(({ name }, environment) => {
    const operated = operatedOf(environment, name);
    if (!operated) return `no operator of ${environment.name} makes ${name}`;
    const declared = declaredAt(environment, operated, field);
    if (declared === undefined && field !== "")
      return `${operated.kind} ${operated.name} has nothing at ${operated.part}${field}`;
    return check(declared);
  });

interface OperatedFault<S extends z.ZodObject> extends CauseLabels {
  readonly parameters: S;
  /** JSON pointer from the workload's part of the custom resource on. */
  readonly field: string;
  readonly wrong: (parameters: z.output<S>) => unknown;
  readonly explanation: (context: TruthContext & WithParameters<z.output<S>>) => string;
  readonly evidence: (labels: CauseLabels) => Evidence;
}

const changeOf = (
  context: Pick<TruthContext, "environment" | "target">,
  field: string,
  wrong: unknown,
): FieldChange => {
  const { part, name, apiVersion, kind } = operatedTarget(context);
  return { kind: { apiVersion, kind }, name, path: `${part}${field}`, wrong };
};

/** Cluster time, ms: pods that are too many end one by one. */
const followsWithinMs = 300_000;

/** Waits until the operator says of the target's custom resource that it is Ready; at once where it says nothing, or is not there. */
async function awaitReconciled(context: FaultContext): Promise<void> {
  const { cluster, namespace, signal } = context;
  const { name, kind, apiVersion } = operatedTarget(context);
  const what = `${kind} ${name} to be reconciled`;
  const wait = { clock: cluster.clock, what, timeoutMs: followsWithinMs, intervalMs: 1_000 };
  await waitFor({ ...wait, ...(signal && { signal }) }, async () => {
    const found = await cluster.get({ apiVersion, kind }, namespace, name);
    return !found || readReconciled({ ...found, kind }).every(({ why }) => why === undefined) || undefined;
  });
}

/** What a fault does that gives a field of a custom resource a value which its operator cannot bring about. */
export function operatedFault<S extends z.ZodObject>({ field, wrong, ...fault }: OperatedFault<S>) {
  const change = (context: TruthContext & WithParameters<z.output<S>>) =>
    changeOf(context, field, wrong(context.parameters));
  const parts = fieldFault({ ...fault, changes: (context) => [change(context)] });
  const owned = (context: RemedyContext) =>
    change({ ...context, parameters: parametersOf(fault.parameters, context) });
  return {
    ...parts,
    /** Until the operator has brought about what is right again. */
    async remove(context: FaultContext & WithParameters<z.output<S>>): Promise<void> {
      await parts.remove(context);
      await awaitReconciled(context);
    },
    repairs: [...parts.repairs, applyPart(owned)],
    runbook: setInResource,
    withoutTwin:
      "the fields of a custom resource are few, and another value of one has its operator replace pods that keep data, which users notice",
    /** Gives the field another value, which is as wrong. */
    setWrong: (name: string, doc: string, value: unknown): Remedy => ({
      name,
      doc,
      commands: (context) => {
        const { kind, name: resource, path } = owned(context);
        return [patchCommand(context, kind, resource, [{ op: "add", path, value }])];
      },
    }),
  };
}

/** The same by a merge patch, as people edit a custom resource. */
const applyPart = (changeIn: (context: RemedyContext) => FieldChange): Remedy => ({
  name: "merge-part",
  doc: "gives the custom resource the part back that it had, by a merge patch",
  commands: (context) => {
    const { kind, name, path } = changeIn(context);
    const { part } = operatedTarget(context);
    const [, top = ""] = path.slice(part.length).split("/");
    const pointer = `${part}/${top}`;
    const declared = runningValue(context.environment, { kind, name, path: pointer }) ?? null;
    return [mergeCommand(context, kind, name, pointer, declared)];
  },
});

const setInResource: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get statefulsets -o wide`,
  act: ({ namespace, target, finding }) => ({
    title: `Give the custom resource of ${target} a value that its operator can bring about`,
    commands: finding ? [mendCommand(namespace, finding)] : ["true"],
  }),
};

/** A patch that gives the field of a finding the value that would be right. */
export function mendCommand(namespace: string, { object, field, right }: Finding): string {
  const path = `/${field.replaceAll(/\[(\d+)\]/g, "/$1").replaceAll(".", "/")}`;
  const operation =
    right === "none" ? { op: "remove", path } : { op: "replace", path, value: readValue(right) };
  return patchCommand({ namespace }, object, object.name, [operation]);
}

const readValue = (text: string): unknown => (/^-?\d+$/.test(text) ? Number(text) : text);
