import { checkPlaybook, parsePlaybook } from "@microremed/ansible";
import type { ReferenceName } from "@microremed/llm/reference-names";
import { createPolicyRegistry } from "@microremed/policies";
import { builtInCatalogue } from "@microremed/registry";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import type { Move, Situation } from "../policy.ts";
import { policies } from "./index.ts";

const situation = (failure: string, overrides: Partial<Situation> = {}): Situation => ({
  report: { environment: "online-boutique", namespace: "shop-1", failure, target: "cartservice" },
  attempt: 1,
  seed: 1,
  canProbe: false,
  observations: [],
  tools: [],
  answers: new Map(),
  pausesBefore: 0,
  answer: null,
  ...overrides,
});

const library = (await builtInCatalogue()).faults.all();
const repair = (name: ReferenceName, one: Situation) => policies[name].repair(one, library);

const scriptOf = (move: Move): string => {
  if (!("playbook" in move)) throw new Error("no playbook");
  const plays = load(move.playbook) as { hosts: string; tasks: Record<string, string>[] }[];
  expect(plays).toHaveLength(1);
  expect(plays[0]).toMatchObject({ hosts: "k3s_control_plane", gather_facts: false });
  expect(plays[0]?.tasks).toHaveLength(1);
  return plays[0]?.tasks[0]?.["ansible.builtin.shell"] ?? "";
};

test("noop's playbook is valid and runs no command", () => {
  expect(scriptOf(repair("reference/noop", situation("cpu-stress")))).toBe("");
});

test("restart restarts the named workload and waits a bounded time, whatever the failure", () => {
  const script = scriptOf(repair("reference/restart", situation("network-loss", { canProbe: true })));
  expect(script).toMatchInlineSnapshot(`
    "set -e
    workload=$(kubectl -n shop-1 get deployment/cartservice statefulset/cartservice --ignore-not-found -o name)
    kubectl -n shop-1 rollout restart "$workload"
    kubectl -n shop-1 rollout status "$workload" --timeout=20s || echo "still rolling out"
    "
  `);
});

test.each([
  ["cpu-stress", "stresschaos"],
  ["memory-stress", "stresschaos"],
  ["disk-io", "iochaos"],
  ["network-loss", "networkchaos"],
  ["network-delay", "networkchaos"],
  ["pod-fail", "podchaos"],
])(
  "runbook, unable to observe, removes the cause of %s where there is one and restarts where there is none",
  (failure, kind) => {
    const script = scriptOf(repair("reference/runbook", situation(failure)));
    expect(script.split("\n")).toEqual([
      "set -e",
      `if kubectl -n shop-1 get ${kind} -o name | grep -q .; then`,
      `kubectl -n shop-1 delete ${kind} --all --ignore-not-found --timeout=60s`,
      "else",
      expect.stringMatching(/^workload=/),
      expect.stringContaining("rollout restart"),
      expect.stringContaining("rollout status"),
      "fi",
      "",
    ]);
  },
);

test("runbook observes first when it may, and removes what it saw", () => {
  const runbook = (one: Situation) => repair("reference/runbook", one);
  expect(runbook(situation("cpu-stress", { canProbe: true }))).toEqual({
    probe: "kubectl -n shop-1 get stresschaos -o name",
  });
  const seen = ["exit code 0\nstresschaos.chaos-mesh.org/a-1\nstresschaos.chaos-mesh.org/b; rm -rf /\n"];
  expect(scriptOf(runbook(situation("cpu-stress", { canProbe: true, observations: seen })))).toBe(
    "set -e\nkubectl -n shop-1 delete stresschaos.chaos-mesh.org/a-1 --ignore-not-found --timeout=60s\n",
  );
  for (const observations of [["exit code 1\nError: forbidden"], ["exit code 0\n(no output)"]]) {
    const script = scriptOf(runbook(situation("cpu-stress", { canProbe: true, observations })));
    expect(script).toContain("rollout restart");
    expect(script).not.toContain("delete");
  }
});

