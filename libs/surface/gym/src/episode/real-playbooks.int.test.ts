import { silentLogger } from "@microremed/core";
import { afterAll, expect, test } from "vitest";
import { aCase, aGym, typed } from "../testing/a-gym.ts";
import { openPlaybookSandbox, startRealPlaybooks } from "./real-playbooks.ts";

const playbooks = startRealPlaybooks(await openPlaybookSandbox(silentLogger), silentLogger);
afterAll(() => playbooks[Symbol.asyncDispose]());

const written = (task: string) => ({
  tool: "print_playbook",
  arguments: { playbook: `- hosts: all\n  gather_facts: false\n  tasks:\n    - ${task}\n` },
});
// The interpreter has no such filter.
const right = written(
  `ansible.builtin.command: kubectl scale {{ ['ment', 'deploy'] | reverse | join }} --all --replicas=1`,
);
const wrong = written("ansible.builtin.command: kubectl get pods");
const asked = aCase({ fault: "replicas-zero", acting: "playbook" });

test("the real ansible-playbook repairs in the gym, and each branch of a fork has a system of its own", async () => {
  await using gym = aGym({ playbooks, soakSeconds: 0 });
  await gym.reset("a", asked);
  gym.fork("a", ["b", "c"]);
  const played = [await gym.step("b", right), await gym.step("a", wrong), await gym.step("c", right)];
  expect(played.map(({ observation: { reward_parts: parts } }) => [parts?.recovered, parts?.clean])).toEqual([
    [1, 1],
    [0, 0],
    [1, 1],
  ]);
  expect(JSON.stringify(gym.state("a").record)).toContain("PLAY RECAP");
});

test("between steps the wall clock does not drive the cluster's time", async () => {
  await using gym = aGym({ playbooks, soakSeconds: 0 });
  const { observation } = await gym.reset("a", asked);
  expect(observation.text).not.toBe("");
  const events = () => gym.step("a", typed("kubectl get events"));
  const [first, later] = [await events(), await events()];
  expect(first.observation.text).not.toBe("");
  expect(later.observation.text).toBe(first.observation.text);
});

test("a playbook that hangs fails after its time, and its attempt counts", async () => {
  await using gym = aGym({ playbooks, soakSeconds: 0, playbookSeconds: 2 });
  await gym.reset("a", asked);
  const { done, reward, observation } = await gym.step("a", written("ansible.builtin.command: sleep 1000"));
  expect([done, observation.reward_parts?.recovered]).toEqual([true, 0]);
  expect(reward).toBeLessThanOrEqual(0);
});
