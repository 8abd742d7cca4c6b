import { prepareArena } from "@microremed/arena";
import { arenaOn } from "@microremed/arena/testing";
import type { RunbookCase } from "@microremed/catalogue";
import { kinds } from "@microremed/cluster";
import { expect, test } from "vitest";
import { catalogue, ledger } from "./testing/entries.ts";
import { openPlace, type Place } from "./testing/proof-place.ts";

const { namespace } = ledger;

/** With the system in it. */
async function aPlace(): Promise<Place> {
  const place = openPlace(ledger);
  const arena = arenaOn(place.cluster, ledger, namespace, catalogue);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  return place;
}

/** Carries out what an expert does who knows the fault and its target, and nothing else. */
async function runbookOf(place: Place, fault: string, target: string): Promise<void> {
  const found: RunbookCase = { namespace, target, attempt: 1, observations: [] };
  const { commands = [] } = catalogue.faults.get(fault).runbook?.act(found) ?? {};
  expect(commands).not.toEqual([]);
  await run(place, ...commands);
}

async function run(place: Place, ...commands: readonly string[]): Promise<void> {
  const { code, output } = await place.run(["set -e", ...commands].join("\n"));
  expect(code, output).toBe(0);
}

test("what is scaled away gets as many replicas as there were, of either kind", async () => {
  await using place = await aPlace();
  const scale = (workload: string, replicas: number) =>
    run(
      place,
      `kubectl scale ${workload} --replicas=${replicas}`,
      `kubectl rollout status ${workload} --timeout=60s`,
    );
  await scale("deployment/counter", 3);
  await scale("deployment/counter", 0);
  await scale("statefulset/books", 0);
  await runbookOf(place, "replicas-zero", "counter");
  await runbookOf(place, "replicas-zero", "books");
  const counter = await place.cluster.get(kinds.deployment, namespace, "counter");
  const books = await place.cluster.get(kinds.statefulSet, namespace, "books");
  expect([counter?.spec?.replicas, books?.spec?.replicas]).toEqual([3, 2]);
});

test("a deleted Service gets all of its ports back, with their names", async () => {
  await using place = await aPlace();
  const ports = [
    { name: "http", port: 80, protocol: "TCP", targetPort: 8080 },
    { name: "old-api", port: 8080, protocol: "TCP", targetPort: 8080 },
  ];
  const patch = JSON.stringify([{ op: "replace", path: "/spec/ports", value: ports }]);
  await run(
    place,
    `kubectl patch service counter --type=json -p '${patch}'`,
    "kubectl rollout restart statefulset/books",
    "kubectl rollout status statefulset/books --timeout=100s",
    "kubectl delete service counter",
  );
  await runbookOf(place, "service-deleted", "counter");
  const again = await place.cluster.get(kinds.service, namespace, "counter");
  expect(again?.spec).toMatchObject({ ports, selector: { app: "counter" } });
});

/** A Deployment without pods that mounts the ConfigMap `<name>-files`. */
const mounts = (name: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [{ name: "store", image: "store:1", volumeMounts: [{ name: "files", mountPath: "/f" }] }],
        volumes: [{ name: "files", configMap: { name: `${name}-files` } }],
      },
    },
  },
});
const filesOf = (part: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: `store-${part}-files`, namespace, labels: { service: `store-${part}` } },
  data: { [`init-${part}.sh`]: `use ${part}-db # generated` },
});

test("a deleted ConfigMap is made as those of workloads with the same image are, unless these differ", async () => {
  await using place = await aPlace();
  const { cluster } = place;
  for (const part of ["rate", "user-geo", "old"]) {
    await cluster.create(mounts(`store-${part}`));
    if (part !== "rate") await cluster.create(filesOf(part));
  }
  const wanted = filesOf("rate");
  const { name } = wanted.metadata;
  const finding = {
    ...{ object: { kind: "ConfigMap", name }, field: "", wrong: "", right: "", seen: "cause" },
    ...{ workload: "store-rate", mechanism: "configuration-missing", systemLevel: "", faultType: "" },
  } as never;
  const found: RunbookCase = { namespace, target: "store-rate", attempt: 1, observations: [], finding };
  const { commands = [] } = catalogue.faults.get("configmap-deleted").runbook?.act(found) ?? {};
  await run(place, ...commands);
  expect(await cluster.get(kinds.configMap, namespace, name)).toMatchObject(wanted);

  await run(
    place,
    `kubectl delete configmap ${name}`,
    `kubectl patch configmap store-old-files -p '{"data":{"more":"files"}}'`,
  );
  const { code, output } = await place.run(["set -e", ...commands].join("\n"));
  expect(code).not.toBe(0);
  expect(output).toContain("workloads with the same image have different ConfigMaps");
  expect(await cluster.get(kinds.configMap, namespace, name)).toBeUndefined();
});
