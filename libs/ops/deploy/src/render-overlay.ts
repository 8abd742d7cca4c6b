import type { KubeObject } from "@microremed/cluster";
import { terminal } from "@microremed/core";
import { execa } from "execa";
import { loadAll } from "js-yaml";

const renderWithinMs = 60_000;

/** The objects of a kustomization, rendered by kubectl's own kustomize. Throws `invalid-config` with what it says. */
export async function renderOverlay(directory: string): Promise<KubeObject[]> {
  const rendered = await execa("kubectl", ["kustomize", directory], {
    reject: false,
    timeout: renderWithinMs,
  });
  if (rendered.exitCode === 0) return loadAll(rendered.stdout) as KubeObject[];
  throw terminal(
    "invalid-config",
    `kubectl kustomize ${directory} failed: ${rendered.stderr || rendered.message}. It takes kubectl 1.27 or newer (kustomize 5)`,
  );
}
