import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { leavesOf } from "./fields.ts";

/** Whether a workload may be rolled back to what an object holds. */
export const isRevision = ({ kind = "" }: KubeObject): boolean =>
  ["ReplicaSet", "ControllerRevision"].includes(kind);

/** Of a revision; `0`: its controller has not counted it yet. */
export function numberOf({ kind, metadata, revision }: KubeObject): string {
  if (kind === "ControllerRevision") return String(revision ?? 0);
  return metadata.annotations?.["deployment.kubernetes.io/revision"] ?? "0";
}

/** What rollouts write into a template, and restarts. */
const ofRollouts = /^metadata\.labels\.pod-template-hash$|kubectl\.kubernetes\.io\/restartedAt$/;

/** The template of a workload or of a revision, equal for two that differ by a restart only; undefined: there is none. */
export function templateText(object: KubeObject): string | undefined {
  const template = templateOf(object);
  if (!isJsonObject(template)) return undefined;
  const { $patch: _patch, ...rest } = template;
  return [...leavesOf(rest).values()]
    .map(({ path, text }) => `${path.join(".")}=${text}`)
    .filter(
      (leaf) => !ofRollouts.test(leaf.split("=")[0] ?? "") && !/=(null|undefined|\{\}|\[\])$/.test(leaf),
    )
    .toSorted()
    .join("\n");
}

function templateOf({ spec, data }: KubeObject): unknown {
  if (!isJsonObject(data)) return isJsonObject(spec) ? spec["template"] : undefined;
  return isJsonObject(data["spec"]) ? data["spec"]["template"] : undefined;
}
