import { expect, test } from "vitest";
import type { CauseLabels, Evidence, Finding } from "./evidence.ts";
import { templateEvidence } from "./template-evidence.ts";

const labels: CauseLabels = {
  mechanism: "wrong-probe",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};
const probe = { of: "container", field: "readinessProbe" } as const;
const step = (evidence: Evidence, answers: readonly string[]) =>
  evidence.next(answers, { namespace: "shop" });
const log = (what: string) => `1 change\n00:00:41 deployment/web (rollout): ${what}`;
const at = "template.spec.containers[main].readinessProbe";

test("undoes the differences of the log in what is there now", () => {
  const evidence = templateEvidence(labels, probe, ({ was, is }) => was !== is);
  const text = log(
    `${at}.httpGet.port: 80 -> 81; ${at}.initialDelaySeconds: 1 -> absent; ${at}.periodSeconds: absent -> 9`,
  );
  const call = step(evidence, [text]);
  expect(call).toMatchObject({ arguments: { command: expect.stringContaining("get deployments") } });
  const live = [
    { name: "side" },
    { name: "main", readinessProbe: { httpGet: { port: 81 }, periodSeconds: 9 } },
  ];
  const [found] = step(evidence, [text, JSON.stringify(live)]) as readonly Finding[];
  expect(found).toMatchObject({
    object: { kind: "Deployment", name: "web" },
    field: "spec.template.spec.containers[name=main].readinessProbe",
    wrong: '{"httpGet":{"port":81},"periodSeconds":9}',
    right: '{"httpGet":{"port":80},"initialDelaySeconds":1}',
  });
});

test("what was not there before is none, and what is there no more comes back in its place", () => {
  const whole = templateEvidence(labels, { of: "pod", field: "initContainers" }, () => true);
  const added = log('template.spec.initContainers: absent -> [{"name":"a"}]');
  expect(step(whole, [added, '[{"name":"a"}]'])).toMatchObject([{ wrong: '[{"name":"a"}]', right: "none" }]);
  const list = templateEvidence(labels, { of: "container", field: "command" }, () => true);
  const cut = log(
    'template.spec.containers[main].command[0]: "a" -> "b"; template.spec.containers[main].command[1]: "c" -> absent',
  );
  const live = JSON.stringify([{ name: "main", command: ["b"] }]);
  expect(step(list, [cut, live])).toMatchObject([{ wrong: '["b"]', right: '["a","c"]' }]);
  const grown = log(
    'template.spec.containers[main].command[1]: absent -> "b"; template.spec.containers[main].command[2]: absent -> "c"',
  );
  const longer = JSON.stringify([{ name: "main", command: ["a", "b", "c"] }]);
  expect(step(list, [grown, longer])).toMatchObject([{ wrong: '["a","b","c"]', right: '["a"]' }]);
});

test("reads no workload for a change elsewhere, nor one of which the log has no value before", () => {
  const evidence = templateEvidence(labels, probe, () => true);
  expect(step(evidence, [log("template.spec.containers[main].livenessProbe: absent -> {}")])).toEqual([]);
  expect(step(evidence, [log("spec.template.spec.containers[main].readinessProbe is now {}")])).toEqual([]);
});

test("asks the calls that it needs first, and names the part that is the cause", () => {
  const evidence = templateEvidence(
    labels,
    probe,
    ({ answers }) => ({ path: ".port", wrong: answers[0] ?? "", right: "none" }),
    [{ tool: "get_topology", arguments: {} }],
  );
  const text = log(`${at}: absent -> {}`);
  expect(step(evidence, [text])).toEqual({ tool: "get_topology", arguments: {} });
  expect(step(evidence, [text, "x", "[]"])).toMatchObject([
    { field: "spec.template.spec.containers[name=main].readinessProbe.port", wrong: "x" },
  ]);
});

test("a change that was undone is none", () => {
  const evidence = templateEvidence(labels, probe, ({ was, is }) => was !== is);
  const text = `2 changes
00:01:07 deployment/web (rollout): ${at}.httpGet.port: 81 -> 80
00:00:41 deployment/web (rollout): ${at}.httpGet.port: 80 -> 81`;
  expect(step(evidence, [text])).toEqual([]);
});

test("the line that says how the command ended is no part of the value, and no output is none", () => {
  const container = templateEvidence(labels, probe, () => true);
  const live = [{ name: "main", readinessProbe: { httpGet: { port: 81 } } }];
  expect(
    step(container, [log(`${at}.httpGet.port: 80 -> 81`), `exit code 0\n${JSON.stringify(live)}`]),
  ).toMatchObject([{ wrong: '{"httpGet":{"port":81}}', right: '{"httpGet":{"port":80}}' }]);
  const pod = templateEvidence(labels, { of: "pod", field: "dnsPolicy" }, ({ is }) => is !== undefined);
  const changed = log('template.spec.dnsPolicy: "ClusterFirst" -> "Default"');
  expect(step(pod, [changed, "exit code 0\nDefault"])).toMatchObject([
    { wrong: "Default", right: "ClusterFirst" },
  ]);
  expect(step(pod, [changed, "exit code 0\n(no output)"])).toEqual([]);
});

test("several rollouts of a field are undone one after the other, the last one first", () => {
  const args = { of: "container", field: "args" } as const;
  const evidence = templateEvidence(labels, args, () => true);
  const of = "deployment/web (rollout): template.spec.containers[main].args";
  const text = [
    "2 changes",
    `00:00:41 ${of}[0]: "--hz" -> "--requirepass"; template.spec.containers[main].args[1]: "12" -> "x"`,
    `00:00:12 ${of}: absent -> ["--hz","12"]`,
  ].join("\n");
  const live = JSON.stringify([{ name: "main", args: ["--requirepass", "x"] }]);
  expect(step(evidence, [text, live])).toMatchObject([{ wrong: '["--requirepass","x"]', right: "none" }]);
});
