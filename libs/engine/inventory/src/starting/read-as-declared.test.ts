import type { KubeObject, Pod } from "@microremed/cluster";
import { expect, test } from "vitest";
import type { Programs } from "../programs/foreign-programs.ts";
import type { ArenaObjects } from "../read-arena.ts";
import { changed, partOf, recordOf, withObject } from "../testing/an-arena.ts";
import { classes, healthy, stress, target } from "../testing/judged-arena.ts";

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const pod = healthy.objects.find(
  ({ kind, metadata }) => kind === "Pod" && metadata.name.startsWith(target),
) as Pod;
const [container] = pod.spec?.containers ?? [];
const own = (container as unknown as { env: { name: string; value?: string }[] }).env;
const declared = new Map([...own.map(({ name, value = "" }) => [name, value] as const), ["LEVEL", "info"]]);

const configMap = (version: string, dataAt: number): KubeObject =>
  ({
    ...{ apiVersion: "v1", kind: "ConfigMap", data: { LEVEL: "info" } },
    metadata: {
      ...{ name: "conf", resourceVersion: version },
      managedFields: [{ manager: "a", time: at(dataAt), fieldsV1: { "f:data": { "f:LEVEL": {} } } }],
    },
  }) as KubeObject;

interface Reads {
  readonly version?: string;
  readonly variables?: ReadonlyMap<string, string>;
  /** It mounts the ConfigMap, too. */
  readonly inFiles?: boolean;
}

/** The target has the ConfigMap in its variables; its container started in the second in which that was written last. */
function arena(
  from: ArenaObjects,
  { version = "1", variables = declared, inFiles = false }: Reads,
): ArenaObjects {
  const reads = (object: Record<string, unknown>, ...path: string[]): void => {
    const spec = partOf(object, ...path);
    Object.assign(partOf(spec, "containers", 0), { envFrom: [{ configMapRef: { name: "conf" } }] });
    const volumes = [...((spec["volumes"] as object[] | undefined) ?? [])];
    if (inFiles) spec["volumes"] = [...volumes, { name: "conf", configMap: { name: "conf" } }];
  };
  const written = withObject(from, configMap(version, version === "1" ? -60 : 100));
  const inTemplate = changed(written, `Deployment/${target}`, (one) =>
    reads(one, "spec", "template", "spec"),
  );
  const started = changed(inTemplate, `Pod/${target}`, (one) => {
    reads(one, "spec");
    const state = { running: { startedAt: at(version === "1" ? -30 : 100) } };
    Object.assign(partOf(one, "status"), { containerStatuses: [{ name: container?.name, state }] });
  });
  const programs: Programs = { first: { executable: "", command: "" }, left: [], stopped: [], variables };
  return { ...started, programs: new Map([[`${pod.metadata.name}/${container?.name}`, programs]]) };
}

const judge = (after: Reads): string[] => {
  const { inFiles = false } = after;
  const record = recordOf(arena(healthy, { inFiles }));
  const injected = arena(stress, { inFiles });
  return classes(arena(healthy, { version: "2", ...after }), { record, injected });
};
const stale = `breaks Pod/${pod.metadata.name}`;

test("who writes and restarts within a second is no breaker where the program says what it started with", () => {
  expect(judge({})).toEqual([]);
});

test.each([
  ["another value", { variables: new Map([...declared, ["LEVEL", "debug"]]) }],
  ["a variable more", { variables: new Map([...declared, ["OTHER", "x"]]) }],
  ["variables that cannot be read", { variables: new Map<string, string>() }],
  ["the same in files, which no program can know", { inFiles: true }],
])("with %s it may have read what was there before", (_, reads) => {
  expect(judge(reads)).toContain(stale);
});
