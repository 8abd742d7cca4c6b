import { renderManifests } from "@microremed/catalogue";
import { terminal } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import type { ArenaContext } from "./arena.ts";
import { quotaOf, whenQuotaAllows } from "./quota.ts";

const { environments } = await builtInCatalogue();

test.each(environments.all())("$name fits its quota twice, with all its old revisions", (environment) => {
  const manifests = renderManifests(environment, { namespace: "arena" });
  const { spec, metadata } = quotaOf(manifests, "arena");
  const { hard } = spec as { hard: Record<string, string> };
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind).length;
  expect(Number(hard["count/deployments.apps"])).toBeGreaterThan(2 * ofKind("Deployment"));
  expect(Number(hard["count/replicasets.apps"])).toBeGreaterThan(22 * ofKind("Deployment"));
  expect(Number(hard["services"])).toBeGreaterThan(2 * ofKind("Service"));
  expect(Number(hard["configmaps"])).toBeGreaterThan(2 * ofKind("ConfigMap"));
  expect(Number(hard["pods"])).toBeGreaterThan(2 * (ofKind("Deployment") + ofKind("StatefulSet")));
  // It must not give the harness away.
  expect(JSON.stringify({ metadata, spec })).not.toMatch(/microremed|chaos|arena-|harness/i);
});

test("who waits for room in a quota stops when the work is interrupted", async () => {
  const interrupt = new AbortController();
  const sleep = async (_ms: number, signal?: AbortSignal): Promise<void> => {
    interrupt.abort(new Error("the service is stopping"));
    signal?.throwIfAborted();
  };
  const arena = { cluster: { clock: { sleep } }, signal: interrupt.signal } as unknown as ArenaContext;
  let writes = 0;
  const written = whenQuotaAllows(arena, async () => {
    writes += 1;
    throw terminal("cluster-refused", "exceeded quota: object-counts", { status: 403 });
  });
  await expect(written).rejects.toThrow("the service is stopping");
  expect(writes).toBe(1);
});
