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

/** kubectl as a user with a client certificate. */
async function as(name: string, groups: readonly string[] = []) {
  const file = join(cluster.dir, `${name}.kubeconfig`);
  await writeFile(file, await cluster.api.userKubeconfig({ name, groups }, { namespace: "shop" }));
  return (...args: string[]) => kubectl("--kubeconfig", file, ...args);
}

test("keeps users with certificates to what RBAC gives their names and groups", async () => {
  await kubectl("create", "namespace", "shop");
  await kubectl("create", "namespace", "other");
  await kubectl("create", "rolebinding", "anne", "--clusterrole=edit", "--user=anne", "-n", "shop");
  await kubectl("create", "rolebinding", "readers", "--clusterrole=view", "--group=readers", "-n", "shop");
  const anne = await as("anne");
  const ben = await as("ben", ["readers", "others"]);
  const eve = await as("eve");
  expect(await anne("create", "configmap", "c", "--from-literal=a=b")).toBe("configmap/c created\nrc=0");
  expect(await anne("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")).toBe("annerc=0");
  expect(await ben("get", "configmap", "c", "-o", "name")).toBe("configmap/c\nrc=0");
  expect(await ben("auth", "whoami", "-o", "jsonpath={.status.userInfo.groups}")).toContain(
    '["readers","others","system:authenticated"]',
  );
  expect(await ben("delete", "configmap", "c")).toContain(
    'configmaps "c" is forbidden: User "ben" cannot delete resource "configmaps" in API group "" in the namespace "shop"',
  );
  expect(await anne("get", "configmaps", "-n", "other")).toContain("is forbidden");
  expect(await eve("get", "configmap", "c")).toContain('User "eve" cannot get resource "configmaps"');
});

test("gives out tokens for service accounts", async () => {
  await kubectl("create", "serviceaccount", "agent");
  const { stdout: token } = await cluster.run("kubectl", ["create", "token", "agent", "--duration=20m"]);
  expect(token.split(".")).toHaveLength(3);
  const whoami = await kubectl(
    "--token",
    token.trim(),
    "auth",
    "whoami",
    "-o",
    "jsonpath={.status.userInfo.username}",
  );
  expect(whoami).toBe("system:serviceaccount:default:agentrc=0");
  expect(await kubectl("create", "token", "nobody")).toContain('serviceaccounts "nobody" not found');
  expect(await kubectl("create", "token", "agent", "--duration=1s")).toContain(
    "may not specify a duration less than 10 minutes",
  );
});

test("a token is good for its audience only, and for as long as its pod lives", async () => {
  await kubectl("create", "serviceaccount", "narrow");
  await kubectl("run", "holder", "--image=x");
  const tokenOf = async (...flags: string[]): Promise<string> =>
    (await cluster.run("kubectl", ["create", "token", "narrow", ...flags])).stdout.trim();
  const name = "jsonpath={.status.userInfo.username}";
  const whoami = (token: string) => kubectl("--token", token, "auth", "whoami", "-o", name);
  expect(await whoami(await tokenOf("--audience=vault"))).toContain("Unauthorized");
  const bound = await tokenOf("--bound-object-kind=Pod", "--bound-object-name=holder");
  expect(await whoami(bound)).toBe("system:serviceaccount:default:narrowrc=0");
  await kubectl("delete", "pod", "holder");
  expect(await whoami(bound)).toContain("Unauthorized");
});