test("runbook restarts as well when removing the cause was not enough", () => {
  const script = scriptOf(repair("reference/runbook", situation("pod-fail", { attempt: 2 })));
  expect(script).toContain("delete podchaos --all");
  expect(script).toContain('rollout restart "$workload"');
});

test("runbook reverts a wrong configuration, with the kind as the probe saw it", () => {
  const runbook = (one: Situation) => repair("reference/runbook", one);
  expect(runbook(situation("pod-config-error", { canProbe: true }))).toMatchInlineSnapshot(`
    {
      "probe": "kubectl -n shop-1 get deployment,statefulset -o jsonpath='{range .items[*]}{.kind}/{.metadata.name} {.spec.template.spec.containers[*].resources}{"\\n"}{end}'",
    }
  `);
  const observations = ['exit code 0\nDeployment/cartservice {"limits":{"cpu":"2m"}}\nStatefulSet/db {}'];
  expect(
    scriptOf(runbook(situation("pod-config-error", { canProbe: true, observations }))),
  ).toMatchInlineSnapshot(`
    "set -e
    workload=deployment/cartservice
    kubectl -n shop-1 rollout undo "$workload"
    case "$workload" in statefulset*)
      selector=$(kubectl -n shop-1 get "$workload" -o jsonpath='{.spec.selector.matchLabels}' | tr -d '{}"' | tr : =)
      kubectl -n shop-1 delete pod -l "\${selector:?}" --wait=false ;;
    esac
    kubectl -n shop-1 rollout status "$workload" --timeout=20s || echo "still rolling out"
    "
  `);
  expect(scriptOf(runbook(situation("pod-config-error")))).toContain(
    "workload=$(kubectl -n shop-1 get deployment",
  );
});

test("runbook never undoes twice, which would bring the wrong configuration back", () => {
  const script = scriptOf(repair("reference/runbook", situation("pod-config-error", { attempt: 2 })));
  expect(script).not.toContain("undo");
  expect(script).toContain("rollout restart");
});

test("runbook restarts for a category that it does not know", () => {
  const script = scriptOf(repair("reference/runbook", situation("toString")));
  expect(script).toContain("rollout restart");
});

test("the guard lets every playbook of rules pass under its default policy", async () => {
  const guard = { policy: createPolicyRegistry().get("guarded"), namespace: "shop-1" };
  const failures = ["cpu-stress", "disk-io", "network-loss", "pod-fail", "pod-config-error", "unheard-of"];
  // A network may write a wrong name, which the guard is there for.
  const { "reference/learned": _, ...rules } = policies;
  const moves = Object.values(rules).flatMap((policy) =>
    failures.flatMap((failure) =>
      [1, 2].map((attempt) => policy.repair(situation(failure, { attempt }), library)),
    ),
  );
  for (const move of moves) {
    const parsed = parsePlaybook("playbook" in move ? move.playbook : "");
    expect(parsed.ok && (await checkPlaybook(parsed.plays, guard))).toEqual([]);
  }
});

test("random draws one of its actions by the seed alone, and in time all of them", async () => {
  const random = (one: Situation) => repair("reference/random", one);
  const guard = { policy: createPolicyRegistry().get("guarded"), namespace: "shop-1" };
  const titles = new Set<string>();
  for (let seed = 0; seed < 200; seed++) {
    const move = random(situation("cpu-stress", { seed, canProbe: true }));
    expect(random(situation("cpu-stress", { seed, canProbe: true }))).toEqual(move);
    if (!("playbook" in move)) throw new Error("it probed");
    const parsed = parsePlaybook(move.playbook);
    expect(parsed.ok && (await checkPlaybook(parsed.plays, guard))).toEqual([]);
    titles.add(/name: (.*)/.exec(move.playbook)?.[1] ?? "");
  }
  expect(titles.size).toBe(8);
  const report = { environment: "online-boutique", namespace: "shop-1" };
  expect(scriptOf(random(situation("", { report, seed: 2 })))).toContain(
    "get deployment,statefulset -o name",
  );
});
