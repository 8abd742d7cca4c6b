import { type ActStep, type EpisodeDocument, noUsage } from "@microremed/contracts";
import { misfits } from "@microremed/scoring/testing";
import { expect, test } from "vitest";
import { renderStoryHtml } from "./render-story-html.ts";
import { renderStoryText } from "./render-story-text.ts";
import { storyOf } from "./story.ts";
import { anEpisode } from "./testdata/an-episode.ts";

/** The same, with a failed first attempt before it. */
function inTwoAttempts(): EpisodeDocument {
  const { conversation, steps, ...rest } = anEpisode();
  const [step] = steps;
  if (step?.kind !== "act") throw new Error("the recorded episode has a playbook");
  const again = conversation
    .slice(1)
    .map((message) => (message.role === "user" ? { ...message, content: "It has not recovered." } : message));
  const playbook = `${step.arguments["playbook"]}# and wait\n`;
  const second = { ...step, number: 2, attempt: 2, arguments: { playbook } };
  return { ...rest, conversation: [...conversation, ...again], steps: [step, second] };
}

test("shows an episode in its order", () => {
  const { title, chapters } = storyOf(inTwoAttempts());
  expect(title).toBe("cpu-stress on hello-service of simple-micro: remediated");
  expect(chapters.map((chapter) => chapter.title)).toEqual([
    "Injection",
    "Attempt 1: conversation",
    "Attempt 1: playbook and verdict",
    "Attempt 2: conversation",
    "Attempt 2: playbook and verdict",
    "Damage, restore and times",
  ]);
  const [said] = chapters[3]?.blocks ?? [];
  expect(said).toMatchObject({ caption: "prompt", text: "It has not recovered." });
});

test("shows prompts, calls, observations, playbooks with their difference, tasks, measurements and verdicts", () => {
  const text = renderStoryText(storyOf(inTwoAttempts()));
  for (const part of [
    "2674 prompt (0 cached) and 342 completion",
    "call call_2 of probe_system\nkubectl -n simple-micro get stresschaos -o name",
    "observation for call_2, after",
    "what changed since attempt 1",
    "+# and wait",
    "Remove what disturbs hello-service  k3s-control-plane  changed",
    "strict verdict: recovered",
    "published rules: recovered",
    "oracle cpu: passed",
    "what users saw; mitigated after",
    "--- damage",
  ]) {
    expect(text).toContain(part);
  }
});

test("trials that broke off after the agent had been given something are shown", () => {
  const { steps } = anEpisode();
  const error = { code: "cluster-unreachable", message: "it was away", details: {} };
  const earlier = [{ trial: 1, target: "hello-service", arena: null, reason: "it was away", error, steps }];
  const text = renderStoryText(storyOf(anEpisode({ trial: 2, earlier })));
  expect(text).toMatch(/tries before this one[\s\S]*1 +hello-service +it was away +run_playbook/);
});

test("an episode that was never injected is a story too", () => {
  const unborn = anEpisode({
    injection: null,
    steps: [],
    conversation: [],
    outcome: "harness-error",
    damage: null,
  });
  expect(renderStoryText(storyOf(unborn))).toContain("nothing was injected");
});

test("no character of a model or cluster makes a text read as another", () => {
  const hostile = anEpisode({ reason: "safe\u202egnp.exe\u2066 a\u200bb\u2028c \u{e0041} \ud800" });
  for (const text of [renderStoryText(storyOf(hostile)), renderStoryHtml(storyOf(hostile))]) {
    expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(text).toContain("safe\\u202egnp.exe\\u2066 a\\u200bb\\u2028c \\udb40\\udc41 \\ud800");
  }
});

