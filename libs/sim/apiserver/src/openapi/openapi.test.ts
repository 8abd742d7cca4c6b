import { chaosResources } from "@microremed/sim-chaos-mesh";
import { resourceTypes } from "@microremed/sim-kinds";
import type { LooseRecord } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { openApiV2Document } from "./v2.ts";
import { encodeV2 } from "./v2-protobuf.ts";
import { v2Schema } from "./v2-schema.ts";
import { openApiV3Document, openApiV3Names } from "./v3.ts";

const groups = [
  { name: "", versions: ["v1"] },
  { name: "apps", versions: ["v1"] },
];
const served = { types: [...resourceTypes, ...chaosResources], groups, findResource: () => undefined };
const v2 = openApiV2Document(served);
const definition = (name: string): LooseRecord => v2["definitions"][name];

test("names definitions by their packages and lists required fields", () => {
  const spec = definition("io.k8s.api.apps.v1.DeploymentSpec");
  expect(spec["required"]).toEqual(["selector", "template"]);
  expect(spec["properties"].template.$ref).toBe("#/definitions/io.k8s.api.core.v1.PodTemplateSpec");
  expect(spec["properties"].selector.$ref).toBe(
    "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector",
  );
  expect(definition("io.k8s.api.storage.v1.StorageClass")["properties"].allowedTopologies.items.$ref).toBe(
    "#/definitions/io.k8s.api.core.v1.TopologySelectorTerm",
  );
});

test("says how strategic patches merge, without which kubectl would send whole lists", () => {
  const { containers, volumes } = definition("io.k8s.api.core.v1.PodSpec")["properties"];
  expect(containers).toMatchObject({
    "x-kubernetes-patch-merge-key": "name",
    "x-kubernetes-patch-strategy": "merge",
  });
  expect(volumes["x-kubernetes-patch-strategy"]).toBe("merge,retainKeys");
  expect(definition("io.k8s.api.apps.v1.DeploymentSpec")["properties"].strategy).toMatchObject({
    "x-kubernetes-patch-strategy": "retainKeys",
  });
});

test("knows below what the server takes as it is: statuses, affinities, sources of volumes", () => {
  const names = ["NodeAffinity", "NFSVolumeSource", "ContainerStateTerminated", "PodSecurityContext"];
  for (const name of names) expect(definition(`io.k8s.api.core.v1.${name}`)).toHaveProperty("properties");
});

test("every reference leads to a definition, in both versions", () => {
  const references = (text: string, prefix: string): string[] =>
    [...text.matchAll(new RegExp(`"#/${prefix}/([^"]+)"`, "g"))].map(([, name = ""]) => name);
  const wanted = new Set(references(JSON.stringify(v2), "definitions"));
  expect(wanted.size).toBeGreaterThan(250);
  expect([...wanted].filter((name) => !definition(name))).toEqual([]);
  for (const name of openApiV3Names(served)) {
    const document = openApiV3Document(served, name);
    const { schemas } = document["components"];
    const missing = references(JSON.stringify(document), "components/schemas");
    expect(missing.filter((each) => !schemas[each])).toEqual([]);
  }
});

test("says no more of a custom resource in v2 than old clients can read", () => {
  expect(
    v2Schema({
      type: "object",
      properties: {
        port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: {} } },
        maybe: { type: "string", nullable: true, description: "or null" },
        list: { type: "array", items: { type: "string", enum: ["a"], default: "a" } },
      },
    }),
  ).toEqual({
    type: "object",
    properties: {
      port: {},
      free: {},
      maybe: { description: "or null" },
      list: { type: "array", items: { type: "string" } },
    },
  });
});

test("writes a definition as gnostic's protobuf message", () => {
  const bytes = encodeV2({
    swagger: "2.0",
    info: { title: "t", version: "v" },
    paths: {},
    definitions: { A: { type: "object", properties: { b: { $ref: "#/definitions/B", "x-k": 1 } } } },
  });
  expect(bytes.toString("latin1")).toBe(
    [
      "\n\x032.0\x12\x06\n\x01t\x12\x01vB\x00J:",
      "\n8\n\x01A\x123\xb2\x01\x08\n\x06object\xca\x01%",
      "\n#\n\x01b\x12\x1e\n\x0f#/definitions/B\xfa\x01\x0a\n\x03x-k\x12\x03\x12\x011",
    ].join(""),
  );
});
