import { createPrivateKey, X509Certificate } from "node:crypto";
import { isJsonObject } from "@microremed/core";
import { loadYaml } from "@microremed/environments";
import { fileAt, locate, normalized } from "./layers.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";
import { type ResourceSettings, reviewResources, settingsProblem } from "./policies/container-resources.ts";

/** One policy as the server was configured with it. */
interface Policy {
  readonly module: string;
  readonly settings: ResourceSettings;
  /** What it would refuse is let through. */
  readonly isMonitor: boolean;
  readonly mayChange: boolean;
}

/** A running policy-server of Kubewarden, as it has read its files when it started. */
export interface PolicyServerState {
  readonly type: "policy-server";
  /** By name, which is the end of the path at which it is asked. */
  readonly policies: Readonly<Record<string, Policy>>;
  /** In PEM, with what signed it; undefined: it serves HTTP. */
  readonly certificate: string | undefined;
}

/** What is reviewed: of an AdmissionReview's request what policies read. */
export interface ReviewedObject {
  readonly kind: string;
  /** Undefined: it is deleted. */
  readonly object: unknown;
}

/** The response of an AdmissionReview. */
export interface PolicyAnswer {
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly message: string };
  /** Operations of a JSON patch. */
  readonly patch?: readonly object[];
}

const image = /(^|\/)kubewarden\/policy-server(:|@|$)/;
/** The only policy that is simulated: one of another module allows everything. */
const resourcesModule = /\/container-resources(:|@|$)/;

/** Why the policy-server in a container ends when it starts, in its words; undefined: it does not, or it is none. */
export function policyServerStartError(sandbox: PodSandbox, container: ContainerRuntime): string | undefined {
  if (!image.test(container.image)) return undefined;
  const read = (path: string): string | undefined => {
    const file = fileAt(locate(sandbox, container, normalized(path)));
    return file && Buffer.from(file).toString();
  };
  const path = optionOf(container, "--policies", "KUBEWARDEN_POLICIES") ?? "policies.yml";
  const policies = policiesIn(read(path), path);
  if ("problem" in policies) return `Error: ${policies.problem}`;
  const files = [
    optionOf(container, "--cert-file", "KUBEWARDEN_CERT_FILE"),
    optionOf(container, "--key-file", "KUBEWARDEN_KEY_FILE"),
  ] as const;
  const served = identityOf(
    ...files.map((file) => (file === undefined ? undefined : ([file, read(file)] as const))),
  );
  if ("problem" in served) return `Error: ${served.problem}`;
  container.datastore = {
    type: "policy-server",
    policies: policies.policies,
    certificate: served.certificate,
  };
  return undefined;
}

/** The value of an option, or of the variable in its place. */
function optionOf({ command, env }: ContainerRuntime, name: string, variable: string): string | undefined {
  for (const [at, word] of command.entries()) {
    const [option, value] = word.split(/=(.*)/s);
    if (option === name) return value ?? command[at + 1];
  }
  return env[variable];
}

function policiesIn(
  text: string | undefined,
  path: string,
): Pick<PolicyServerState, "policies"> | { readonly problem: string } {
  const failed = (why: string) => ({
    problem: `error while loading policies from ${JSON.stringify(path)}: ${why}`,
  });
  if (text === undefined) return failed("No such file or directory (os error 2)");
  const documents = loadYaml({ name: path, text });
  if (!Array.isArray(documents)) return failed((documents as { problem: string }).problem);
  const [root = {}] = documents;
  if (!isJsonObject(root)) return failed("invalid type: expected a map");
  const policies: Record<string, Policy> = {};
  for (const [name, given] of Object.entries(root)) {
    if (!isJsonObject(given) || typeof given["module"] !== "string")
      return failed(`${name}: missing field \`module\``);
    const { module, settings = {}, policyMode, allowedToMutate } = given;
    const problem = resourcesModule.test(module) ? settingsProblem(settings as ResourceSettings) : undefined;
    if (problem !== undefined)
      return { problem: `policy '${name}': Provided settings are not valid: ${problem}` };
    policies[name] = {
      module,
      settings: settings as ResourceSettings,
      isMonitor: policyMode === "monitor",
      mayChange: allowedToMutate === true,
    };
  }
  return { policies };
}

type PemFile = readonly [path: string, text: string | undefined];

/** The certificate to show, and whether the key is its own. */
function identityOf(
  certificate?: PemFile,
  key?: PemFile,
): Pick<PolicyServerState, "certificate"> | { readonly problem: string } {
  if (!certificate && !key) return { certificate: undefined };
  if (!certificate || !key) return { problem: "both certificate and key must be provided together" };
  for (const [path, text] of [certificate, key])
    if (text === undefined)
      return { problem: `cannot read ${JSON.stringify(path)}: No such file or directory (os error 2)` };
  const [pem = "", keyPem = ""] = [certificate[1], key[1]];
  try {
    if (!new X509Certificate(pem).checkPrivateKey(createPrivateKey(keyPem)))
      return { problem: "the key is not that of the certificate" };
  } catch {
    return { problem: "certificate or key cannot be read as PEM" };
  }
  return { certificate: pem };
}

/** What the server says of an object at a path such as `/validate/limits`; undefined: it has no such policy. */
export function reviewBy(
  { policies }: PolicyServerState,
  path: string,
  { kind, object }: ReviewedObject,
): PolicyAnswer | undefined {
  const [, name = ""] = /^\/validate\/([^/]+)$/.exec(path) ?? [];
  const policy = Object.hasOwn(policies, name) ? policies[name] : undefined;
  if (!policy) return undefined;
  if (!resourcesModule.test(policy.module)) return { allowed: true };
  const place = podSpecPlaces[kind];
  const refused = (message: string, code: number): PolicyAnswer =>
    policy.isMonitor ? { allowed: true } : { allowed: false, status: { code, message } };
  if (place === undefined)
    return refused(`object should be one of these kinds: ${Object.keys(podSpecPlaces).join(", ")}`, 400);
  const review = reviewResources(policy.settings, valueAt(object, place), place);
  if ("refused" in review) return refused(review.refused, 400);
  if (review.patch.length === 0 || policy.isMonitor) return { allowed: true };
  if (!policy.mayChange)
    return refused(
      "Request rejected by policy " +
        `${name}. The policy attempted to mutate the request, but it is currently configured to not allow mutations.`,
      500,
    );
  return { allowed: true, patch: review.patch };
}

const ofTemplate = "/spec/template/spec";
/** JSON pointers to the specification of pods, by kind. */
const podSpecPlaces: Readonly<Record<string, string>> = {
  Deployment: ofTemplate,
  ReplicaSet: ofTemplate,
  StatefulSet: ofTemplate,
  DaemonSet: ofTemplate,
  ReplicationController: ofTemplate,
  Job: ofTemplate,
  CronJob: "/spec/jobTemplate/spec/template/spec",
  Pod: "/spec",
};

const valueAt = (object: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, step) => (isJsonObject(value) ? value[step] : undefined), object);
