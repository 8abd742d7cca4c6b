import { nameServerConfig } from "@microremed/cluster";
import { loadAll, YAMLException } from "js-yaml";
import { type KubectlCall, kubectlCall } from "../kubectl-call.ts";
import type { GuardContext, Rule } from "../rule.ts";
import { commandsOf } from "../shell-text.ts";
import { type Fields, isFields, type Step } from "../step.ts";

const ofTheCluster =
  /^(?:namespaces?|ns|nodes?|no|(?:persistentvolumes?|pv)|clusterroles?|clusterrolebindings?|customresourcedefinitions?|crds?|storageclass(?:es)?|sc|apiservices?|priorityclass(?:es)?)(?:\.|\/|$)/i;

/** No object of another namespace, or of the whole cluster, is changed; nor read by modules. What templates make is not known here. */
export const namespaces: Rule = async (step, context) => {
  if (context.policy.namespaces === "any") return undefined;
  return byModule(step, context) ?? (await byKubectl(step, context));
};

function byModule({ module, args }: Step, { namespace }: GuardContext): string | undefined {
  if (!module?.startsWith("kubernetes.core.") || !isFields(args)) return undefined;
  const reads = /_(?:info|log)$/.test(module);
  const given = args["definition"] ?? args["resource_definition"] ?? args["inline"];
  const objects = [args, ...documents(given), ...documents(args["resources"])];
  if (isNameServerConfig(args)) return undefined;
  for (const object of objects) {
    const metadata = isFields(object["metadata"]) ? object["metadata"] : {};
    if (isNameServerConfig({ ...metadata, kind: object["kind"] })) continue;
    for (const named of [object["namespace"], metadata["namespace"], object["release_namespace"]]) {
      const other = otherThan(namespace, named);
      if (other !== undefined) return other;
    }
    const { kind } = object;
    if (!reads && typeof kind === "string" && ofTheCluster.test(kind))
      return `${kind} objects belong to the whole cluster`;
  }
  return undefined;
}

function documents(given: unknown): Fields[] {
  if (Array.isArray(given)) return given.flatMap(documents);
  if (isFields(given)) return [given];
  if (typeof given !== "string" || given.includes("{{")) return [];
  try {
    return loadAll(given, { maxAliases: 100, maxDepth: 64 }).filter(isFields);
  } catch (error) {
    // The module itself will say what is wrong with it.
    if (error instanceof YAMLException) return [];
    throw error;
  }
}

async function byKubectl(step: Step, { namespace }: GuardContext): Promise<string | undefined> {
  for (const { words } of await commandsOf(step)) {
    const call = kubectlCall(words);
    if (!call || call.reads) continue;
    if (call.allNamespaces) return `kubectl ${call.verb} may not work on all namespaces`;
    if (changesNames(call)) continue;
    const other = otherThan(namespace, call.namespace);
    if (other !== undefined) return `kubectl ${call.verb}: ${other}`;
    if (/^(?:drain|cordon|uncordon|taint|certificate)$/.test(call.verb))
      return `kubectl ${call.verb} changes the whole cluster`;
    const kind = call.operands.find((operand) => ofTheCluster.test(operand));
    if (kind !== undefined && call.verb !== "exec")
      return `kubectl ${call.verb} ${kind} changes the whole cluster`;
  }
  return undefined;
}

const { namespace: ofNameServer, name: corefileName } = nameServerConfig;
const configMaps = "(?:configmaps?|cm)";
const path = new RegExp(`^${configMaps}/${corefileName}$`, "i");

/** The Corefile of the cluster's name server: whether an account may change it, the API server decides. */
const changesNames = ({ verb, namespace, operands }: KubectlCall): boolean =>
  ["patch", "edit"].includes(verb) &&
  namespace === ofNameServer &&
  operands.length > 0 &&
  (operands.every((one) => path.test(one)) ||
    (operands.length === 2 &&
      new RegExp(`^${configMaps}$`, "i").test(operands[0] ?? "") &&
      operands[1] === corefileName));

/** The same of a module's arguments. */
const isNameServerConfig = (args: Fields): boolean =>
  args["kind"] === "ConfigMap" && args["name"] === corefileName && args["namespace"] === ofNameServer;

function otherThan(namespace: string, named: unknown): string | undefined {
  if (typeof named !== "string" || named === namespace || /[{$]/.test(named)) return undefined;
  return `the namespace ${JSON.stringify(named.slice(0, 100))} is not the arena's, ${JSON.stringify(namespace)}`;
}
