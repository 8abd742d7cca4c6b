import type { EpisodeDocument } from "@microremed/contracts";
import { expect, test } from "vitest";
import { divergencesOf } from "./divergences.ts";
import { anEpisode } from "./testdata/an-episode.ts";

function withObservation(content: string): EpisodeDocument {
  const { conversation, ...rest } = anEpisode();
  const changed = conversation.map((message, i) => (i === 3 ? { ...message, content } : message));
  return { ...rest, conversation: changed };
}

test("an episode does not diverge from itself", () => {
  expect(divergencesOf(anEpisode(), anEpisode())).toEqual([]);
});

test("other pods, ages and addresses are details; other differences count", () => {
  const recorded = withObservation("hello-7d9c5b8f6d-x2x7k  1/1  Running  3m12s  10.244.0.7");
  const elsewhere = withObservation("hello-5f6bd9c7d8-zzkl4  1/1  Running  40s   10.244.3.91");
  const pending = withObservation("hello-5f6bd9c7d8-zzkl4  0/1  Pending  40s   10.244.3.91");
  expect(divergencesOf(recorded, elsewhere)).toMatchObject([{ where: "message 4 (tool)", kind: "details" }]);
  const [found, ...more] = divergencesOf(recorded, pending);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ where: "message 4 (tool)", kind: "content" });
  expect(found?.difference).toContain("+hello-5f6bd9c7d8-zzkl4  0/1  Pending");
});

test("a missing message, another playbook, verdict and outcome are each named", () => {
  const recorded = anEpisode();
  const [step] = recorded.steps;
  if (step?.kind !== "act" || !step.verdict) throw new Error("the recorded playbook has a verdict");
  const failed = {
    ...step,
    arguments: { playbook: "- hosts: all\n" },
    verdict: { ...step.verdict, recovered: false },
  };
  const replayed = anEpisode({
    conversation: recorded.conversation.slice(0, -1),
    steps: [failed],
    outcome: "not-remediated",
  });
  expect(divergencesOf(recorded, replayed).map(({ where }) => where)).toEqual([
    "message 6 (tool)",
    "attempt 1: playbook",
    "attempt 1: verdict",
    "outcome",
  ]);
});
