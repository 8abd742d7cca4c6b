import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { aCase, aGym } from "../testing/a-gym.ts";
import { makeTraces } from "./make-traces.ts";
import type { TraceCase } from "./trace.types.ts";

const catalogue = await builtInCatalogue();
const { signal } = new AbortController();
const planned = (fault: string, given: object = {}): TraceCase => ({
  ...{ index: 4, part: "train", others: ["network-delay", "service-target-port"] },
  incident: { environment: "simple-micro", fault, target: "frontend", mechanism: "resources-too-small" },
  request: aCase({ fault, environment: "simple-micro", max_probes: 60, ...given }),
});

test("experts repair a case by commands and by playbooks, every trace is carried out and clean", async () => {
  await using gym = aGym({ soakSeconds: 0 });
  for (const acting of ["commands", "playbook"] as const) {
    const given = { acting, report: "none", max_attempts: acting === "playbook" ? 2 : 1 };
    const one = planned("pod-config-error", given);
    const { traces, refused, tools } = await makeTraces(
      one,
      { seed: 1, perCase: 3 },
      { gym, catalogue },
      signal,
    );
    expect(refused).toEqual({});
    expect(traces).toHaveLength(3);
    const offered = tools.map(({ name }) => name);
    for (const { conversation, parts, reward } of traces) {
      expect(parts).toMatchObject({ recovered: 1, clean: 1, refused: 0 });
      expect(reward).toBeGreaterThan(0.5);
      const called = conversation.flatMap((one) => (one.role === "assistant" ? one.toolCalls : []));
      for (const { name } of called) expect(offered).toContain(name);
      // Nothing that a model is not given.
      expect(JSON.stringify(conversation)).not.toMatch(/exchange|milliseconds/);
    }
    expect(new Set(traces.map(({ conversation }) => JSON.stringify(conversation))).size).toBe(3);
  }
  expect(gym.counts.episodes).toBe(0);
});

test("questions are answered rightly, of a fault and of nothing", async () => {
  await using gym = aGym({ soakSeconds: 0 });
  const recipe = { seed: 1, perCase: 2 };
  for (const task of ["detection", "localization", "analysis"])
    for (const fault of ["pod-config-error", "none"]) {
      const target = fault === "none" ? "time-service" : "hello-service";
      const one = planned(fault, { task, report: "none", target });
      const { traces, refused } = await makeTraces(one, recipe, { gym, catalogue }, signal);
      expect([task, fault, refused]).toEqual([task, fault, {}]);
      expect(traces).toHaveLength(2);
      for (const { parts } of traces) expect(parts).toMatchObject({ graded: 1, recovered: null });
    }
  const left = planned("none", { report: "none", target: "time-service" });
  const { traces } = await makeTraces(left, recipe, { gym, catalogue }, signal);
  expect(traces.map(({ parts }) => parts)).toMatchObject([{ clean: 1 }, { clean: 1 }]);
  const blind = { ...catalogue.faults.get("pod-config-error") };
  const wrong = { ...blind, evidence: catalogue.faults.get("service-target-port").evidence };
  const faults = {
    ...catalogue.faults,
    get: (name: string) => (name === blind.name ? wrong : catalogue.faults.get(name)),
  };
  const none = planned("pod-config-error", { task: "localization", report: "none" });
  const unseen = await makeTraces(
    none,
    recipe,
    { gym, catalogue: { ...catalogue, faults } as never },
    signal,
  );
  expect(unseen).toMatchObject({ traces: [], refused: { "not found": 2 } });
});

test("what does not recover is no trace, and a case that cannot be started says so", async () => {
  await using gym = aGym({ soakSeconds: 0 });
  const runbook = {
    observe: () => "kubectl get pods",
    act: () => ({ title: "Look again", commands: ["kubectl get pods"] }),
  };
  const fault = { ...catalogue.faults.get("pod-config-error"), runbook };
  const faults = {
    ...catalogue.faults,
    get: (name: string) => (name === fault.name ? fault : catalogue.faults.get(name)),
  };
  const work = { gym, catalogue: { ...catalogue, faults } };
  const wrong = await makeTraces(planned("pod-config-error"), { seed: 1, perCase: 2 }, work, signal);
  expect(wrong).toMatchObject({ traces: [], refused: { "not recovered": 2 } });
  const nowhere = planned("pod-config-error", { target: "no-such" });
  expect(await makeTraces(nowhere, { seed: 1, perCase: 2 }, work, signal)).toMatchObject({
    ...{ traces: [], refused: { "not started": 2 } },
  });
  expect(gym.counts.episodes).toBe(0);
});
