import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { targetText } from "@microremed/catalogue";
import type { ChatMessage, EpisodeRecord, ExperimentRequestInput } from "@microremed/contracts";
import { taskOf } from "@microremed/contracts";
import type { RangeClient } from "@microremed/range-client";
import { builtInCatalogue } from "@microremed/registry";

/** The suite's name while it is there. */
export const suiteName = "real@1";

/** Problems as a suite's file has them. */
export interface RealProblem {
  readonly id: string;
  readonly environment: string;
  readonly incident: readonly { readonly fault: string; readonly target: string }[];
  readonly tasks: readonly string[];
  readonly watch?: { readonly windows: number; readonly windowSeconds: number };
}

/** One problem at one task, and who solves it. */
export interface ProblemTrial extends Pick<EpisodeRecord, "method" | "model"> {
  readonly problem: string;
  readonly task: string;
}

/** How it ended on one cluster. */
export interface EndedProblem extends ProblemTrial {
  readonly outcome: string;
  readonly reason: string;
  /** Answers of tools that say that something is forbidden, each with its call. */
  readonly forbidden: readonly string[];
}

/** How it ended on a real cluster and on an embedded one. */
export interface ComparedProblem extends ProblemTrial {
  readonly real: string;
  readonly embedded: string;
  readonly agrees: boolean;
}

/** The trial in words, unique. */
export const problemKey = ({ problem, task, model }: ProblemTrial): string => `${problem}/${task}/${model}`;

export function compareProblem(
  { problem, task, method, model, outcome: real }: EndedProblem,
  { outcome: embedded }: EndedProblem,
): ComparedProblem {
  return { problem, task, method, model, real, embedded, agrees: real === embedded };
}

const environment = "simple-micro";
/** Faults whose whole cycle is tried there. Those of Chaos Mesh cannot be: it cannot be built here. */
const tried: readonly string[] = [
  "host-port-conflict",
  "image-not-found",
  "internal-traffic-policy-local",
  "network-policy-deny",
  "pod-dns-policy-wrong",
  "pod-config-error",
  "priority-class-missing",
  "readiness-probe-wrong-endpoint",
  "replicas-zero",
  "service-deleted",
  "service-selector-mismatch",
  "service-selects-foreign-pods",
  "service-target-port",
];

const withinMs = 3_600_000;
/** Cluster time is wall time there. */
const watch = { windows: 3, windowSeconds: 90 };

/**
 * A problem of each of these faults at the whole cycle; one of each task by itself; and healthy ones. `only`: parts of the names of those that are wanted.
 */
export async function problemsSuite(only: readonly string[]): Promise<readonly RealProblem[]> {
  const { faults, environments } = await builtInCatalogue();
  const place = environments.get(environment);
  const problem = (
    id: string,
    incident: RealProblem["incident"],
    ...tasks: readonly string[]
  ): RealProblem => ({
    ...{ id, environment, incident, tasks },
    ...(tasks.includes("monitoring") && { watch }),
  });
  const ofFaults = faults.all().flatMap((fault) => {
    const [target] = fault.targets(place);
    if (!tried.includes(fault.name) || target === undefined) return [];
    const incident = [{ fault: fault.name, target: targetText(target) }];
    return [problem(`cycle-${fault.name}`, incident, "cycle")];
  });
  const image = [{ fault: "image-not-found", target: "time-service" }];
  const all = [
    ...ofFaults,
    problem("image", image, "detection", "localization", "analysis", "mitigation", "monitoring"),
    problem("calm", [], "detection", "localization", "monitoring"),
  ];
  return all.filter(({ id }) => only.some((part) => id.includes(part)));
}

/** Has a range used whose catalogue has what is in these folders beside our own. */
type OnRange = (dirs: readonly string[], use: (client: RangeClient) => Promise<void>) => Promise<void>;

/** Runs all of them with an expert, and the repairs with one who does nothing, and gives each that has ended to `note`. */
export async function runProblems(
  onRange: OnRange,
  problems: readonly RealProblem[],
  note: (one: EndedProblem) => Promise<void>,
): Promise<readonly EndedProblem[]> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-problems-"));
  const ended: EndedProblem[] = [];
  try {
    await mkdir(join(dir, "suites", suiteName), { recursive: true });
    const suite = { name: suiteName, description: "problems of the test on a real cluster", problems };
    await writeFile(join(dir, "suites", suiteName, "suite.yaml"), JSON.stringify(suite));
    await onRange([dir], async (client) => {
      const all = requests(problems).map((request) => run(client, request, note));
      for (const found of await Promise.all(all)) ended.push(...found);
    });
    return ended;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function requests(problems: readonly RealProblem[]): readonly ExperimentRequestInput[] {
  const shared = { maxParallel: 12, maxAttempts: 2, soakSeconds: 0, historySeconds: 60, policy: "open" };
  const expert = { method: "Player", model: "reference/expert" };
  const repairs = problems.filter(({ tasks }) => tasks.includes("mitigation")).map(({ id }) => id);
  const named = (ids: readonly string[]) => ids.map((id) => `${suiteName}/${id}`);
  return [
    { ...shared, ...expert, id: "real-expert", problems: suiteName },
    ...(repairs.length === 0
      ? []
      : [
          {
            ...{ ...shared, id: "real-noop", problems: named(repairs), task: ["mitigation"] },
            ...{ method: "ReAct", model: "reference/noop" },
          },
        ]),
  ];
}

async function run(
  client: RangeClient,
  request: ExperimentRequestInput,
  note: (one: EndedProblem) => Promise<void>,
): Promise<EndedProblem[]> {
  const reply = await client.submit(request);
  if (reply.status !== "accepted") throw new Error(`the request is refused: ${JSON.stringify(reply)}`);
  const id = reply.experimentId;
  const ended: EndedProblem[] = [];
  for await (const event of client.events(id, AbortSignal.timeout(withinMs))) {
    if (event.type === "episode-finished") {
      const one = await endOf(client, (await client.episode(event.episodeId)).record);
      await note(one);
      ended.push(one);
    }
    if (event.type === "experiment-finished") break;
  }
  return ended;
}

async function endOf(client: RangeClient, record: EpisodeRecord): Promise<EndedProblem> {
  const { method, model, outcome, reason, error, problem, id } = record;
  const conversation = await client.conversation(id);
  return {
    ...{ method, model, problem: problem?.id ?? id, task: taskOf(record), outcome: outcome ?? "none" },
    reason: [reason ?? "", error?.message ?? ""].filter((one) => one !== "").join("; "),
    forbidden: forbiddenIn(conversation),
  };
}

/** Runs of problems may not read the API groups of Chaos Mesh: that is by design. */
const isForbidden = (line: string): boolean => /forbidden/i.test(line) && !line.includes("chaos-mesh.org");

function forbiddenIn(conversation: readonly ChatMessage[]): string[] {
  const calls = new Map(
    conversation.flatMap((message) =>
      message.role === "assistant" ? message.toolCalls.map((call) => [call.id, call] as const) : [],
    ),
  );
  return conversation.flatMap((message) => {
    if (message.role !== "tool" || !message.content.split("\n").some(isForbidden)) return [];
    const call = calls.get(message.toolCallId);
    return [`${call?.name} ${call?.arguments}: ${message.content.slice(0, 300)}`];
  });
}
