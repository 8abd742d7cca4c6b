import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { retryable, terminal } from "@microremed/core";
import type { KubeObject } from "@microremed/kube";
import type { PodSpec } from "../pods/pod.types.ts";
import { podSpecOf } from "../pods/references.ts";
import { type RunningPod, runPod } from "./run-pod.ts";

export interface SiteOptions {
  /** Rendered manifests with their Secrets. */
  readonly objects: readonly KubeObject[];
  readonly dir: string;
  /** Pods get addresses 127.<subnet>.0.1 and on. */
  readonly subnet: number;
  /** Names outside the site that its pods can resolve. */
  readonly names?: Readonly<Record<string, string>>;
}

/** One Kubernetes cluster's worth of manifests, running as processes of this machine. */
export interface Site extends AsyncDisposable {
  /** Starts every pod and waits until all are ready and Jobs have ended. */
  start(): Promise<void>;
  readonly pods: readonly RunningPod[];
  podsOf(workload: string): readonly RunningPod[];
  /** Of the first pod behind a Service. */
  addressOf(service: string): string;
  /** Text of an /etc/hosts with the Services' names, for clients that check certificates. */
  readonly hosts: string;
  /** A key of a Secret, for clients of the site. */
  secret(name: string, key: string): string;
  /** As `kubectl scale`; returns when the new pods are ready, or the old ones gone. */
  scale(deployment: string, replicas: number): Promise<void>;
  /** As `kubectl rollout restart` of a Deployment with maxSurge 1: one new pod ready, one old one stopped. */
  rollOut(deployment: string): Promise<void>;
}

