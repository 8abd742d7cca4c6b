import type { KubeObject } from "@microremed/cluster";
import { exposures } from "./field-rules.ts";
import { type Field, pathText } from "./fields.ts";

/**
 * Whether who makes an object again could not know this field any more, once the object is gone: its labels, and from where a
 * Service was reached. Its ports are still in the variables of programs, its selector in the labels of pods.
 */
export const isUnreadable = ({ kind }: KubeObject, { path, to }: Field): boolean =>
  (path[0] === "metadata" && path[1] === "labels" && to === undefined) ||
  (kind === "Service" && pathText({ path }) === "spec.type" && exposures.includes(to ?? "ClusterIP"));
