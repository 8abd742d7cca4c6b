import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Agent, canDo, type Solution } from "@microremed/catalogue";
import type { AttemptFeedback, ChatMessage } from "@microremed/contracts";
import type { ChatReply } from "@microremed/llm";
import { expect, test } from "vitest";
import { builtIn, proven, provenDirs } from "./testing/catalogues.ts";
import { shopReply } from "./testing/shop-reply.ts";
import {
  aCommand,
  aTurn,
  calls,
  handsIn,
  play,
  playbook,
  text,
  transcript,
  unpairedCalls,
} from "./testing/turn-fixture.ts";

/** Ours are played without the entries of others, so that their goldens do not depend on them. */
const catalogueOf = ({ name }: Agent) => (builtIn.agents.has(name) ? builtIn : proven);

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** An agent's folder has its name; capitals and dashes don't count. */
function goldenOf({ name }: Agent): string {
  const folders = provenDirs
    .map((dir) => join(dir, "agents"))
    .filter((dir) => existsSync(dir))
    .flatMap((dir) => readdirSync(dir).map((folder) => ({ folder, path: join(dir, folder, "golden.txt") })));
  const found = folders.find(({ folder }) => plain(folder) === plain(name));
  if (!found) throw new Error(`${name} has no folder`);
  return found.path;
}

/** One call of the first tool that the agent names, with the tool's own example. */
function aProbe(agent: Agent): ChatReply[] {
  const [name] = agent.tools;
  const tool = name === undefined ? undefined : catalogueOf(agent).tools.get(name);
  return tool?.kind === "observe" ? [calls([tool.publishedAs ?? tool.name, tool.example])] : [];
}

/** Up to two attempts on a task; what comes between them is `feedback`. */
async function anEpisode(
  agent: Agent,
  task: string,
  scripts: readonly (readonly ChatReply[])[],
  feedback: AttemptFeedback,
) {
  const stored: ChatMessage[] = [];
  const solutions = [];
  let offered: readonly string[] = [];
  for (const [index, script] of scripts.slice(0, agent.maxAttempts(scripts.length)).entries()) {
    let left = script;
    let command = aCommand({
      task,
      attempt: index + 1,
      playbook: agent.byHand ? playbook : null,
      ...(task !== "mitigation" && { diagnosis: { kind: "none" } }),
      feedback: index === 0 ? null : feedback,
    });
    for (let acted = 1; ; acted++) {
      // A turn of `once` is offered nothing to observe with.
      const turn = aTurn(left, {
        command,
        catalogue: catalogueOf(agent),
        stored,
        callsOnlyOffered: true,
        aside: "The cart's image is wrong; it should be 1.",
        ...(agent.code && { probeReply: shopReply }),
      });
      const solution = await play(agent.name, turn);
      stored.splice(0, stored.length, ...turn.stored);
      offered = turn.requests.find(handsIn)?.tools?.map(({ name }) => name) ?? offered;
      if (agent.code) expect(turn.requests).toEqual([]);
      // A turn whose result was lost is played again: it says nothing new.
      const again = aTurn([], { command, catalogue: catalogueOf(agent), stored });
      expect(await play(agent.name, again)).toEqual(solution);
      expect(again.stored).toEqual(stored);
      if (solution.status !== "act" || !solution.goesOn) {
        solutions.push(solution);
        break;
      }
      // Nothing has been changed, so there is nothing to undo.
      left = left.slice(turn.requests.filter(handsIn).length);
      command = { ...command, attemptNumber: index + 1, acted: { number: acted, execution: nothingUndone } };
    }
  }
  expect(unpairedCalls(stored)).toEqual([]);
  expect(stored.find(({ role }) => role === "user")?.content).toContain("# Failure report");
  const tools = agent.code
    ? `tools called: ${agent.tools.join(", ")}`
    : `tools offered: ${offered.join(", ")}`;
  const head = `##### ${task}, ${tools.endsWith(": ") ? `${tools}none` : tools}\n\n`;
  return { solutions, golden: `${head}${transcript(stored)}` };
}

/** How a turn ended, for the message of an assertion. */
const ended = (index: number, { status, ...rest }: Solution): string =>
  `attempt ${index + 1} ended with ${status}${"reason" in rest ? `: ${rest.reason}` : ""}`;

