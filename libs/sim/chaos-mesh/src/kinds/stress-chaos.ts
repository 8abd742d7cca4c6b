import { type KubeObject, parseQuantity } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { parseByteSize } from "../model/byte-size.ts";
import type { ChaosDeps, ChaosKind } from "../model/chaos-kind.types.ts";
import { statusOf } from "../model/experiment.ts";
import { nodesRef } from "../model/refs.ts";
import { podOf, requireContainer, requirePod, targetOf } from "../model/targets.ts";
import type { FieldErrors } from "../schema/field-errors.ts";
import { int, list, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, containerSelectorFields } from "../schema/selector-fields.ts";
import { createStressStarter, type Stressors } from "./stressors.ts";

const stressorsType = struct("v1alpha1.Stressors", {
  cpu: optional(
    struct("v1alpha1.CPUStressor", {
      workers: required(int("int", undefined, 8192)),
      load: optional(int("int", 0, 100)),
      options: optional(list(text())),
    }),
  ),
  memory: optional(
    struct("v1alpha1.MemoryStressor", {
      workers: required(int("int", undefined, 8192)),
      size: optional(text()),
      oomScoreAdj: optional(int("int", -1000, 1000)),
      options: optional(list(text())),
    }),
  ),
});

export const stressChaos: ChaosKind = {
  kind: "StressChaos",
  plural: "stresschaos",
  selectorPaths: ["Spec.ContainerSelector.value", "Spec.ContainerSelector.PodSelector.value"],
  spec: struct("v1alpha1.StressChaosSpec", {
    ...containerSelectorFields,
    stressors: optional(stressorsType),
    stressngStressors: optional(text()),
    ...commonFields,
  }),
  validate,
  selects: () => "container",
  callMs: [150, 850],
  create: createImpl,
};

function validate(spec: KubeObject["spec"], errors: FieldErrors): void {
  const stressors: Stressors | undefined = spec.stressors;
  if (!stressors && !spec.stressngStressors)
    errors.add("Spec", "v1alpha1.StressChaosSpec{...}", "missing stressors");
  if (stressors && !stressors.cpu && !stressors.memory && !spec.stressngStressors)
    errors.add("Spec.Stressors", "v1alpha1.Stressors{...}", "missing stressors");
  const size = stressors?.memory?.size;
  if (!size) return;
  try {
    parseByteSize(size, 1);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    errors.add("Spec.Stressors.MemoryStressor.Size", JSON.stringify(size), why);
  }
}

function createImpl({ store, loop, machine, rng: base }: ChaosDeps): ReturnType<ChaosKind["create"]> {
  const stress = createStressStarter({ loop, machine, rng: base.fork("stress pids") });

  function nodeMemory(pod: KubeObject): number {
    const node = store.get(nodesRef, undefined, String(pod.spec?.nodeName ?? ""));
    return parseQuantity(node?.status?.capacity?.memory) ?? 0;
  }

  return {
    apply(object, record) {
      const target = targetOf(record.id);
      const pod = requirePod(store, target);
      const { container } = requireContainer(machine, target);
      // The instance of an earlier run is trusted, even when its processes died with the container.
      if (statusOf(object).instances?.[record.id]) return { phase: "Injected" };
      const stressors: Stressors = object.spec.stressors ?? {};
      const owner = object.metadata.uid;
      // With stressngStressors set Chaos Mesh uses neither: nothing runs, and the status says Injected.
      const inert = Boolean(object.spec.stressngStressors);
      const cpu =
        inert || !stressors.cpu || stressors.cpu.workers <= 0
          ? 0
          : stress.cpu(container, owner, stressors.cpu);
      const memory =
        inert || !stressors.memory || stressors.memory.workers <= 0
          ? 0
          : stress.memory(container, owner, stressors.memory, nodeMemory(pod));
      const time = (pid: number): string => rfc3339(pid === 0 ? 0 : loop.now());
      const instance = {
        ...(cpu && { uid: String(cpu) }),
        ...(memory && { memoryUid: String(memory) }),
        startTime: time(cpu),
        memoryStartTime: time(memory),
      };
      return { phase: "Injected", instance };
    },
    recover(object, record) {
      const target = targetOf(record.id);
      // The instance of a pod that is gone stays in the status.
      if (!podOf(store, target)) return { phase: "Not Injected" };
      const container = machine.byPod(target.namespace, target.pod)?.containers.get(target.container);
      if (container) {
        const rest = container.processes.filter((process) => process.owner !== object.metadata.uid);
        container.processes.splice(0, container.processes.length, ...rest);
      }
      return { phase: "Not Injected", instance: null };
    },
  };
}
