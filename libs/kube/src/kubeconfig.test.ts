import { expect, test } from "vitest";
import { parseKubeconfig } from "./kubeconfig.ts";

const good = `
current-context: a
contexts: [{name: a, context: {cluster: c, user: u}}, {name: b, context: {cluster: c, user: nobody}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: aGk=}}]
users: [{name: u, user: {token: secret}}]
`;

test("reads server, CA and token of the current context", async () => {
  const access = await parseKubeconfig(good, { file: "k" });
  expect(access.server.origin).toBe("https://127.0.0.1:6443");
  expect(await access.credentials()).toEqual({ tls: { ca: "hi" }, authorization: "Bearer secret" });
});

test("takes another context when told", async () => {
  const access = await parseKubeconfig(good, { file: "k", context: "b" });
  expect((await access.credentials()).authorization).toBeUndefined();
});

test.each([
  ["clusters: [", "is not YAML"],
  ["just text", "expected object"],
  ["current-context: x", 'has no context "x"'],
  [good.replace("https://127.0.0.1:6443", "nowhere"), "server"],
])("says what is wrong with %j", async (text, message) => {
  await expect(parseKubeconfig(text, { file: "the-file" })).rejects.toMatchObject({
    code: "invalid-config",
    message: expect.stringMatching(new RegExp(`the-file.*${message}`, "s")),
  });
});
