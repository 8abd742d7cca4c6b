import type { KubeObject, Loose, NewObject } from "@microremed/sim-objects";
import { autoscalerPrinter } from "../printers/policy-printers.ts";
import { inGroup, type ResourceOptions } from "../resource-type/define.ts";
import type { ResourceType, StoredAs } from "../resource-type/resource-type.ts";

const isCpuShare = (metric: Loose): boolean =>
  metric.type === "Resource" &&
  metric.resource?.name === "cpu" &&
  metric.resource.target?.averageUtilization !== undefined;

/** v1 knows one metric only: CPU use as a share of the request. The others are not shown. */
const asV1: StoredAs = {
  ref: { group: "autoscaling", resource: "horizontalpodautoscalers" },
  fromStored(object): KubeObject {
    const { metrics = [], behavior: _behavior, ...spec } = object.spec ?? {};
    const cpu = metrics.find(isCpuShare);
    const { currentMetrics, conditions: _conditions, ...status } = object.status ?? {};
    const current = currentMetrics?.find((metric: Loose) => metric.resource?.name === "cpu");
    const share = current?.resource?.current?.averageUtilization;
    return {
      ...object,
      apiVersion: "autoscaling/v1",
      spec: {
        ...spec,
        ...(cpu && { targetCPUUtilizationPercentage: cpu.resource.target.averageUtilization }),
      },
      ...(object.status && {
        status: { ...status, ...(share !== undefined && { currentCPUUtilizationPercentage: share }) },
      }),
    };
  },
  toStored(object): NewObject {
    const { targetCPUUtilizationPercentage: share, ...spec } = object.spec ?? {};
    const target = { type: "Utilization", averageUtilization: share };
    const metrics = share === undefined ? [] : [{ type: "Resource", resource: { name: "cpu", target } }];
    return { ...object, apiVersion: "autoscaling/v2", spec: { ...spec, ...(share && { metrics }) } };
  },
};

const options: ResourceOptions = { short: ["hpa"], categories: ["all"], printer: autoscalerPrinter };

export const autoscalingResources: readonly ResourceType[] = [
  inGroup("autoscaling", "v2")("horizontalpodautoscalers", "HorizontalPodAutoscaler", options),
  inGroup("autoscaling", "v1")("horizontalpodautoscalers", "HorizontalPodAutoscaler", {
    ...options,
    stored: asV1,
  }),
];
