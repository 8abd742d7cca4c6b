import type { KubeObject } from "@microremed/sim-objects";
import { durationError } from "@microremed/sim-time";
import { type ChildKind, commitChild } from "../children/child-status.ts";
import type { IpSet, IptablesRule, PodNetworkSpec, TcRule } from "../children/pod-network-chaos.ts";
import { throughChild } from "../children/through-child.ts";
import { parseRate } from "../model/byte-size.ts";
import type { ChaosDeps, ChaosImpl, ChaosKind, ChaosRecord } from "../model/chaos-kind.types.ts";
import { recordsOf } from "../model/experiment.ts";
import { podOf, requirePod, targetOf } from "../model/targets.ts";
import { checkSelectorValue, type FieldErrors } from "../schema/field-errors.ts";
import { type GoField, int, list, optional, required, struct, text } from "../schema/go-type.ts";
import { commonFields, podSelectorFields } from "../schema/selector-fields.ts";

const child: ChildKind = { kind: "PodNetworkChaos", plural: "podnetworkchaos" };

const percent = (): GoField => optional(text());
const correlation = optional(text(), "0");

export const networkChaos: ChaosKind = {
  kind: "NetworkChaos",
  plural: "networkchaos",
  selectorPaths: ["Spec.PodSelector.value"],
  spec: struct("v1alpha1.NetworkChaosSpec", {
    ...podSelectorFields,
    action: required(
      text("v1alpha1.NetworkChaosAction", [
        "netem",
        "delay",
        "loss",
        "duplicate",
        "corrupt",
        "partition",
        "bandwidth",
      ]),
    ),
    device: optional(text()),
    direction: optional(text("v1alpha1.Direction", ["to", "from", "both"]), "to"),
    target: optional(struct("v1alpha1.PodSelector", podSelectorFields)),
    targetDevice: optional(text()),
    externalTargets: optional(list(text())),
    delay: optional(
      struct("v1alpha1.DelaySpec", {
        latency: required(text()),
        correlation,
        jitter: optional(text(), "0ms"),
        reorder: optional(
          struct("v1alpha1.ReorderSpec", { reorder: required(text()), correlation, gap: required(int()) }),
        ),
      }),
    ),
    loss: optional(struct("v1alpha1.LossSpec", { loss: required(text()), correlation })),
    duplicate: optional(
      struct("v1alpha1.DuplicateSpec", { duplicate: required(text()), correlation: percent() }),
    ),
    corrupt: optional(struct("v1alpha1.CorruptSpec", { corrupt: required(text()), correlation: percent() })),
    rate: optional(struct("v1alpha1.RateSpec", { rate: required(text()) })),
    bandwidth: optional(
      struct("v1alpha1.BandwidthSpec", {
        rate: required(text()),
        limit: required(int("uint32", 1)),
        buffer: required(int("uint32", 1)),
        peakrate: optional(int("uint64", 0)),
        minburst: optional(int("uint32", 0)),
      }),
    ),
    ...commonFields,
  }),
  validate,
  selects: () => "pod",
  callMs: [400, 800],
  child: child.plural,
  create: createImpl,
};

function validate(spec: KubeObject["spec"], errors: FieldErrors): void {
  if (spec.target) checkSelectorValue(errors, spec.target, ["Spec.Target.value"]);
  const far = spec.direction === "from" || spec.direction === "both";
  if (far && spec.action !== "partition") {
    const shown = JSON.stringify(spec.direction);
    if (!spec.target)
      errors.add(
        "Spec.direction",
        shown,
        "`from` and `both` direction cannot be used when targets is empty in netem action",
      );
    if (spec.externalTargets?.length)
      errors.add(
        "Spec.direction",
        shown,
        "external targets cannot be used with `from` and `both` direction in netem action yet",
      );
  }
  checkDelay(spec.delay, errors);
  for (const block of ["Loss", "Duplicate", "Corrupt"] as const) {
    const values = spec[block.toLowerCase()];
    errors.percentage(`Spec.TcParameter.${block}.${block}`, values?.[block.toLowerCase()]);
    errors.percentage(`Spec.TcParameter.${block}.Correlation`, values?.correlation);
  }
  checkRate("Spec.TcParameter.Rate.Rate", spec.rate?.rate, errors);
  checkRate("Spec.TcParameter.Bandwidth.Rate", spec.bandwidth?.rate, errors);
}

function checkDelay(delay: KubeObject["spec"], errors: FieldErrors): void {
  for (const field of ["Latency", "Jitter"]) {
    const value = delay?.[field.toLowerCase()];
    const why = typeof value === "string" && value !== "" ? durationError(value) : undefined;
    if (why)
      errors.add(
        `Spec.TcParameter.Delay.${field}`,
        JSON.stringify(value),
        `parse duration field error: ${why}`,
      );
  }
  errors.percentage("Spec.TcParameter.Delay.Correlation", delay?.correlation);
}

