import type { KubeObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { findPullSecrets, pullError } from "./pull-error.ts";

const secret = (config: object | string) => ({
  data: {
    ".dockerconfigjson": Buffer.from(typeof config === "string" ? config : JSON.stringify(config)).toString(
      "base64",
    ),
  },
});
const secrets: Readonly<Record<string, object>> = {
  gitlab: secret({ auths: { "https://registry.gitlab.com/v2/": { auth: "eDp5" } } }),
  broken: secret("{"),
};
const store = {
  get: (_resource: unknown, _namespace: unknown, name: string) => secrets[name] as never,
} as Parameters<typeof findPullSecrets>[0];
const pod = (...names: string[]) =>
  ({
    metadata: { namespace: "shop" },
    spec: { imagePullSecrets: names.map((name) => ({ name })) },
  }) as unknown as KubeObject;

test("a pod's pull secrets are those that are there, and name the registries of their logins", () => {
  expect(findPullSecrets(store, pod("gitlab", "none", "broken"))).toEqual({
    missing: ["none"],
    registries: ["registry.gitlab.com"],
  });
  expect(findPullSecrets(store, pod())).toEqual({ missing: [], registries: [] });
});

test("a registry that asks for a login says whether one was tried, and not whether it has the image", () => {
  const image = "registry.gitlab.com/platform/cart:v1";
  expect(pullError(image, [])).toMatch(/failed to fetch anonymous token: .*403 Forbidden$/);
  expect(pullError(image, ["registry.gitlab.com"])).toMatch(/failed to fetch oauth token: .*403 Forbidden$/);
  const cloud = "204711835962.dkr.ecr.eu-central-1.amazonaws.com/cart:v1";
  expect(pullError(cloud, [])).toMatch(/\/v2\/cart\/manifests\/v1: 401 Unauthorized$/);
  expect(pullError("redis:none", [])).toMatch(/docker\.io\/library\/redis:none: not found$/);
});
