import { expect, test } from "vitest";
import { changedFields } from "./changes.ts";

test("amounts that a container had not at all before are changes of their own", () => {
  const log =
    '10:00:01 deployment/cart (deployer): template.spec.containers[server].resources.limits: absent -> {"cpu":"2m","memory":"1Gi"}; template.spec.containers[server].image: "a:1" -> "a:2"';
  const at = "spec.template.spec.containers[server]";
  expect(changedFields(log).map(({ field, was, is }) => [field, was, is])).toEqual([
    [`${at}.resources.limits.cpu`, null, '"2m"'],
    [`${at}.resources.limits.memory`, null, '"1Gi"'],
    [`${at}.image`, '"a:1"', '"a:2"'],
  ]);
});
