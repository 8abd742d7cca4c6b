import { readdirSync } from "node:fs";
import { type Agent, canDo } from "@microremed/catalogue";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { aCommand, aTurn, calls, play, playbook, transcript, unpairedCalls } from "./testing/turn-fixture.ts";

const { agents } = await builtInCatalogue();
const repairing = agents.all().filter((agent) => canDo(agent, "mitigation"));

const print = ["print_playbook", { playbook }] as const;
const look = ["probe_system", { command: "kubectl get pods -n online-boutique" }] as const;
const feedback = { execution: "fatal: [k3s_control_plane]: FAILED!", recovered: false };

const plain = (name: string): string => name.toLowerCase().replaceAll("-", "");
const folders = readdirSync(new URL("../../../catalogue/agents", import.meta.url));

/** An agent's folder has its name; capitals and dashes don't count. */
const folderOf = ({ name }: Agent) => folders.find((folder) => plain(folder) === plain(name));

/** Up to two attempts: observes once if it can, hands in a playbook, fails, hands in another one. */
async function anEpisode(agent: Agent) {
  const byHand = { playbook: agent.byHand ? playbook : null };
  const observes = agent.tools.includes("probe_system");
  const first = aTurn([...(observes ? [calls(look)] : []), calls(print)], { command: aCommand(byHand) });
  const solutions = [await play(agent.name, first)];
  if (agent.maxAttempts(2) < 2) return { solutions, stored: first.stored };
  const command = aCommand({ ...byHand, attempt: 2, feedback });
  const second = aTurn([calls(print)], { command, stored: first.stored });
  solutions.push(await play(agent.name, second));
  return { solutions, stored: second.stored };
}

test.each(repairing)(
  "$name sends exactly these messages and hands in a playbook each time",
  async (agent) => {
    const { solutions, stored } = await anEpisode(agent);
    for (const solution of solutions) {
      expect(solution).toMatchObject({ status: "act", tool: "run_playbook", arguments: { playbook } });
    }
    expect(unpairedCalls(stored)).toEqual([]);
    expect(stored.find(({ role }) => role === "user")?.content).toContain("# Failure report");
    const golden = `../../../catalogue/agents/${folderOf(agent)}/golden.txt`;
    await expect(transcript(stored)).toMatchFileSnapshot(golden);
  },
);
