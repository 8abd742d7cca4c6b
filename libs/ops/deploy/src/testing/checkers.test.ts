import { expect, test } from "vitest";
import type { Container, PodSpec } from "../pods/pod.types.ts";
import { houseRuleViolations } from "./house-rules.ts";
import { restrictedViolations } from "./pod-security.ts";
import { type OpenApi, schemaViolations } from "./schema-violations.ts";

const bounds = { cpu: "1", memory: "1Mi", "ephemeral-storage": "1Mi" };
const probe = { tcpSocket: { port: 1 } };
const good: Container = {
  name: "main",
  image: "registry.example.org/app:1.2",
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  resources: { requests: bounds, limits: bounds },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  },
};
const pod = (container: Partial<Container> = {}, more: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ ...good, ...container }],
  serviceAccountName: "app",
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  ...more,
});
const confined = (more: object): Partial<Container> => ({
  securityContext: { ...good.securityContext, ...more },
});

test("a restricted pod breaks nothing, and every rule of the level is seen when broken", () => {
  expect(restrictedViolations(pod())).toEqual([]);
  const broken: [string, PodSpec][] = [
    ["hostNamespaces", pod({}, { hostNetwork: true })],
    ["restrictedVolumes", pod({}, { volumes: [{ name: "x", hostPath: { path: "/" } } as never] })],
    ["privileged", pod(confined({ privileged: true }))],
    ["hostPorts", pod({ ports: [{ containerPort: 1, hostPort: 1 }] })],
    ["procMount", pod(confined({ procMount: "Unmasked" }))],
    ["seccompProfile", pod(confined({ seccompProfile: { type: "Unconfined" } }))],
    ["allowPrivilegeEscalation", pod(confined({ allowPrivilegeEscalation: true }))],
    ["runAsNonRoot", pod(confined({ runAsNonRoot: false }))],
    ["runAsUser", pod(confined({ runAsUser: 0 }))],
    ["capabilities", pod(confined({ capabilities: { drop: ["ALL"], add: ["NET_ADMIN"] } }))],
  ];
  for (const [rule, spec] of broken) expect(restrictedViolations(spec), rule).toEqual([rule]);
});

test("our own rules: versions, bounds, probes, accounts, no secret in the manifest", () => {
  expect(houseRuleViolations(pod())).toEqual([]);
  const env = [{ name: "NATS_PASSWORD", value: "hunter2" }];
  const { livenessProbe: _, ...withoutLiveness } = good;
  const broken: [RegExp, PodSpec][] = [
    [/has no version/, pod({ image: "app:latest" })],
    [/has no version/, pod({ image: "registry:5000/app" })],
    [
      /no limits of memory/,
      pod({ resources: { requests: bounds, limits: { ...bounds, memory: undefined } as never } }),
    ],
    [/no livenessProbe/, { ...pod(), containers: [withoutLiveness] }],
    [/can be written/, pod(confined({ readOnlyRootFilesystem: false }))],
    [/mounts its account's token/, pod({}, { automountServiceAccountToken: true })],
    [/no account of its own/, pod({}, { serviceAccountName: "default" })],
    [/URL refers to one that comes after/, pod({ env: [{ name: "URL", value: "$(IP)" }, { name: "IP" }] })],
    [/NATS_PASSWORD is written/, pod({ env })],
  ];
  for (const [sentence, spec] of broken)
    expect(houseRuleViolations(spec).join(), String(sentence)).toMatch(sentence);
});

test("a schema finds unknown fields and wrong types, wherever they are", () => {
  const document: OpenApi = {
    components: {
      schemas: {
        Pot: {
          properties: { kind: { type: "string" }, spec: { allOf: [{ $ref: "#/components/schemas/Spec" }] } },
          "x-kubernetes-group-version-kind": [{ group: "", version: "v1", kind: "Pot" }],
        },
        Spec: {
          properties: {
            size: { type: "integer" },
            port: { type: "string", format: "int-or-string" },
            labels: { additionalProperties: { type: "string" } },
            parts: { type: "array", items: { type: "boolean" } },
          },
        },
      },
    },
  };
  const pot = (spec: object) => ({ kind: "Pot", spec });
  expect(schemaViolations(document, pot({ size: 1, port: 80, labels: { a: "b" }, parts: [true] }))).toEqual(
    [],
  );
  expect(schemaViolations(document, pot({ size: "1", colour: "red", labels: { a: 1 }, parts: [1] }))).toEqual(
    [
      "Pot.spec.size: string instead of integer",
      "Pot.spec.colour: unknown field",
      "Pot.spec.labels.a: integer instead of string",
      "Pot.spec.parts[0]: integer instead of boolean",
    ],
  );
  expect(schemaViolations(document, { kind: "Pan" })).toEqual(["no schema of Pan"]);
});