interface Workload {
  readonly kind: "Deployment" | "StatefulSet" | "Job";
  readonly name: string;
  readonly namespace: string;
  readonly replicas: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

interface ServiceObject {
  readonly name: string;
  readonly namespace: string;
  readonly selector: Readonly<Record<string, string>>;
}

interface Member {
  readonly workload: Workload;
  readonly name: string;
  readonly ip: string;
  pod?: RunningPod;
}

/** A site that is not started yet. */
export function createSite({ objects, dir, subnet, names = {} }: SiteOptions): Site {
  const workloads = objects.flatMap(workloadOf);
  const services = objects.flatMap(serviceOf);
  const members: Member[] = [];
  let addresses = 0;

  const enlist = (workload: Workload, ordinal: number): Member => {
    addresses += 1;
    const suffix = workload.kind === "StatefulSet" ? String(ordinal) : randomBytes(3).toString("hex");
    const member = { workload, name: `${workload.name}-${suffix}`, ip: `127.${subnet}.0.${addresses}` };
    members.push(member);
    return member;
  };
  for (const workload of workloads)
    for (let ordinal = 0; ordinal < workload.replicas; ordinal += 1) enlist(workload, ordinal);

  const dataOf = (namespace: string, kind: string, name: string): Record<string, string> | undefined => {
    const found = objects.find(
      (one) => one.kind === kind && one.metadata.name === name && one.metadata.namespace === namespace,
    );
    if (!found) return undefined;
    const { data, stringData } = found as {
      data?: Record<string, string>;
      stringData?: Record<string, string>;
    };
    const plain = Object.entries(data ?? {}).map(([key, value]) => [
      key,
      kind === "Secret" ? Buffer.from(value, "base64").toString("utf8") : value,
    ]);
    return { ...Object.fromEntries(plain), ...stringData };
  };

  const launch = (member: Member): RunningPod => {
    const { namespace } = member.workload;
    member.pod = runPod({
      spec: member.workload.spec,
      dir: join(dir, namespace, member.name),
      hostname: member.name,
      hosts: hostsFor(namespace, services, members, names),
      place: {
        name: member.name,
        namespace,
        ip: member.ip,
        read: (kind, name) => dataOf(namespace, kind, name),
      },
    });
    return member.pod;
  };
  const deployment = (name: string): Workload => {
    const found = workloads.find((one) => one.kind === "Deployment" && one.name === name);
    if (found) return found;
    throw terminal("invalid-config", `there is no Deployment ${name} in these manifests`);
  };
  const of = (workload: Workload): Member[] => members.filter((one) => one.workload === workload);
  const end = async (member: Member): Promise<void> => {
    await member.pod?.stop();
    members.splice(members.indexOf(member), 1);
  };

  return {
    start: async () => {
      // Users of pods must get through to what is theirs in it.
      await chmod(dir, 0o711);
      const outcomes = await Promise.allSettled(members.map((member) => launch(member).ready));
      const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
      // One that does not start takes others with it: all are needed to see which.
      if (reasons.length > 0) throw retryable("deadline-exceeded", reasons.join("\n\n"));
    },
    get pods() {
      return members.flatMap(({ pod }) => pod ?? []);
    },
    podsOf: (name) => members.filter((one) => one.workload.name === name).flatMap(({ pod }) => pod ?? []),
    addressOf(name) {
      const service = services.find((one) => one.name === name);
      const [first] = service ? behind(service, members) : [];
      if (first) return first.ip;
      throw terminal("invalid-config", `no pod is behind a Service ${name} in these manifests`);
    },
    get hosts() {
      return hostsFor("", services, members, names);
    },
    secret(name, key) {
      const holder = objects.find((one) => one.kind === "Secret" && one.metadata.name === name);
      const value = holder && dataOf(holder.metadata.namespace ?? "", "Secret", name)?.[key];
      if (value !== undefined) return value;
      throw terminal("invalid-config", `there is no Secret ${name} with a key ${key}`);
    },
    async scale(name, replicas) {
      const workload = deployment(name);
      const existing = of(workload);
      await Promise.all(existing.slice(replicas).map(end));
      const missing = Math.max(0, replicas - existing.length);
      await Promise.all(Array.from({ length: missing }, () => launch(enlist(workload, 0)).ready));
    },
    async rollOut(name) {
      const workload = deployment(name);
      for (const old of of(workload)) {
        await launch(enlist(workload, 0)).ready;
        await end(old);
      }
    },
    [Symbol.asyncDispose]: async () => {
      const isBackbone = ({ workload }: Member): boolean =>
        workload.labels["app.kubernetes.io/component"] !== "service";
      await Promise.all(members.filter((one) => !isBackbone(one)).map(({ pod }) => pod?.stop()));
      await Promise.all(members.filter(isBackbone).map(({ pod }) => pod?.stop()));
    },
  };
}

function workloadOf(object: KubeObject): Workload[] {
  const { kind, metadata } = object;
  const spec = podSpecOf(object);
  if (!spec || (kind !== "Deployment" && kind !== "StatefulSet" && kind !== "Job")) return [];
  const { replicas = 1, template } = object.spec as {
    replicas?: number;
    template?: { metadata?: { labels?: Record<string, string> } };
  };
  const { name, namespace = "default" } = metadata;
  return [{ kind, name, namespace, replicas, labels: template?.metadata?.labels ?? {}, spec }];
}

function serviceOf({ kind, metadata, spec }: KubeObject): ServiceObject[] {
  if (kind !== "Service") return [];
  const { selector = {} } = spec as { selector?: Record<string, string> };
  return [{ name: metadata.name, namespace: metadata.namespace ?? "default", selector }];
}

function behind({ namespace, selector }: ServiceObject, members: readonly Member[]): Member[] {
  return members.filter(
    ({ workload }) =>
      workload.namespace === namespace &&
      Object.entries(selector).every(([key, value]) => workload.labels[key] === value),
  );
}

/** Names as a cluster's DNS gives them to a pod of `namespace`: Services, and the pods of a StatefulSet. */
function hostsFor(
  namespace: string,
  services: readonly ServiceObject[],
  members: readonly Member[],
  names: Readonly<Record<string, string>>,
): string {
  const lines = services.flatMap((service) =>
    behind(service, members).flatMap((member) => {
      const pod = member.workload.kind === "StatefulSet" ? [`${member.name}.${service.name}`] : [];
      return [service.name, ...pod].map(
        (name) => `${member.ip} ${forms(name, service.namespace, namespace)}`,
      );
    }),
  );
  const outside = Object.entries(names).map(([name, ip]) => `${ip} ${name}`);
  return ["127.0.0.1 localhost", ...lines, ...outside, ""].join("\n");
}

function forms(name: string, of: string, from: string): string {
  const long = [`${name}.${of}`, `${name}.${of}.svc`, `${name}.${of}.svc.cluster.local`];
  return (of === from ? [name, ...long] : long).join(" ");
}
