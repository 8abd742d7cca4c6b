import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { arenaOn, openLocalWorld } from "@microremed/arena/testing";
import { silentLogger } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { unpackTelemetry } from "@microremed/telemetry";
import { expect, test } from "vitest";
import { saveTelemetry } from "./save-telemetry.ts";

const environment = (await builtInCatalogue()).environments.get("simple-micro");

test("an episode's telemetry is saved once: a command that comes again leaves it, and what cannot be saved is logged", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-telemetry-"));
  using world = openLocalWorld(environment);
  const { cluster } = world;
  const said: string[] = [];
  const log = { ...silentLogger, warn: (_: unknown, message?: string) => said.push(message ?? "") };
  const arena = { ...arenaOn(cluster, environment), log: log as typeof silentLogger };
  await cluster.clock.sleep(60_000);
  const takenAt = await cluster.clock.now();
  await cluster.clock.sleep(60_000);
  const command = { episodeId: "shop-1.0007", trial: 2, baseline: { takenAt, measurements: [], edges: [] } };
  const save = (directory = dir.path, of: object = command) =>
    saveTelemetry(directory, of as Parameters<typeof saveTelemetry>[1], arena, []);

  await save(dir.path, { ...command, baseline: undefined });
  expect(await readdir(dir.path)).toEqual([]);
  await save();
  expect(await readdir(dir.path)).toEqual(["shop-1.0007.2.json.gz"]);
  const path = join(dir.path, "shop-1.0007.2.json.gz");
  const saved = await readFile(path);
  const { episodeId, trial, window } = unpackTelemetry(saved, path);
  expect({ episodeId, trial }).toEqual({ episodeId: "shop-1.0007", trial: 2 });
  expect([window.from - takenAt, window.to - takenAt]).toEqual([-30_000, 60_000]);

  await cluster.clock.sleep(60_000);
  await save();
  expect(await readFile(path)).toEqual(saved);
  expect(said).toEqual([]);

  const occupied = join(dir.path, "occupied");
  await writeFile(occupied, "");
  await save(occupied);
  expect(said).toEqual(["telemetry not saved"]);
  expect(() => unpackTelemetry(new Uint8Array([1, 2, 3]), "it")).toThrow(/it is no saved telemetry/);
});
