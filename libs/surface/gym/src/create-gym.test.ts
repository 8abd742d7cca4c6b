import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import type { Action } from "./episode/action.ts";
import type { Result } from "./gym.types.ts";
import { aCase, aGym, submitted, typed } from "./testing/a-gym.ts";

/** An episode's bytes, without its own name. */
const bytes = (id: string, results: readonly Result[]): string =>
  JSON.stringify(results).replaceAll(`"${id}"`, '"*"');

const reading = typed("kubectl get pods -o wide; kubectl get events | tail -n 5");
const repair = typed("kubectl delete podchaos --all");

test("the same seed and answers give the same bytes, whatever other episodes do between the steps", async () => {
  const played = async (others: boolean): Promise<string> => {
    await using gym = aGym();
    const results = [await gym.reset("one", aCase())];
    if (others) await gym.reset("other", aCase({ fault: "cpu-stress" }));
    for (const action of [reading, repair, { text: "Is that all?" }, submitted] satisfies Action[]) {
      if (others && !gym.current("other").done)
        await gym.step("other", typed("kubectl rollout restart deployment --all"));
      results.push(await gym.step("one", action));
    }
    return bytes("one", results);
  };
  const alone = await played(false);
  expect(await played(true)).toBe(alone);
  expect(alone).toContain('"clean":1');
});

test("a fork's branches differ only by their actions, and go on without the episode that they come from", async () => {
  await using gym = aGym();
  await gym.reset("root", aCase());
  await gym.step("root", reading);
  const forks = gym.fork("root", ["a", "b", "c"]);
  expect(forks.map(({ observation }) => observation.text)).toEqual(
    Array(3).fill(gym.current("root").observation.text),
  );
  gym.close("root");
  const played = async (id: string, actions: readonly Action[]): Promise<string> => {
    const results: Result[] = [];
    for (const action of actions) results.push(await gym.step(id, action));
    return bytes(id, results);
  };
  const [a, c, b] = [
    await played("a", [repair, submitted]),
    await played("c", [submitted]),
    await played("b", [repair, submitted]),
  ];
  expect(b).toBe(a);
  expect(c).not.toBe(a);
  expect(gym.current("a").reward).toBeGreaterThan(0.9);
  expect(gym.current("c").reward).toBeLessThanOrEqual(0);
  // What was said before the fork is the same.
  expect(gym.state("c").conversation.slice(0, 3)).toEqual(gym.state("a").conversation.slice(0, 3));
});

test("a playbook ends the attempt, and a second attempt gets what came of the first", async () => {
  await using gym = aGym();
  const first = await gym.reset("p", aCase({ acting: "playbook", max_attempts: 2 }));
  const names = first.observation.tools?.map(({ name }) => name);
  expect(names).toContain("print_playbook");
  expect(names).not.toContain("undo_last_action");
  expect(names).not.toContain("exec_shell");
  const read = (command: string) => ({ tool: "probe_system", arguments: { command } });
  expect((await gym.step("p", read("kubectl get pods"))).observation.text).toContain("Running");
  const refused = await gym.step("p", read("kubectl delete podchaos --all"));
  expect(refused.observation.text).toMatch(/^Not run|only read/i);
  const play = (command: string) =>
    `- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.command: ${command}\n`;
  const wrong = await gym.step("p", {
    tool: "print_playbook",
    arguments: { playbook: play("kubectl get pods") },
  });
  expect(wrong).toMatchObject({ reward: 0, done: false, observation: { attempt: 2 } });
  expect(wrong.observation.text).toMatch(/^Recovered: no$/m);
  const right = await gym.step("p", {
    tool: "print_playbook",
    arguments: { playbook: play("kubectl delete podchaos --all") },
  });
  expect(right).toMatchObject({ done: true, observation: { reward_parts: { recovered: 1, clean: 1 } } });
});

test("a control is rewarded for being left alone, and not for a restart of everything", async () => {
  await using gym = aGym();
  await gym.reset("calm", aCase({ fault: "none" }));
  gym.fork("calm", ["busy"]);
  const calm = await gym.step("calm", submitted);
  expect(calm).toMatchObject({ done: true, observation: { reward_parts: { recovered: 1, clean: 1 } } });
  await gym.step("busy", typed("kubectl scale deployment --all --replicas=3"));
  const busy = await gym.step("busy", submitted);
  expect(busy.observation.reward_parts?.clean).toBe(0);
  expect(busy.reward).toBeLessThanOrEqual(0);
  expect(calm.reward).toBeGreaterThan(0.9);
});

