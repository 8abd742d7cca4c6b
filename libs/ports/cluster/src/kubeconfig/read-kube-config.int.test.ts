import { mkdtempDisposable, writeFile } from "node:fs/promises";
import type { RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readKubeConfig } from "./read-kube-config.ts";

const good = `
current-context: a
contexts: [{name: a, context: {cluster: c, user: u}}, {name: b, context: {cluster: c, user: v}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: aGk=}}]
users: [{name: u, user: {token: secret}}, {name: v, user: {tokenFile: ./token}}]
`;

async function fileWith(text: string): Promise<string> {
  const { path, remove } = await mkdtempDisposable(join(tmpdir(), "microremed-kube-"));
  onTestFinished(remove);
  await writeFile(join(path, "token"), "from the file");
  await writeFile(join(path, "the-file"), text);
  return join(path, "the-file");
}

async function signedBy(file: string, context?: string): Promise<RequestOptions> {
  const options: RequestOptions = {};
  await (await readKubeConfig(file, context)).applyToHTTPSOptions(options);
  return options;
}

test("signs with CA and token of the current context", async () => {
  const file = await fileWith(good);
  expect(await signedBy(file)).toMatchObject({
    ca: Buffer.from("hi"),
    headers: { Authorization: "Bearer secret" },
  });
});

test("takes another context on request, and a token from a file beside the kubeconfig", async () => {
  const file = await fileWith(good);
  expect((await signedBy(file, "b")).headers).toEqual({ Authorization: "Bearer from the file" });
});

test.each([
  ["clusters: [", "cannot be read as a kubeconfig"],
  ["", "cannot be read as a kubeconfig"],
  ["just text", "has no context undefined"],
  ["current-context: x", 'has no context "x"'],
  [good.replace("https://127.0.0.1:6443", "nowhere"), "needs a cluster with a server"],
  [good.replace("name: u, user:", "name: w, user:"), 'needs the user "u"'],
  [good.replace("https:", "http:"), "is not encrypted"],
  [good.replace("server:", "address:"), "clusters\\[0\\].cluster.server is missing"],
])("says what is wrong with %j", async (text, message) => {
  await expect(readKubeConfig(await fileWith(text))).rejects.toMatchObject({
    code: "invalid-config",
    message: expect.stringMatching(new RegExp(`the-file: .*${message}`, "s")),
  });
});

test("says so when there is no such file", async () => {
  await expect(readKubeConfig("/nowhere/config")).rejects.toMatchObject({
    code: "invalid-config",
    message: expect.stringContaining("/nowhere/config: cannot be read as a kubeconfig (ENOENT"),
  });
});
