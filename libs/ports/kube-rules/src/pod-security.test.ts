import { expect, test } from "vitest";
import { enforcedPodSecurity, podSecurityViolations, type SecuredPod } from "./pod-security.ts";

const bare: SecuredPod = { containers: [{ name: "web" }] };
const closed = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
const whole = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };

test("says in Kubernetes' words why a pod is not restricted", () => {
  expect(podSecurityViolations("restricted", bare).join(", ")).toBe(
    'allowPrivilegeEscalation != false (container "web" must set securityContext.allowPrivilegeEscalation=false), ' +
      'unrestricted capabilities (container "web" must set securityContext.capabilities.drop=["ALL"]), ' +
      'runAsNonRoot != true (pod or container "web" must set securityContext.runAsNonRoot=true), ' +
      'seccompProfile (pod or container "web" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  );
  const two = {
    containers: [{ name: "a" }, { name: "b", securityContext: closed }],
    initContainers: [{ name: "i" }],
  };
  expect(podSecurityViolations("restricted", two)[0]).toContain('(containers "i", "a" must set');
  expect(podSecurityViolations("baseline", bare)).toEqual([]);
  expect(podSecurityViolations("privileged", { ...bare, hostNetwork: true })).toEqual([]);
});

test.each<[string, SecuredPod]>([
  ["for the pod", { securityContext: whole, containers: [{ name: "web", securityContext: closed }] }],
  ["in each container", { containers: [{ name: "web", securityContext: { ...closed, ...whole } }] }],
])("a pod that has no more rights is restricted: %s", (_, pod) => {
  expect(podSecurityViolations("restricted", pod)).toEqual([]);
});

test.each<[SecuredPod, string]>([
  [{ securityContext: { runAsUser: 0 } }, "runAsUser=0 (pod must not set runAsUser=0)"],
  [
    { securityContext: { runAsNonRoot: false } },
    "runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)",
  ],
  [{ hostPID: true }, "host namespaces (hostPID=true)"],
  [
    { volumes: [{ name: "d", hostPath: { path: "/" } }] },
    'restricted volume types (volume "d" uses restricted volume type "hostPath")',
  ],
  [
    {
      containers: [
        { name: "web", securityContext: { ...closed, capabilities: { drop: ["ALL"], add: ["NET_RAW"] } } },
      ],
    },
    'unrestricted capabilities (container "web" must not include "NET_RAW" in securityContext.capabilities.add)',
  ],
  [
    { containers: [{ name: "web", securityContext: closed, ports: [{ hostPort: 80 }] }] },
    'hostPort (container "web" uses hostPort 80)',
  ],
])("%j", (wrong, why) => {
  const pod = { containers: [{ name: "web", securityContext: closed }], ...wrong };
  const securityContext = { ...whole, ...wrong.securityContext };
  expect(podSecurityViolations("restricted", { ...pod, securityContext })).toEqual([why]);
});

test("baseline allows what containers usually have", () => {
  const adding = (add: readonly string[]) => ({
    containers: [{ name: "web", securityContext: { capabilities: { add } } }],
  });
  expect(podSecurityViolations("baseline", adding(["CHOWN"]))).toEqual([]);
  expect(podSecurityViolations("baseline", adding(["NET_RAW"]))).toEqual([
    'non-default capabilities (container "web" must not include "NET_RAW" in securityContext.capabilities.add)',
  ]);
  expect(podSecurityViolations("baseline", { ...bare, volumes: [{ name: "d", hostPath: {} }] })).toEqual([
    'hostPath volumes (volume "d")',
  ]);
});

test("reads what a namespace asks for", () => {
  const label = "pod-security.kubernetes.io/enforce";
  expect(enforcedPodSecurity({})).toEqual({ level: "privileged", name: "privileged:latest" });
  expect(enforcedPodSecurity({ [label]: "restricted", [`${label}-version`]: "v1.30" }).name).toBe(
    "restricted:v1.30",
  );
});