test("questions are graded by their graders, and nothing that the agent gets says what is wrong", async () => {
  await using gym = aGym();
  const asked = await gym.reset("q", aCase({ task: "localization", fault: "memory-stress" }));
  expect(asked.observation.may_act).toBe(false);
  const state = gym.state("q");
  expect(JSON.stringify(state.truth)).toContain("affected");
  expect(JSON.stringify(asked)).not.toMatch(/memory-stress|StressChaos|truth/);
  gym.fork("q", ["wrong"]);
  const { target } = state.case;
  const answered = await gym.step("q", {
    tool: "submit",
    arguments: { objects: [{ kind: "Deployment", name: target }] },
  });
  expect(answered).toMatchObject({ done: true, observation: { reward_parts: { graded: 1, clean: null } } });
  const wrong = await gym.step("wrong", { tool: "submit", arguments: { objects: [] } });
  expect(wrong.observation.reward_parts?.graded).toBe(0);
});

test("what is asked wrongly is refused with what would be right, and an aborted step leaves the episode as it was", async () => {
  await using gym = aGym();
  const reset = (given: object) => gym.reset("x", aCase(given));
  await expect(reset({ fault: "pod-fail", strength: "strong" })).rejects.toThrow(
    /has no strength "strong"; it has/,
  );
  await expect(reset({ fault: "no-such" })).rejects.toThrow(/no-such/);
  await expect(reset({ target: "no-such" })).rejects.toThrow(/no-such/);
  await expect(reset({ fault: undefined, suite: "easy@1", case: 9_999 })).rejects.toThrow(
    /no case 9999: easy@1 has \d+/,
  );
  expect(() => aCase({ suite: "easy@1" })).toThrow(/at most one of suite, problem and fault/);
  await gym.reset("x", aCase());
  await expect(reset({})).rejects.toThrow(/there is an episode x already/);
  const before = gym.state("x");
  await expect(gym.step("x", repair, AbortSignal.abort(new Error("too late")))).rejects.toThrow(
    /too late|abort/i,
  );
  expect(gym.state("x")).toEqual(before);
  await expect(Promise.all([gym.step("x", reading), gym.step("x", reading)])).rejects.toThrow(
    /in the middle of a step/,
  );
  await expect(gym.step("y", reading)).rejects.toThrow(/there is no episode "y"/);
});

test("a client that goes away while a case starts does not take the start from others who wait for it", async () => {
  await using gym = aGym();
  const gone = new AbortController();
  const first = gym.reset("first", aCase(), gone.signal);
  const second = gym.reset("second", aCase());
  gone.abort(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  expect((await second).observation.step_count).toBe(0);
  expect(gym.counts).toEqual({ episodes: 1, starts: 1 });
  expect((await gym.reset("first", aCase())).observation.text).toBe((await second).observation.text);
});

test("starts are kept up to their bound, and a step of a forgotten start still works", async () => {
  await using gym = aGym({ starts: 2 });
  const faults = ["pod-fail", "network-delay", "pod-config-error"];
  for (const fault of faults) await gym.reset(fault, aCase({ fault }));
  expect(gym.counts).toEqual({ episodes: 3, starts: 2 });
  const random = createRng(1).pick(faults);
  expect((await gym.step(random, reading)).observation.text).toContain("exit code 0");
  for (const fault of faults) gym.close(fault);
  expect(gym.counts.episodes).toBe(0);
});

test("an episode that is closed in the middle of a step ends the step, and its id is free again", async () => {
  await using gym = aGym();
  await gym.reset("x", aCase());
  const step = gym.step("x", typed("sleep 50; kubectl get pods"));
  const waited = expect(step).rejects.toThrow(/closed in the middle of a step/);
  gym.close("x");
  await waited;
  expect(gym.counts.episodes).toBe(0);
  expect((await gym.reset("x", aCase())).done).toBe(false);
  const reset = gym.reset("y", aCase({ fault: "network-delay" }));
  const begun = expect(reset).rejects.toThrow(/closed/);
  gym.close("y");
  await begun;
  expect(gym.counts.episodes).toBe(1);
});

test("who acts by a playbook is given the words for it, and may leave a healthy system alone", async () => {
  await using gym = aGym({ soakSeconds: 0 });
  const begun = await gym.reset("x", aCase({ fault: "none", acting: "playbook", max_attempts: 3 }));
  const names = begun.observation.tools?.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["print_playbook", "submit"]));
  expect(begun.observation.text).toContain("A playbook ends an attempt");
  const { reward, observation } = await gym.step("x", submitted);
  expect(observation.reward_parts).toMatchObject({ clean: 1, parseable: 1 });
  expect(reward).toBeGreaterThan(0.9);
});
