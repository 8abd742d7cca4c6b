import type { Cluster } from "@microremed/cluster";
import { ownNamesOnly } from "@microremed/core";
import { type Call, flagOf, isSet, readWords } from "./call.ts";
import { asKubectlFailure, KubectlFailure, notSimulated } from "./failures.ts";
import { mayBeCustom } from "./resources.ts";
import { fromManifests, markWith, patch, replace, scale } from "./verbs/change.ts";
import { remove } from "./verbs/delete.ts";
import { get } from "./verbs/get.ts";
import { type ExecSaid, exec, logs } from "./verbs/pods.ts";
import { rollout } from "./verbs/rollout.ts";
import { set } from "./verbs/set.ts";
import { top } from "./verbs/top.ts";
import { wait } from "./verbs/wait.ts";

/** Every verb: one function, one line here. */
const verbs: Readonly<Record<string, (call: Call) => Promise<string | ExecSaid>>> = ownNamesOnly({
  get,
  delete: remove,
  patch,
  scale,
  set,
  rollout,
  annotate: markWith("annotations", "annotated"),
  label: markWith("labels", "labeled"),
  apply: fromManifests("apply"),
  create: fromManifests("create"),
  replace,
  wait,
  logs,
  exec,
  top,
});

/** Verbs that take objects of any kind. */
const namesKind = new Set(["get", "delete", "patch", "scale", "annotate", "label", "wait"]);

export interface KubectlContext {
  readonly cluster: Cluster;
  /** Of calls that name none. */
  readonly namespace: string;
  readonly timeLeft: () => Promise<number>;
  readonly stdin?: string;
}

/**
 * One call of kubectl over the port of clusters. What the cluster refuses and what is wrong with the call is the reply;
 * thrown is `not-simulated`, and what is the cluster's fault.
 */
export async function kubectl(words: readonly string[], context: KubectlContext): Promise<ExecSaid> {
  try {
    const { operands, command, flags } = readWords(words);
    const [verb = "", ...rest] = operands;
    const run = verbs[verb];
    if (!run) throw notSimulated(`the command ${JSON.stringify(verb)}`);
    const namespace = isSet({ flags }, "all-namespaces")
      ? undefined
      : (flagOf({ flags }, "namespace") ?? context.namespace);
    const { cluster, timeLeft, stdin = "" } = context;
    const custom = namesKind.has(verb) && mayBeCustom(rest[0] ?? "") ? await cluster.customResources() : [];
    const call = { cluster, namespace, verb, operands: rest, command, flags, stdin, custom, timeLeft };
    const said = await run(call);
    return typeof said === "string" ? { stdout: said, stderr: "", exitCode: 0 } : said;
  } catch (error) {
    const failure = asKubectlFailure(error);
    if (!(failure instanceof KubectlFailure)) throw failure;
    return { stdout: "", stderr: `${failure.message}\n`, exitCode: 1 };
  }
}
