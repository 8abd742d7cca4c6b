import { type KubeObject, randomSuffix } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { chaosAdmission } from "../admission/admission.ts";
import { chaosKinds } from "../kinds/chaos-kinds.ts";
import { createChaosRecorder } from "../model/chaos-events.ts";
import { type ChaosDeps, type ChaosKind, chaosGroup } from "../model/chaos-kind.types.ts";
import { pauseAnnotation } from "../model/conditions.ts";
import { chaosRef } from "../model/refs.ts";
import { type ChaosCron, fires, parseChaosCron } from "../schedule/chaos-cron.ts";
import {
  beyondHistory,
  childReference,
  isFinishedChild,
  managedBy,
  scheduledChild,
} from "../schedule/scheduled-child.ts";

const schedules = chaosRef("schedules");
const tickMs = 1000;
const admin = {
  name: "system:serviceaccount:chaos-mesh:chaos-controller-manager",
  uid: "",
  groups: ["system:masters"],
};

/** Makes an experiment whenever a Schedule's cron says so, and deletes finished ones beyond its history limit. */
export function startScheduleController(deps: ChaosDeps): () => void {
  const { store, loop } = deps;
  const rng = deps.rng.fork("Schedule");
  const record = createChaosRecorder({ store, loop, rng: rng.fork("events") });
  const admission = chaosAdmission();

  const kindOf = ({ spec }: KubeObject): ChaosKind | undefined =>
    chaosKinds.find(({ kind }) => kind === spec?.type);
  /** By label alone and over all namespaces, as in the original. */
  const childrenOf = (schedule: KubeObject, kind: ChaosKind): readonly KubeObject[] =>
    store
      .list(chaosRef(kind.plural))
      .filter(({ metadata }) => metadata.labels?.[managedBy] === schedule.metadata.name);

  const unfinished = (schedule: KubeObject, kind: ChaosKind): readonly KubeObject[] =>
    childrenOf(schedule, kind).filter((child) => !isFinishedChild(child, kind));

  function spawn(schedule: KubeObject, kind: ChaosKind, at: number): void {
    const [first] = unfinished(schedule, kind);
    if (first && (schedule.spec.concurrencyPolicy ?? "Forbid") === "Forbid") {
      const message = `Forbid spawning new job because: ${first.metadata.name} is still running`;
      record(schedule, { type: "Warning", reason: "Forbid", message, from: "schedule-cron" });
      return;
    }
    const { namespace = "default" } = schedule.metadata;
    const request = {
      operation: "CREATE" as const,
      object: scheduledChild(schedule, kind, randomSuffix(rng)),
      old: undefined,
      user: admin,
      namespace,
      group: chaosGroup,
      resource: kind.plural,
    };
    try {
      const object = admission.mutate?.(request) ?? request.object;
      admission.validate?.({ ...request, object });
      const child = store.create(chaosRef(kind.plural), object);
      const message = `Create new object: ${child.metadata.name}`;
      record(schedule, { type: "Normal", reason: "Spawned", message, from: "schedule-cron" });
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      const message = `Failed to create new object: ${why}`;
      record(schedule, { type: "Warning", reason: "Failed", message, from: "schedule-cron" });
    }
    note(schedule, kind, at);
  }

  function note(schedule: KubeObject, kind: ChaosKind, at: number): void {
    const active = unfinished(schedule, kind).map(childReference);
    const { namespace, name } = schedule.metadata;
    store.mutate(schedules, namespace, name, (fresh) => ({
      ...fresh,
      status: { ...fresh.status, active, time: rfc3339(at) },
    }));
  }

  /** The pause annotation stops spawning and pauses the children. */
  function pauseChildren(schedule: KubeObject, kind: ChaosKind): boolean {
    const wanted = schedule.metadata.annotations?.[pauseAnnotation] === "true";
    for (const child of childrenOf(schedule, kind)) {
      const { [pauseAnnotation]: paused, ...annotations } = child.metadata.annotations ?? {};
      if ((paused === "true") === wanted) continue;
      const changed = { ...annotations, ...(wanted && { [pauseAnnotation]: "true" }) };
      store.update(chaosRef(kind.plural), {
        ...child,
        metadata: { ...child.metadata, annotations: changed },
      });
    }
    return wanted;
  }

  function visit(schedule: KubeObject, at: number): void {
    const kind = kindOf(schedule);
    let cron: ChaosCron;
    try {
      cron = parseChaosCron(String(schedule.spec?.schedule ?? ""));
    } catch {
      return;
    }
    if (!kind || schedule.metadata.deletionTimestamp || pauseChildren(schedule, kind)) return;
    for (const { metadata } of beyondHistory(schedule, childrenOf(schedule, kind), kind))
      store.delete(chaosRef(kind.plural), metadata.namespace, metadata.name);
    if (fires(cron, Date.parse(schedule.metadata.creationTimestamp), at)) spawn(schedule, kind, at);
  }

  return loop.every(tickMs, "chaos schedules", () => {
    const at = Math.floor(loop.now() / tickMs) * tickMs;
    for (const schedule of store.list(schedules)) visit(schedule, at);
  });
}
