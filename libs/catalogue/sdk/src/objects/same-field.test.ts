import { expect, test } from "vitest";
import { isSameField } from "./same-field.ts";

test.each([
  ["spec.selector", "spec.selector", true],
  ["spec.ports[80].targetPort", "spec.ports[grpc].targetPort", true],
  ["data.LEVEL", "data", true],
  [
    "spec.template.spec.containers[web].livenessProbe",
    "spec.template.spec.containers[].livenessProbe.port",
    true,
  ],
  ["spec.template.spec.containers[web]", "spec.template.spec.containers[].image", false],
  ["spec.template.spec.dnsConfig", "spec.template.spec.dnsPolicy", false],
  ["spec.template.spec.serviceAccount", "spec.template.spec.serviceAccountName", false],
  ["", "spec.selector", false],
] as const)("%s and %s", (one, other, is) => {
  expect(isSameField(one, other)).toBe(is);
  expect(isSameField(other, one)).toBe(is);
});
