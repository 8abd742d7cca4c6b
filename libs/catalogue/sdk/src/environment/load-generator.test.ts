import { expect, test } from "vitest";
import type { z } from "zod";
import { aServiceManifest, aWorkloadManifest } from "../testing/some-manifests.ts";
import { defineEnvironment } from "./define-environment.ts";
import type { Environment } from "./environment.types.ts";
import type { LoadSpec } from "./load-format.ts";
import { environmentOn, withLoadGenerator } from "./load-generator.ts";
import type { Manifest } from "./manifest.ts";
import { renderManifests } from "./render-manifests.ts";

const shopWith = (workload: Partial<z.input<typeof LoadSpec>>, more: readonly Manifest[] = []) =>
  defineEnvironment({
    manifests: [
      aWorkloadManifest("Deployment", "front"),
      aServiceManifest("front", { selector: { app: "front" }, ports: [{ port: 80, targetPort: 8080 }] }),
      ...more,
    ],
    model: { name: "shop", description: "A shop.", source: "This test." },
    workload: { entry: "front:80", requestsPerSecond: 5, ...workload },
  });
const shop = shopWith({ requests: [{ method: "GET", path: "/cart?user=1", share: 1 }] });

const scriptOf = (environment: Environment): string => {
  const { data } = objectOf(withLoadGenerator(environment).manifests, "ConfigMap") as unknown as {
    readonly data: Readonly<Record<string, string>>;
  };
  return data["shop.js"] ?? "";
};
const objectOf = (all: readonly Manifest[], kind: string) =>
  all.find((one) => one.kind === kind && one.metadata.name === "load-generator");

/** Runs the script's function as k6 does, at a moment and with draws of its own; returns the addresses that it asks for. */
function asked(script: string, now: number, draws: readonly number[]): string[] {
  const urls: string[] = [];
  const left = [...draws];
  const body = script
    .replace(/^import .*$/gm, "")
    .replace("export const", "const")
    .replace("export default function", "const user = function");
  const http = { request: (_: string, url: string) => ({ status: 200, body: urls.push(url) }) };
  class Rate {
    add(): void {}
  }
  const user = new Function("http", "check", "exec", "Rate", "Math", "Date", `${body}; return user;`)(
    http,
    () => true,
    { scenario: { progress: 0 } },
    Rate,
    { ...{ cos: Math.cos, PI: Math.PI }, random: () => left.shift() },
    { now: () => now * 1000 },
  ) as () => void;
  while (left.length > 0) user();
  return urls;
}

test("a system that sends itself nothing gets a workload that does, which is no target, on clusters that don't", () => {
  expect(environmentOn({ sendsLoad: true }, shop)).toBe(shop);
  const made = environmentOn({ sendsLoad: false }, shop);
  expect(environmentOn({ sendsLoad: false }, shop)).toBe(made);
  expect(made.load.from).toBe("load-generator");
  expect(Object.keys(made.workloads)).toEqual(["front", "load-generator"]);
  expect(made.targets).toEqual(shop.targets);
  expect(made.workloads["load-generator"]?.calls).toMatchObject([{ to: "front", address: "front:80" }]);
  const objects = renderManifests(made, { namespace: "copy" });
  expect(objects.slice(-1)).toMatchObject([
    { kind: "Deployment", metadata: { name: "load-generator", namespace: "copy" } },
  ]);
  expect(objectOf(objects, "ConfigMap")?.metadata.namespace).toBe("copy");
});

test("its pod has no right: no token, no root, no capability, nothing to write to", () => {
  const { spec } = objectOf(withLoadGenerator(shop).manifests, "Deployment") as unknown as {
    spec: { template: { spec: Record<string, unknown> } };
  };
  expect(spec.template.spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    containers: [
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
          readOnlyRootFilesystem: true,
        },
      },
    ],
  });
});

test("one that sends its load itself stays what it is; a name that is taken is left alone", () => {
  const own = shopWith({ from: "front" });
  expect(withLoadGenerator(own)).toBe(own);
  const taken = shopWith({}, [aWorkloadManifest("Deployment", "load-generator")]);
  expect(withLoadGenerator(taken).load.from).toBe("load-generator-2");
});

test("users come at the highest rate for years, and each moment's share of them asks", () => {
  const bursts = { everySeconds: 100, durationSeconds: 10, factor: 4 };
  const script = scriptOf(shopWith({ bursts }));
  expect(JSON.parse(/options = (\{.*?\n\});/s.exec(script)?.[1] ?? "")).toMatchObject({
    scenarios: {
      users: { executor: "constant-arrival-rate", rate: 1200, timeUnit: "60s", duration: "87600h" },
    },
  });
  // In a burst all of them ask, else one of four; the second draw of each that asks is for its request.
  expect(asked(script, 5, [0.9, 0, 0.1, 0])).toHaveLength(2);
  expect(asked(script, 50, [0.9, 0.3, 0.2, 0])).toEqual(["http://front:80/"]);
  expect(asked(scriptOf(shop), 5, [0.5])).toEqual(["http://front:80/cart?user=1"]);
});

test("users of a closed loop are all there, and the last of them wait while fewer are to come", () => {
  const diurnal = { amplitude: 0.5, periodSeconds: 100, peakAtSeconds: 0 };
  const script = scriptOf(shopWith({ requestsPerSecond: undefined, users: 20, diurnal }));
  expect(JSON.parse(/options = (\{.*?\n\});/s.exec(script)?.[1] ?? "").scenarios.users).toEqual({
    executor: "constant-vus",
    vus: 30,
    duration: "87600h",
  });
  // While it runs k6 keeps its options in a form of its own.
  expect(script).toContain("if (exec.vu.idInTest > Math.round(share() * 30)) return sleep(1);");
});
