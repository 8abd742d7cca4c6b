import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "./testing/test-api.ts";

let cluster: TestApi;
beforeAll(async () => {
  cluster = await startTestApi();
});
afterAll(() => cluster[Symbol.asyncDispose]());

const kubectl = (...args: string[]): Promise<string> => cluster.kubectl(...args);

async function apply(...objects: object[]): Promise<string> {
  const file = join(cluster.dir, "objects.json");
  await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  return kubectl("apply", "-f", file);
}

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      description: "what it should do",
      required: ["cron"],
      properties: {
        cron: { type: "string", pattern: "^\\S+ \\S+$" },
        replicas: { type: "integer", minimum: 1, default: 1 },
        mode: { type: "string", enum: ["a", "b"] },
      },
    },
    status: { type: "object", properties: { replicas: { type: "integer" } } },
  },
};
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "crontabs.stable.example.com" },
  spec: {
    group: "stable.example.com",
    scope: "Namespaced",
    names: { plural: "crontabs", kind: "CronTab", shortNames: ["ct"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [
          { name: "Cron", type: "string", jsonPath: ".spec.cron" },
          { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
        ],
      },
    ],
  },
};
const cronTab = (spec: object) => ({
  apiVersion: "stable.example.com/v1",
  kind: "CronTab",
  metadata: { name: "mine" },
  spec,
});

test("serves a kind that a user brings: refused before it is known, then with all that its definition says", async () => {
  const both = [definition, cronTab({ cron: "* *" })];
  expect(await apply(...both)).toContain('no matches for kind "CronTab" in version "stable.example.com/v1"');
  expect(await apply(...both)).toContain("crontab.stable.example.com/mine created");
  expect(await kubectl("wait", "--for=condition=Established", "crd/crontabs.stable.example.com")).toContain(
    "condition met",
  );
  expect(await kubectl("get", "ct")).toMatch(/NAME +CRON +REPLICAS\nmine +\* \* +1\n/);
  expect(await kubectl("explain", "ct.spec")).toContain("what it should do");
  expect(await kubectl("scale", "ct/mine", "--replicas=3")).toContain("scaled");
  const status = [
    "--subresource=status",
    "--type=merge",
    "-p",
    '{"status":{"replicas":2},"spec":{"mode":"b"}}',
  ];
  expect(await kubectl("patch", "ct", "mine", ...status)).toContain("patched");
  expect(await kubectl("get", "ct", "mine", "-o", "jsonpath={.spec} {.status} {.metadata.generation}")).toBe(
    '{"cron":"* *","replicas":3} {"replicas":2} 2rc=0',
  );
});

test("refuses objects that break their schema", async () => {
  expect(await apply(cronTab({ cron: "x", replicas: 0, mode: "c" }))).toContain(
    [
      'The CronTab "mine" is invalid: ',
      "* spec.cron: Invalid value: \"x\": spec.cron in body should match '^\\S+ \\S+$'",
      "* spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1",
      '* spec.mode: Unsupported value: "c": supported values: "a", "b"',
    ].join("\n"),
  );
  // The server does not say of a List that it checks fields, so kubectl does it.
  expect(await apply(cronTab({ cron: "* *", foo: 1 }))).toContain(
    'ValidationError(CronTab.spec): unknown field "foo" in com.example.stable.v1.CronTab.spec',
  );
  expect(await kubectl("patch", "ct", "mine", "--type=merge", "-p", '{"spec":{"foo":1}}')).toContain(
    'unknown field "spec.foo"',
  );
  expect(await kubectl("patch", "ct", "mine", "-p", '{"spec":{}}')).toContain(
    "application/strategic-merge-patch+json is not supported",
  );
});

test("refuses definitions that make no sense", async () => {
  const { spec } = definition;
  const wrong = {
    ...definition,
    metadata: { name: "others.stable.example.com" },
    spec: {
      ...spec,
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: {} } }],
    },
  };
  const answer = await apply(wrong);
  expect(answer).toContain(
    'metadata.name: Invalid value: "others.stable.example.com": must be spec.names.plural+"."+spec.group',
  );
  expect(answer).toContain(
    "spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root",
  );
});
