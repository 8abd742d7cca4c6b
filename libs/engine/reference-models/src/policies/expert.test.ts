import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { keyOf, type Situation } from "../policy.ts";
import { answerCommand } from "../testing/answer-command.ts";
import { expert } from "./expert.ts";

const { faults } = await builtInCatalogue();
/** Their evidence is another image whose program runs; the last one's is in a rollout that was paused since. */
const library = ["connection-pool-exhausted", "image-buggy-version", "rollout-half-done"].map((name) =>
  faults.get(name),
);

/** What the expert does where the change log says this, and every other call shows nothing. */
function repairAfter(...changes: readonly string[]): string {
  const answers = new Map<string, string>();
  for (;;) {
    const situation: Situation = {
      ...{ report: { environment: "shop", namespace: "shop" }, attempt: 1, seed: 1, canProbe: true },
      ...{
        observations: [],
        tools: ["exec_shell", "diff_since", "wait"],
        answers,
        pausesBefore: 0,
        answer: null,
      },
    };
    const move = expert.repair(situation, library);
    if ("command" in move) return move.command ?? "";
    if (!("call" in move)) throw new Error("neither a call nor a repair");
    const { tool, arguments: args } = move.call;
    const nothing = (): string => "";
    const answer =
      tool === "diff_since" ? changes.join("\n") : answerCommand(String(args["command"]), nothing);
    answers.set(keyOf(move.call), answer);
  }
}

const image =
  '00:01:56 deployment/geo (rollout): template.spec.containers[main].image: "geo:latest" -> "geo:app3"';
const undone = (command: string): number => command.split("rollout undo").length - 1;

test("what several faults have as evidence is undone once: undone twice it is as it was", () => {
  const command = repairAfter("1 change since 00:01:55, the latest first", image);
  expect(undone(command)).toBe(1);
  expect(command).not.toContain("rollout resume");
});

test("a rollout that was paused goes on before it is undone", () => {
  const paused = "00:01:57 deployment/geo (change): spec.paused is now true";
  const command = repairAfter("2 changes since 00:01:55, the latest first", paused, image);
  expect(undone(command)).toBe(1);
  expect(command).toContain("rollout resume");
});
