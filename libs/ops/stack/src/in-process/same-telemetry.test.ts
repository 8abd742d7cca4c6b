import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shareOf } from "@microremed/catalogue/testing";
import type { EpisodeRecord } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { telemetryFile, unpackTelemetry } from "@microremed/telemetry";
import { telemetryFiles } from "@microremed/telemetry/files";
import { expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

const catalogue = await builtInCatalogue();

/** Every byte of telemetry of an experiment's episodes: as it is saved, and as it is exported. */
async function telemetryOf(
  environment: string,
  failures: readonly string[],
  seed: number,
): Promise<ReadonlyMap<string, Buffer>> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-same-"));
  await using range = await startInProcessRange({
    catalogue,
    environments: [environment],
    seed,
    env: { TELEMETRY_DIR: dir.path },
  });
  const asked = await range.client.submit({
    id: "same",
    environment,
    model: "reference/runbook",
    method: "ReAct",
    task: ["detection", "mitigation"],
    failures: [...failures],
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

const differing = (one: ReadonlyMap<string, Buffer>, other: ReadonlyMap<string, Buffer>): string[] =>
  [...one].flatMap(([name, bytes]) => (other.get(name)?.equals(bytes) ? [] : [name]));

test("the same seed gives the same telemetry, byte for byte; another seed gives another", async () => {
  const of = (seed: number) => telemetryOf("simple-micro", ["network-loss", "pod-fail"], seed);
  const [first, again, other] = [await of(1), await of(1), await of(2)];
  expect(first.size).toBe(4 * 6);
  expect(differing(first, again)).toEqual([]);
  expect(differing(first, other)).toContain("same.0000/metrics.csv");
});

/** A whole proof (WHOLE_PROOF=true) takes every environment. */
const others = catalogue.environments.names.filter((name) => name !== "simple-micro");

test.each(shareOf(others, others.length))(
  "the same seed gives the same telemetry, byte for byte, on %s",
  async (environment) => {
    const of = () => telemetryOf(environment, ["network-loss"], 1);
    const [first, again] = [await of(), await of()];
    expect(first.size).toBe(2 * 6);
    expect(differing(first, again)).toEqual([]);
  },
);
