import type { KubeObject } from "@microremed/sim-objects";
import { durationError } from "@microremed/sim-time";
import { type ChildKind, commitChild } from "../children/child-status.ts";
import type { IoAction, PodIoSpec } from "../children/pod-io-chaos.ts";
import { throughChild } from "../children/through-child.ts";
import type { ChaosDeps, ChaosImpl, ChaosKind, ChaosRecord } from "../model/chaos-kind.types.ts";
import { requireContainer, requirePod, targetOf } from "../model/targets.ts";
import type { FieldErrors } from "../schema/field-errors.ts";
import { int, list, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, containerSelectorFields } from "../schema/selector-fields.ts";

const child: ChildKind = { kind: "PodIOChaos", plural: "podiochaos" };

const timespec = struct("v1alpha1.Timespec", { sec: required(int("int64")), nsec: required(int("int64")) });

export const ioChaos: ChaosKind = {
  kind: "IOChaos",
  plural: "iochaos",
  selectorPaths: ["Spec.ContainerSelector.value", "Spec.ContainerSelector.PodSelector.value", "Spec.value"],
  spec: struct("v1alpha1.IOChaosSpec", {
    ...containerSelectorFields,
    action: required(text("v1alpha1.IOChaosType", ["latency", "fault", "attrOverride", "mistake"])),
    delay: optional(text()),
    errno: optional(int("uint32", 0)),
    attr: optional(
      struct("v1alpha1.AttrOverrideSpec", {
        ino: optional(int("uint64")),
        size: optional(int("uint64")),
        blocks: optional(int("uint64")),
        atime: optional(timespec),
        mtime: optional(timespec),
        ctime: optional(timespec),
        kind: optional(text("v1alpha1.FileType")),
        perm: optional(int("uint16")),
        nlink: optional(int("uint32")),
        uid: optional(int("uint32")),
        gid: optional(int("uint32")),
        rdev: optional(int("uint32")),
      }),
    ),
    mistake: optional(
      struct("v1alpha1.MistakeSpec", {
        filling: optional(text("v1alpha1.FillingType", ["zero", "random"])),
        maxOccurrences: optional(int("int64", 1)),
        maxLength: optional(int("int64", 1)),
      }),
    ),
    path: optional(text()),
    methods: optional(list(text("v1alpha1.IoMethod"))),
    percent: optional(int(), 100),
    volumePath: required(text()),
    ...commonFields,
  }),
  validate,
  selects: () => "container",
  callMs: [200, 600],
  child: child.plural,
  create: createImpl,
};

function validate(spec: KubeObject["spec"], errors: FieldErrors): void {
  if (typeof spec.delay === "string" && spec.delay !== "") {
    const why = durationError(spec.delay);
    if (why) errors.add("Spec.Delay", JSON.stringify(spec.delay), `parse duration field error: ${why}`);
  }
  if (spec.action === "fault" && !spec.errno)
    errors.add("Spec.Errno", "0x0", "action fault: errno 0 is not supported");
  if (spec.percent > 100 || spec.percent < 0)
    errors.add("Spec.Percent", String(spec.percent), "percent field should be in 0-100");
}

function actionOf(object: KubeObject): IoAction {
  const { spec, metadata } = object;
  return {
    type: spec.action,
    path: spec.path ?? "",
    methods: spec.methods ?? [],
    percent: spec.percent ?? 100,
    source: `${metadata.namespace}/${metadata.name}`,
    ...(spec.action === "latency" && { latency: spec.delay ?? "" }),
    ...(spec.action === "fault" && { faults: [{ errno: spec.errno, weight: 1 }] }),
  };
}

function createImpl({ store, machine }: ChaosDeps): ChaosImpl {
  function commit(object: KubeObject, record: ChaosRecord, actions: readonly IoAction[]): number {
    const target = targetOf(record.id);
    const source = `${object.metadata.namespace}/${object.metadata.name}`;
    return commitChild(store, child, requirePod(store, target), (spec: PodIoSpec) => ({
      ...spec,
      // One container and one path per pod: a second IOChaos overwrites the first one's.
      ...(actions.length > 0 && { container: target.container, volumeMountPath: object.spec.volumePath }),
      actions: [...(spec.actions ?? []).filter((action) => action.source !== source), ...actions],
    }));
  }

  return throughChild(store, child, {
    add(object, record) {
      const target = targetOf(record.id);
      requirePod(store, target);
      requireContainer(machine, target);
      return commit(object, record, [actionOf(object)]);
    },
    remove: (object, record) => commit(object, record, []),
  });
}