function checkRate(path: string, value: unknown, errors: FieldErrors): void {
  if (typeof value !== "string") return;
  try {
    parseRate(value);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    errors.add(path, JSON.stringify(value), `parse rate field error:${why}`);
  }
}

interface Rules {
  readonly tcs: readonly TcRule[];
  readonly iptables: readonly IptablesRule[];
  readonly ipsets: readonly IpSet[];
}

function createImpl({ store, resolve }: ChaosDeps): ChaosImpl {
  /** Addresses of one side's pods, as they are now. */
  function addresses(object: KubeObject, selectorKey: string): readonly string[] {
    const ids = (recordsOf(object) ?? []).filter((record) => record.selectorKey === selectorKey);
    return ids.flatMap(({ id }) => podOf(store, targetOf(id))?.status?.podIP ?? []);
  }

  function peers(object: KubeObject, record: ChaosRecord): readonly string[] | undefined {
    if (record.selectorKey !== ".") return addresses(object, ".");
    const external: readonly string[] = object.spec.externalTargets ?? [];
    if (!object.spec.target && external.length === 0) return undefined;
    const outside = external.flatMap((target) => {
      const host = target.replace(/:\d+$/, "");
      return /^[\d./]+$/.test(host) ? [host] : resolve(host);
    });
    return [...(object.spec.target ? addresses(object, ".Target") : []), ...outside];
  }

  function rulesFor(object: KubeObject, record: ChaosRecord): Rules {
    const { spec, metadata } = object;
    const source = `${metadata.namespace}/${metadata.name}`;
    const addressList = peers(object, record);
    const ipsetName = `${metadata.name.slice(0, 16)}_${record.selectorKey === "." ? "tgt" : "src"}`;
    const ipsets = addressList
      ? [{ name: ipsetName, source, cidrs: addressList.map((ip) => (ip.includes("/") ? ip : `${ip}/32`)) }]
      : [];
    const near = record.selectorKey === ".";
    if (spec.action === "partition") {
      const directions = partitionDirections(spec.direction ?? "to", near);
      const iptables = directions.map((direction) => ({
        name: `${direction}/${ipsetName}`,
        direction,
        source,
        ipsets: ipsets.map(({ name }) => name),
      }));
      return { tcs: [], iptables, ipsets: iptables.length > 0 ? ipsets : [] };
    }
    const direction = spec.direction ?? "to";
    if (direction !== "both" && (direction === "to") !== near) return { tcs: [], iptables: [], ipsets: [] };
    const device = near ? spec.device : spec.targetDevice;
    const tc: TcRule = {
      type: spec.action === "bandwidth" ? "bandwidth" : "netem",
      source,
      ...(ipsets.length > 0 && { ipset: ipsetName }),
      ...(device && { device }),
      ...pick(spec, ["delay", "loss", "duplicate", "corrupt", "rate", "bandwidth"]),
    };
    return { tcs: [tc], iptables: [], ipsets };
  }

  function commit(object: KubeObject, record: ChaosRecord, rules: Rules | undefined): number {
    const pod = requirePod(store, targetOf(record.id));
    const source = `${object.metadata.namespace}/${object.metadata.name}`;
    const merged = <T extends { readonly source: string }>(
      known: readonly T[] | undefined,
      own: readonly T[] = [],
    ): readonly T[] => [...(known ?? []).filter((item) => item.source !== source), ...own];
    return commitChild(store, child, pod, (spec: PodNetworkSpec) => ({
      ...spec,
      tcs: merged(spec.tcs, rules?.tcs),
      iptables: merged(spec.iptables, rules?.iptables),
      ipsets: merged(spec.ipsets, rules?.ipsets),
    }));
  }

  return throughChild(store, child, {
    add(object, record) {
      const rules = rulesFor(object, record);
      requirePod(store, targetOf(record.id));
      const isIdle = rules.tcs.length === 0 && rules.iptables.length === 0;
      return isIdle ? undefined : commit(object, record, rules);
    },
    remove: (object, record) => commit(object, record, undefined),
  });
}

function partitionDirections(direction: string, near: boolean): readonly ("INPUT" | "OUTPUT")[] {
  if (direction === "both") return ["OUTPUT", "INPUT"];
  return (direction === "to") === near ? ["OUTPUT"] : ["INPUT"];
}

function pick(spec: KubeObject["spec"], names: readonly string[]): object {
  return Object.fromEntries(names.flatMap((name) => (spec[name] ? [[name, spec[name]]] : [])));
}
