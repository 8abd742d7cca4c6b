import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EpisodeRecord } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { telemetryFile, unpackTelemetry } from "@microremed/telemetry";
import { telemetryFiles } from "@microremed/telemetry/files";
import { expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

const catalogue = await builtInCatalogue();

/** Every byte of telemetry of an experiment's episodes: as it is saved, and as it is exported. */
async function telemetryOf(seed: number): Promise<ReadonlyMap<string, Buffer>> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-same-"));
  await using range = await startInProcessRange({
    catalogue,
    environments: ["online-boutique"],
    seed,
    env: { TELEMETRY_DIR: dir.path },
  });
  const asked = await range.client.submit({
    id: "same",
    environment: "online-boutique",
    model: "reference/runbook",
    method: "ReAct",
    task: ["detection", "mitigation"],
    failures: ["network-loss", "pod-fail", "none"],
    seed: 7,
  });
  expect(asked).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events("same", AbortSignal.timeout(600_000)))
    if (event.type === "experiment-finished") break;
  const { episodes } = await range.client.experiment("same");
  const files = await Promise.all(episodes.map((episode) => filesOf(episode, dir.path)));
  return new Map(files.flat());
}

async function filesOf({ id, trial }: EpisodeRecord, directory: string): Promise<[string, Buffer][]> {
  const path = join(directory, telemetryFile(id, trial));
  const packed = await readFile(path);
  const exported = telemetryFiles(unpackTelemetry(packed, path).window, {});
  return [
    [id, packed],
    ...[...exported].map(([name, content]): [string, Buffer] => [`${id}/${name}`, Buffer.from(content)]),
  ];
}

test("the same seed gives the same telemetry, byte for byte; another seed gives another", async () => {
  const [first, again, other] = [await telemetryOf(1), await telemetryOf(1), await telemetryOf(2)];
  expect(first.size).toBe(6 * 6);
  const differing = [...first].filter(([name, bytes]) => !again.get(name)?.equals(bytes));
  expect(differing.map(([name]) => name)).toEqual([]);
  expect(other.get("same.0000/metrics.csv")?.equals(first.get("same.0000/metrics.csv") as Buffer)).toBe(
    false,
  );
});
