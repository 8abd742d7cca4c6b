import { isJsonObject } from "@microremed/core";
import type { KubeObject } from "./kube-object.ts";

/** Whether the status of an object says that it is in a condition, such as `Complete` of a Job. */
export function hasCondition({ status }: KubeObject, type: string): boolean {
  const conditions = isJsonObject(status) ? status["conditions"] : undefined;
  return (
    Array.isArray(conditions) &&
    conditions.some((one) => isJsonObject(one) && one["type"] === type && one["status"] === "True")
  );
}