test("nothing of a model or cluster becomes markup or a terminal's control sequence", () => {
  const hostile = anEpisode({ reason: "<script>alert(1)</script>\u001b[2J" });
  hostile.conversation = [{ role: "user", content: "<img src=x>\u001b]0;title\u0007" }];
  expect(renderStoryHtml(storyOf(hostile))).not.toMatch(/<script|<img/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(renderStoryText(storyOf(hostile))).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
});

test("tables and summary of a story fit 80 columns with long names; texts keep their lines", () => {
  const long = "a-service-with-a-long-name-0123456789-and-more-of-it";
  const episode = anEpisode({ target: long, model: `openrouter/${long}`, method: `Method-${long}` });
  const evidence = episode.injection;
  if (!evidence) throw new Error("the recorded episode has an injection");
  const measured = {
    name: `cpu usage of ${long}/server`,
    value: 0.1234567,
    unit: "cores",
    threshold: 1.25,
    at: 99_000,
  };
  const verdict = { ...evidence.verdict, measurements: [measured] };
  const { title, summary, chapters } = storyOf({ ...episode, injection: { ...evidence, verdict } });
  const blocks = chapters.flatMap((chapter) => chapter.blocks);
  const tables = blocks.filter((block) => block.kind === "table");
  expect(tables.length).toBeGreaterThan(2);
  const text = renderStoryText({ title: "t", summary, chapters: [{ title: "c", blocks: tables }] }, 80);
  expect(
    misfits(
      text,
      tables.flatMap(({ table }) => table),
      80,
    ),
  ).toEqual([]);
  const line = `a line of a model ${long} ${long}`;
  const asSaid = {
    title,
    summary,
    chapters: [{ title: "c", blocks: [{ kind: "text", caption: "prompt", text: line }] }],
  } as const;
  expect(renderStoryText(asSaid, 80)).toContain(line);
});

const shellAct = (number: number, command: string): ActStep => ({
  ...{ number, attempt: 1, task: "mitigation", startedAt: 0, endedAt: 1, clusterTime: null },
  ...{ kind: "act", tool: "exec_shell", arguments: { command }, goesOn: true },
  result: {
    status: "ok",
    exitCode: 0,
    output: "deployment.apps/cart scaled\n",
    wallSeconds: 1,
    startedAt: 5,
  },
  changed: [{ apiVersion: "apps/v1", kind: "Deployment", name: "cart", before: null }],
  ...{ turn: { usage: noUsage, probes: 0 }, verdict: null, grade: null },
});

test("a problem's story names it with its task and all faults, and shows the actions within a turn", () => {
  const end = anEpisode().steps.at(-1);
  if (end?.kind !== "act") throw new Error("the recorded episode has a playbook");
  const grade = { passed: true, score: 1, parts: {}, reason: "" };
  const story = storyOf(
    anEpisode({
      task: "cycle",
      problem: {
        ...{ id: "range@1/two", environment: "simple-micro", report: "none", concealment: "neutral" },
        further: [{ failure: "network-loss", target: "database", at: 60 }],
      },
      steps: [
        shellAct(1, "kubectl scale deployment/cart --replicas=1"),
        shellAct(2, "kubectl get pods <now>"),
        {
          ...{ number: 3, attempt: 1, task: "mitigation", startedAt: 0, endedAt: 1, clusterTime: null },
          ...{ kind: "submit", tool: "nothing", arguments: null, reason: "the agent is done" },
          ...{ turn: { usage: noUsage, probes: 0 }, verdict: end.verdict, result: grade },
        },
      ],
    }),
  );
  expect(story.title).toBe("range@1/two, cycle: remediated");
  const pages = [renderStoryText(story, 80), renderStoryHtml(story).replaceAll("&lt;", "<")];
  for (const page of pages) {
    for (const part of [
      "range@1/two",
      "cpu-stress on hello-service; network-loss on database",
      "Attempt 1, mitigation: actions and verdict",
      "action 1: exec_shell",
      "kubectl scale deployment/cart --replicas=1",
      "Deployment/cart",
      "action 2: exec_shell",
      "the agent is done",
    ])
      expect(page.replaceAll(/\s+/g, " ")).toContain(part);
  }
});
