import type { Loose } from "@microremed/sim-objects";
import { nameColumn, text } from "../resource-type/columns.ts";
import { inGroup } from "../resource-type/define.ts";
import type { Printer, ResourceType } from "../resource-type/resource-type.ts";

const define = inGroup("metrics.k8s.io", "v1beta1");
const verbs = ["get", "list"];

const usagePrinter: Printer = {
  columns: [nameColumn, text("Cpu"), text("Memory"), text("Window")],
  cells(object) {
    const parts = (object["containers"] as Loose[] | undefined) ?? [{ usage: object["usage"] }];
    const sum = (name: string, unit: RegExp): number =>
      parts.reduce((total: number, part: Loose) => total + Number(part.usage[name].replace(unit, "")), 0);
    const window = String(object["window"] ?? "");
    return [object.metadata.name, `${sum("cpu", /n$/)}n`, `${sum("memory", /Ki$/)}Ki`, window];
  },
};

/** Computed, not stored: see `MetricsProvider`. */
export const metricsResources: readonly ResourceType[] = [
  define("nodes", "NodeMetrics", { clusterScoped: true, verbs, printer: usagePrinter, singular: "" }),
  define("pods", "PodMetrics", { verbs, printer: usagePrinter, singular: "" }),
];