const nothingUndone = {
  status: "ok",
  exitCode: 0,
  output: "There is nothing to undo: no command has changed anything.",
  wallSeconds: 0,
} as const;

/** Whether it acts in the middle of a turn, and hands in no playbook. */
function actsByTools(agent: Agent): boolean {
  return agent.tools.map(catalogueOf(agent).tools.get).some((tool) => tool.kind === "observe" && tool.acts);
}

/** Observes once if it can, says that it is done, fails, says so again. */
async function aRepairByTools(agent: Agent): Promise<string> {
  const done = calls(["submit", {}]);
  const failed = { execution: "", recovered: false };
  const episode = await anEpisode(agent, "mitigation", [[...aProbe(agent), done], [done]], failed);
  for (const [index, solution] of episode.solutions.entries())
    expect(solution, ended(index, solution)).toMatchObject({ status: "done" });
  return episode.golden;
}

/** Observes once if it can, hands in a playbook, fails, hands in another one. */
async function aRepair(agent: Agent): Promise<string> {
  if (actsByTools(agent)) return aRepairByTools(agent);
  const print = calls(["print_playbook", { playbook }]);
  const failed = { execution: "fatal: [k3s_control_plane]: FAILED!", recovered: false };
  const episode = await anEpisode(agent, "mitigation", [[...aProbe(agent), print], [print]], failed);
  for (const [index, solution] of episode.solutions.entries())
    expect(solution, ended(index, solution)).toMatchObject({
      status: "act",
      tool: "run_playbook",
      arguments: { playbook },
    });
  return episode.golden;
}

/** Observes once if it can, answers in words alone twice, which is no answer, and answers in the next attempt. */
async function aQuestion(agent: Agent): Promise<string> {
  const wordy = [...aProbe(agent), text("Something is wrong."), text("Something is wrong!")];
  const answered = [calls(["submit", { anomaly: true }])];
  const unanswered = { execution: "the model's answer held no answer, twice", unanswered: true } as const;
  const { solutions, golden } = await anEpisode(agent, "detection", [wordy, answered], unanswered);
  if (solutions.length === 2)
    expect(solutions).toMatchObject([{ status: "nothing" }, { status: "submit", answer: { anomaly: true } }]);
  return golden;
}

/** Code does each of its tasks by itself, on answers of a small shop, and again after a failure. */
async function byItself(agent: Agent): Promise<string[]> {
  const tasks = catalogueOf(agent)
    .tasks.all()
    .filter(({ name }) => canDo(agent, name));
  const failed = { execution: "fatal: [k3s_control_plane]: FAILED!", recovered: false };
  const goldens: string[] = [];
  for (const { name, mayAct } of tasks) {
    const { solutions, golden } = await anEpisode(agent, name, mayAct ? [[], []] : [[]], failed);
    const ends = mayAct && actsByTools(agent) ? ["done"] : ["act", "submit"];
    for (const [index, solution] of solutions.entries())
      expect(ends, ended(index, solution)).toContain(solution.status);
    goldens.push(golden);
  }
  return goldens;
}

const byModel = async (agent: Agent): Promise<string[]> => [
  ...(canDo(agent, "mitigation") ? [await aRepair(agent)] : []),
  ...(canDo(agent, "detection") ? [await aQuestion(agent)] : []),
];

test.each(proven.agents.all())(
  "$name: sends exactly these messages and hands in a solution each time",
  async (agent) => {
    const episodes = await (agent.code ? byItself(agent) : byModel(agent));
    expect(episodes, "an agent must be able to do a task that is played here").not.toEqual([]);
    await expect(episodes.join("\n")).toMatchFileSnapshot(goldenOf(agent));
  },
);

test("a turn without tools to observe with is played by the same script", async () => {
  const command = aCommand({ method: "SoloGen" });
  const script = [calls(["get_logs", { of: "cart-0" }]), calls(["print_playbook", { playbook }])];
  const turn = aTurn(script, { command, callsOnlyOffered: true });
  expect(await play("SoloGen", turn)).toMatchObject({ status: "act", arguments: { playbook } });
  expect(turn.requests).toHaveLength(1);
});
