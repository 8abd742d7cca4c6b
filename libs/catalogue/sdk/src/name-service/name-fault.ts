import { kinds, nameServerConfig } from "@microremed/cluster";
import { terminal, waitFor } from "@microremed/core";
import { parseCorefile } from "@microremed/kube-rules";
import type { z } from "zod";
import { affectedObjects } from "../affected-objects.ts";
import { readArenaNote, removeArenaNote, writeArenaNote } from "../arena-note.ts";
import type { CauseLabels } from "../evidence/evidence.ts";
import {
  type FaultContext,
  type FaultStatus,
  namespaceOf,
  type TruthContext,
  type WithParameters,
} from "../fault.ts";
import type { GroundTruth } from "../ground-truth.ts";
import { hiddenNames } from "./name-evidence.ts";
import { hiddenBy, nameRules } from "./name-rules.ts";

const { namespace: systems, name, key } = nameServerConfig;
const servers = "k8s-app=kube-dns";
/** Of the arena's note: the Corefile as it was. */
const about = "corefile";
/** Cluster time, ms, until new pods of the name server are ready. */
const startedWithinMs = 120_000;

/** What a rule of the Corefile is made of. */
export interface NameRuleLines {
  /** Lines of a directive before the plugin that answers for the cluster, or of a server block of its own. */
  readonly at: "before kubernetes" | "end";
  readonly lines: readonly string[];
}

/** A fault that is a rule in the Corefile of the cluster's name server, about names of the arena alone. */
export interface NameFault<S extends z.ZodObject> {
  readonly parameters: S;
  readonly rule: (
    context: TruthContext & WithParameters<z.output<S>> & { readonly namespace: string },
  ) => NameRuleLines;
  /** One sentence: how it leads to the symptom. */
  readonly explanation: (context: TruthContext & WithParameters<z.output<S>>) => string;
  /** Which of the Services whose names it hides it is about: one, or all. */
  readonly hides: "one" | "all";
}

const labels: CauseLabels = {
  mechanism: "name-not-resolved",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

type Where = Pick<FaultContext, "cluster" | "namespace" | "signal">;

async function corefileOf({ cluster }: Where): Promise<string> {
  const found = await cluster.get(kinds.configMap, systems, name);
  return (found?.["data"] as Readonly<Record<string, string>> | undefined)?.[key] ?? "";
}

/** Writes the Corefile, and starts the name server's pods again: it reads it by itself only after minutes. */
async function put(context: Where, corefile: string): Promise<void> {
  const { cluster, signal } = context;
  await cluster.patch(kinds.configMap, systems, name, { type: "merge", body: { data: { [key]: corefile } } });
  const pods = () => cluster.list(kinds.pod, { namespace: systems, labelSelector: servers });
  const before = await pods();
  for (const { metadata } of before) await cluster.delete(kinds.pod, systems, metadata.name);
  const former = new Set(before.map(({ metadata }) => metadata.uid));
  await waitFor(
    {
      clock: cluster.clock,
      what: "new pods of the name server to be ready",
      timeoutMs: startedWithinMs,
      intervalMs: 1_000,
      ...(signal && { signal }),
    },
    async () => {
      const now = (await pods()).filter(({ metadata }) => !former.has(metadata.uid));
      const isReady = ({ status }: (typeof now)[number]): boolean =>
        status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
      return now.length >= before.length && now.every(isReady) ? true : undefined;
    },
  );
}

function withRule(corefile: string, { at, lines }: NameRuleLines): string {
  if (at === "end") return `${corefile.trimEnd()}\n${lines.join("\n")}\n`;
  const answering = parseCorefile(corefile)
    .flatMap(({ directives }) => directives)
    .find((directive) => directive.name === "kubernetes");
  if (!answering)
    throw terminal("invalid-config", `the Corefile of ConfigMap ${systems}/${name} has no plugin kubernetes`);
  const before = corefile.split("\n");
  const indent = /^\s*/.exec(before[answering.from] ?? "")?.[0] ?? "";
  before.splice(answering.from, 0, ...lines.map((line) => `${indent}${line}`));
  return before.join("\n");
}

/**
 * inject, status, remove, ground truth and evidence of such a fault. Throws `invalid-config` on a cluster whose name server is not
 * the arena's own.
 */
export function nameFault<S extends z.ZodObject>({ parameters, rule, explanation, hides }: NameFault<S>) {
  type Context = WithParameters<z.output<S>>;
  const textOf = (context: TruthContext & Context): string => {
    const namespace = namespaceOf(context);
    const { at, lines } = rule({ ...context, namespace });
    const text = at === "end" ? lines.join("\n") : `. {\n${lines.join("\n")}\n}\n`;
    return nameRules(text, namespace)[0]?.text ?? "";
  };

  const isThere = async (context: FaultContext): Promise<boolean> => {
    const services = Object.keys(context.environment.services);
    const rules = nameRules(await corefileOf(context), context.namespace);
    return rules.some((one) => hiddenBy(one, context.namespace, services).length > 0);
  };
  return {
    parameters,
    recovery: ["ready", "serving", "reach"],
    symptom: "reach",
    rightActions: [],
    // A kubelet gives pods a changed ConfigMap within 90 s, and CoreDNS reads its file within 45 s.
    lingersSeconds: 140,
    async inject(context: FaultContext & Context): Promise<void> {
      if (!context.cluster.ownNameServer)
        throw terminal(
          "invalid-config",
          `cluster ${context.cluster.name} does not let faults change its name server; set ownNameServer in its entry of the clusters file, if its only arena may`,
        );
      if (await isThere(context)) return;
      const corefile = await corefileOf(context);
      await removeArenaNote(context, about);
      await writeArenaNote(context, about, corefile);
      await put(context, withRule(corefile, rule(context)));
    },
    async status(context: FaultContext & Context): Promise<FaultStatus> {
      const present = await isThere(context);
      const note = `the Corefile has ${present ? "a" : "no"} rule that hides names of the system`;
      return { present, injected: present, pods: [], expiresAt: null, note };
    },
    async remove(context: FaultContext & Context): Promise<void> {
      const before = await readArenaNote(context, about);
      if (before === undefined) return;
      await put(context, before);
      await removeArenaNote(context, about);
    },
    truth: (context: TruthContext & Context): GroundTruth => ({
      objects: [
        {
          kind: "ConfigMap",
          name,
          namespace: systems,
          field: `data.${key}`,
          wrong: textOf(context),
          right: "no such rule",
        },
      ],
      affected: [{ kind: "ConfigMap", name }, ...affectedObjects(context)],
      ...labels,
      explanation: explanation(context),
    }),
    evidence: hiddenNames(labels, hides),
  } as const;
}
