import type { KubeObject } from "@microremed/sim-objects";
import { durationError, parseGoDuration } from "@microremed/sim-time";
import type { ChaosDeps, ChaosImpl, ChaosKind, ChaosRecord } from "../model/chaos-kind.types.ts";
import { requireContainer, requirePod, targetOf } from "../model/targets.ts";
import { list, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, containerSelectorFields } from "../schema/selector-fields.ts";

/** Shifts the clock that the main process sees: its log lines show it; processes started later see true time. */
export const timeChaos: ChaosKind = {
  kind: "TimeChaos",
  plural: "timechaos",
  selectorPaths: ["Spec.ContainerSelector.value", "Spec.ContainerSelector.PodSelector.value", "Spec.value"],
  spec: struct("v1alpha1.TimeChaosSpec", {
    ...containerSelectorFields,
    timeOffset: required(text()),
    clockIds: optional(list(text()), ["CLOCK_REALTIME"]),
    ...commonFields,
  }),
  validate(spec, errors) {
    const why = durationError(spec.timeOffset);
    if (why)
      errors.add("Spec.TimeOffset", JSON.stringify(spec.timeOffset), `parse timeOffset field error:${why}`);
  },
  selects: () => "container",
  callMs: [150, 850],
  create: createImpl,
};

/** The daemon's note of a process that it has patched. */
interface Task {
  readonly sandbox: string;
  readonly daemon: number;
}

function createImpl({ store, loop, machine, daemons }: ChaosDeps): ChaosImpl {
  const tasks = loop.keep(new Map<string, Task>());
  const keyOf = (object: KubeObject, record: ChaosRecord): string => `${object.metadata.uid}/${record.id}`;
  return {
    apply(object, record) {
      const target = targetOf(record.id);
      requirePod(store, target);
      const { sandbox, container } = requireContainer(machine, target);
      const realTime = (object.spec.clockIds ?? ["CLOCK_REALTIME"]).includes("CLOCK_REALTIME");
      if (realTime)
        container.clockShift = { owner: object.metadata.uid, ms: parseGoDuration(object.spec.timeOffset) };
      const daemon = daemons.generation(sandbox.nodeName);
      tasks.set(keyOf(object, record), { sandbox: sandbox.uid, daemon });
      return { phase: "Injected" };
    },
    /** Throws for a process that the daemon does not remember: it was restarted, or the pod is another one. */
    recover(object, record) {
      const { namespace, pod, container: name } = targetOf(record.id);
      const sandbox = machine.byPod(namespace, pod);
      const task = tasks.get(keyOf(object, record));
      if (sandbox && (task?.sandbox !== sandbox.uid || task.daemon !== daemons.generation(sandbox.nodeName)))
        throw new Error(`rpc error: code = Unknown desc = TaskID ${keyOf(object, record)} not found`);
      tasks.delete(keyOf(object, record));
      const container = sandbox?.containers.get(name);
      if (container?.clockShift?.owner === object.metadata.uid) delete container.clockShift;
      return { phase: "Not Injected" };
    },
  };
}
