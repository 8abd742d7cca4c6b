import { isJsonObject } from "@microremed/core";
import type { z } from "zod";
import type { ContainerSpec, JobSpec, VolumeSpec } from "./environment.types.ts";
import type { Behaviour, JobModel } from "./format.ts";
import type { Manifest } from "./manifest.ts";
import { inModel, ofManifest } from "./places.ts";
import { containerOf, type RawContainer } from "./read-container.ts";
import { PodTemplate, volumesOf } from "./read-workload.ts";
import { placeIn, shapeProblems } from "./shape-problems.ts";

/** The pods that a Job or a CronJob makes, as its manifest has them. */
export interface JobPods extends Pick<JobSpec, "kind" | "labels"> {
  readonly initContainers: readonly ContainerSpec[];
  /** At least one. */
  readonly containers: readonly ContainerSpec[];
  readonly volumes: Readonly<Record<string, VolumeSpec>>;
}

/** Whether an object is a Job or a CronJob. */
export const isJob = ({ kind, apiVersion }: Manifest): boolean =>
  (kind === "Job" || kind === "CronJob") && apiVersion.startsWith("batch/");

/** The pods of a Job's manifest, or what is wrong with it, a line each. `all`: the manifests, which may have its claims. */
export function readJobPods(manifest: Manifest, all: readonly Manifest[]): JobPods | string[] {
  const read = templateOf(manifest);
  if (Array.isArray(read)) return read;
  const container = (raw: z.output<typeof RawContainer>) => containerOf(raw, undefined);
  return {
    kind: manifest.kind as JobSpec["kind"],
    labels: read.metadata.labels,
    initContainers: read.spec.initContainers.map(container),
    containers: read.spec.containers.map(container),
    volumes: volumesOf(read.spec, all),
  };
}

/** A Job's manifest with what the model says of it, or what is wrong with both, a line each. */
export function readJob(manifest: Manifest, { containers, calls }: JobModel): JobSpec | string[] {
  const read = templateOf(manifest);
  if (Array.isArray(read)) return read;
  const { initContainers: init, containers: main } = read.spec;
  const at = inModel(`jobs.${manifest.metadata.name}`);
  const known = [...init, ...main].map(({ name }) => name);
  const unknown = Object.keys(containers).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return unknown.map(
      (name) => `${at}.containers.${name}: expected a container of its pods: ${known.join(", ")}`,
    );
  const [first] = main;
  if (calls.length > 0 && first && !Object.hasOwn(containers, first.name))
    return [
      `${at}.calls: its first container makes them, of which the model says nothing; add containers.${first.name}, or leave calls out`,
    ];
  const modelled = (some: readonly z.output<typeof RawContainer>[]) =>
    some.flatMap((raw) =>
      Object.hasOwn(containers, raw.name) ? [containerOf(raw, ending(containers[raw.name]))] : [],
    );
  return {
    kind: manifest.kind as JobSpec["kind"],
    labels: read.metadata.labels,
    initContainers: modelled(init),
    containers: modelled(main),
    calls,
  };
}

const ending = (behaviour: Behaviour | undefined): Behaviour | undefined =>
  behaviour && { ...behaviour, ends: behaviour.ends ?? { afterSeconds: 0, exitCode: 0, says: [] } };

function templateOf(manifest: Manifest): z.output<typeof PodTemplate> | string[] {
  const { kind } = manifest;
  const spec = isJsonObject(manifest["spec"]) ? manifest["spec"] : {};
  const ofRuns = isJsonObject(spec["jobTemplate"]) ? spec["jobTemplate"]["spec"] : {};
  const [place, from] = kind === "Job" ? ["spec", spec] : ["spec.jobTemplate.spec", ofRuns];
  const value = isJsonObject(from) ? from["template"] : undefined;
  const parsed = PodTemplate.safeParse(value, { jitless: true });
  if (parsed.success) return parsed.data;
  const { error } = parsed;
  const at = (field: string): string => `${ofManifest(manifest)}: ${placeIn(`${place}.template`, field)}`;
  return shapeProblems({ error, value, schema: PodTemplate, at });
}
