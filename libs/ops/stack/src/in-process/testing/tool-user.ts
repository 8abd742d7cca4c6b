import { arenaOn } from "@microremed/arena/testing";
import type { Environment, ObserveTool } from "@microremed/catalogue";
import { createInProcessClusters } from "@microremed/cluster/in-process";
import type { ProbeReply } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import type { ProbeRun, TelemetryRun } from "@microremed/kubectl";
import { createInProcessProber } from "@microremed/kubectl/in-process";
import type { Catalogue } from "@microremed/registry";
import { probe } from "@microremed/service-executor/probe";
import { createLocalCluster } from "@microremed/simcluster";

/** What a tool was asked, every reply of the arena to it, and what the agent would get. */
export interface ToolCall {
  readonly replies: readonly ProbeReply[];
  readonly answer: string;
}

/**
 * An embedded cluster with one arena, and its tools as an agent calls them, with an agent's concealed, reading access.
 * `goesBack`: each episode starts from the same moment, as in a range in one process.
 */
export async function aToolUser(
  catalogue: Catalogue,
  environment: Environment,
  { seed = 1, goesBack = false } = {},
) {
  const { namespace } = environment;
  const api = createLocalCluster({ seed, environments: [environment], ownPods: true });
  const clusters = createInProcessClusters([{ name: "sim", api, adminToken: api.adminToken, goesBack }]);
  const cluster = await clusters.get("sim");
  const prober = createInProcessProber(clusters.open);
  const { signal } = new AbortController();
  const place = { cluster: "sim", slot: 0, namespace, fence: 1 };
  // What an answer leaves out could be what must not be in it.
  const deps = {
    clusters,
    runProbe: (run: ProbeRun) => prober.runProbe({ ...run, maxOutput: 1 << 20 }),
    runTelemetry: (run: TelemetryRun) => prober.runTelemetry({ ...run, maxOutput: 1 << 20 }),
  };
  const call = async (name: string, args: object, historyFrom: number): Promise<ToolCall> => {
    const tool = catalogue.tools.get(name) as ObserveTool;
    const replies: ProbeReply[] = [];
    const given = await tool.run(tool.arguments.parse(args), {
      namespace,
      seconds: 10,
      signal,
      ask: async (asked) => {
        const request = { episodeId: "a-1.0000", arena: place, concealment: "neutral" } as const;
        const whole = { ...request, probe: asked, historyFrom, timeoutSeconds: 10 };
        const reply = await probe(whole, deps, { signal, log: silentLogger, assertHeld: async () => {} });
        replies.push(reply);
        return reply;
      },
    });
    if (typeof given === "string") return { replies, answer: given };
    return { replies, answer: "act" in given ? JSON.stringify(given.act) : given.output };
  };
  const arena = arenaOn(cluster, environment, namespace, catalogue);
  return { arena, cluster, call, [Symbol.asyncDispose]: async () => api[Symbol.dispose]() };
}
