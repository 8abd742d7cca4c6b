import type { ObserveTool } from "@microremed/catalogue";
import { Probe, type ProbeReply } from "@microremed/contracts";
import { expect, test } from "vitest";
import { offerOf, specsOf, toolSpec } from "./offer.ts";
import { builtIn, proven } from "./testing/catalogues.ts";

const { agents, tools } = builtIn;
const named = agents.get("ThinkRemed").tools.map((name) => tools.get(name));
const offer = offerOf([...named, tools.get("run_playbook")], null);

const read = (name: string, args: string) => {
  const offered = offer.observers.find(({ tool }) => tool.name === name);
  if (!offered) throw new Error(`no tool ${name}`);
  return offered.read({ id: "c", name, arguments: args });
};

/** What a tool asks an arena that answers nothing. */
async function questionsOf(tool: ObserveTool, args: unknown): Promise<Probe[]> {
  const asked: Probe[] = [];
  const ask = async (probe: Probe): Promise<ProbeReply> => {
    asked.push(Probe.parse(probe));
    return { status: "failed", exitCode: 1, output: "" };
  };
  await tool.run(args, { namespace: "shop", ask, seconds: 10, signal: new AbortController().signal });
  return asked;
}

test("models are shown exactly these tools", async () => {
  const text = JSON.stringify(specsOf(offer), null, 2);
  await expect(text).toMatchFileSnapshot("./golden/tools.txt");
});

test.each([
  ["probe_system", '{"command":"kubectl get pods"}', { kind: "command", command: "kubectl get pods" }],
  ["get_logs", '{"of":"cart-0"}', { kind: "logs", of: "cart-0", previous: false, lines: 100 }],
  [
    "get_logs",
    '{"of":"deployment/cart","container":"server","previous":true,"lines":5}',
    { kind: "logs", of: "deployment/cart", container: "server", previous: true, lines: 5 },
  ],
  [
    "get_logs",
    '{"of":"cart-0","match":"error|refused","since":"5m"}',
    {
      kind: "logs",
      of: "cart-0",
      previous: false,
      lines: 100,
      match: "error|refused",
      sinceSeconds: 300,
    },
  ],
  ["get_topology", "{}", { kind: "topology" }],
])("%s with %s asks that", (name, args, probe) => {
  expect(read(name, args)).toEqual({ value: probe });
});

test.each([
  ["query_metrics", "", [{ kind: "metrics" }]],
  ["query_metrics", '{"promql":"up"}', [{ kind: "metrics", promql: "up" }]],
  [
    "query_metrics",
    '{"metric":"cpu","since":"5m","of":"cart"}',
    [
      {
        ...{ kind: "series", names: ["cpu"], per: "workload", of: "cart" },
        ...{ sinceSeconds: 300, untilSeconds: 0, stepSeconds: 15 },
      },
    ],
  ],
  [
    "get_events",
    '{"of":"pod/cart-0","warnings":true}',
    [{ kind: "events", of: "pod/cart-0", warnings: true }],
  ],
])("%s with %s asks this", async (name, args, probes) => {
  const asked = read(name, args);
  if ("problem" in asked) throw new Error(asked.problem);
  expect(await questionsOf(tools.get(name) as ObserveTool, asked.value)).toEqual(probes);
});

test.each([
  ["query_metrics", '{"metric":"cpu","since":"forever"}'],
  ["query_metrics", '{"metric":"disk"}'],
  ["get_logs", '{"of":"cart-0","since":"99h"}'],
  ["get_logs", '{"of":"cart-0","match":"a\\nb"}'],
  ["get_logs", "{}"],
  ["get_logs", '{"of":"--all"}'],
  ["get_logs", '{"of":"cart-0","lines":100000}'],
  ["get_logs", '{"of":"cart-0","container":"-f"}'],
  ["get_events", '{"of":"pod/$(id)"}'],
  ["query_metrics", '{"promql":7}'],
  ["probe_system", '{"command":""}'],
  ["probe_system", "[]"],
  ["probe_system", "kubectl get pods"],
])("%s with %s is explained and not run", (name, args) => {
  expect(read(name, args)).toMatchObject({ problem: expect.stringMatching(/^Error: .*must be one JSON/) });
});

test.each(proven.tools.all())(
  "$name: its example fits, and asks the arena if it has the rights to",
  async (tool) => {
    expect(toolSpec(tool).parameters).toMatchObject({ type: "object" });
    if (tool.kind === "submit") return;
    const example = typeof tool.example === "string" ? JSON.parse(tool.example) : tool.example;
    const args = tool.arguments.safeParse(example);
    expect(args.success).toBe(true);
    if (tool.kind === "act") return;
    const asked = await questionsOf(tool, args.data);
    expect(asked.length > 0).toBe(tool.rights === "read");
  },
);
