import { createHash } from "node:crypto";
import { mkdtempDisposable, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startRegistry } from "./registry.ts";

const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

async function pushBlob(registry: string, name: string, text: string, digest: string): Promise<number> {
  const begun = await fetch(`${registry}/v2/${name}/blobs/uploads/`, { method: "POST" });
  const place = `${registry}${begun.headers.get("location")}`;
  const middle = text.length / 2;
  const sent = await fetch(place, { method: "PATCH", body: text.slice(0, middle) });
  if (sent.status !== 202) return sent.status;
  const ended = await fetch(`${place}?digest=${digest}`, { method: "PUT", body: text.slice(middle) });
  return ended.status;
}

test("an image that was pushed under its full name is pulled as containerd does, from its own host", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  await using registry = await startRegistry("127.0.0.1", join(dir.path, "pushed"));
  const layer = "a layer of an image";
  expect(await pushBlob(registry.url, "ghcr.io/a/b", layer, digestOf(layer))).toBe(201);
  const mediaType = "application/vnd.docker.distribution.manifest.v2+json";
  const manifest = JSON.stringify({ mediaType, layers: [{ digest: digestOf(layer) }] });
  const put = { method: "PUT", body: manifest };
  expect((await fetch(`${registry.url}/v2/ghcr.io/a/b/manifests/1`, put)).status).toBe(201);

  const pulled = await fetch(`${registry.url}/v2/a/b/manifests/1?ns=ghcr.io`);
  expect(pulled.headers.get("content-type")).toBe(mediaType);
  expect(pulled.headers.get("docker-content-digest")).toBe(digestOf(manifest));
  expect(await pulled.text()).toBe(manifest);
  const blob = await fetch(`${registry.url}/v2/a/b/blobs/${digestOf(layer)}?ns=ghcr.io`);
  expect(await blob.text()).toBe(layer);
  expect((await fetch(`${registry.url}/v2/a/b/manifests/2?ns=ghcr.io`)).status).toBe(404);
  expect((await fetch(`${registry.url}/v2/a/b/manifests/1`)).status).toBe(404);
  const [image] = registry.images();
  expect(image).toMatchObject({ name: "ghcr.io/a/b:1", manifest: digestOf(manifest) });
  expect(image?.blobs.toSorted()).toEqual([digestOf(manifest), digestOf(layer)].toSorted());
});

test("what was pushed to one registry can be pulled from another one that is given it", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  await using first = await startRegistry("127.0.0.1", join(dir.path, "first"));
  await using second = await startRegistry("127.0.0.1", join(dir.path, "second"));
  const config = "{}";
  await pushBlob(first.url, "docker.io/a/b", config, digestOf(config));
  const body = JSON.stringify({ config: { digest: digestOf(config) } });
  await fetch(`${first.url}/v2/docker.io/a/b/manifests/1`, { method: "PUT", body });
  for (const image of first.images()) second.add(image);
  const blob = await fetch(`${second.url}/v2/a/b/blobs/${digestOf(config)}?ns=docker.io`);
  expect(await blob.text()).toBe(config);
});

test("an index is kept with the images that it names, and refused without them", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  await using registry = await startRegistry("127.0.0.1", join(dir.path, "pushed"));
  const layer = "a layer of an image";
  await pushBlob(registry.url, "ghcr.io/a/b", layer, digestOf(layer));
  const image = JSON.stringify({ layers: [{ digest: digestOf(layer) }] });
  const index = JSON.stringify({ manifests: [{ digest: digestOf(image) }] });
  const put = async (reference: string, body: string): Promise<number> =>
    (await fetch(`${registry.url}/v2/ghcr.io/a/b/manifests/${reference}`, { method: "PUT", body })).status;
  expect(await put("1", index)).toBe(400);
  expect(await put(digestOf(image), image)).toBe(201);
  expect(await put("1", index)).toBe(201);
  const [kept] = registry.images();
  expect(kept?.blobs.toSorted()).toEqual([index, image, layer].map(digestOf).toSorted());
});

test("more than the registry keeps is refused, and takes no room", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  const pushed = join(dir.path, "pushed");
  await using registry = await startRegistry("127.0.0.1", pushed, { blobBytes: 100, allBytes: 150 });
  const push = (letter: string, length: number): Promise<number> => {
    const text = letter.repeat(length);
    return pushBlob(registry.url, "ghcr.io/a/b", text, digestOf(text));
  };
  expect(await push("a", 102)).toBe(413);
  expect(await push("a", 100)).toBe(201);
  expect(await push("a", 50)).toBe(201);
  expect(await push("b", 2)).toBe(413);
  const put = { method: "PUT", body: "{}" };
  expect((await fetch(`${registry.url}/v2/ghcr.io/a/b/manifests/1`, put)).status).toBe(413);
  expect((await readdir(pushed)).toSorted()).toEqual(
    ["a".repeat(100), "a".repeat(50)].map(digestOf).toSorted(),
  );
});

test("what is pushed again takes no more room", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  await using registry = await startRegistry("127.0.0.1", dir.path, { blobBytes: 100, allBytes: 200 });
  const text = "text".repeat(15);
  for (const _ of [1, 2, 3])
    expect(await pushBlob(registry.url, "ghcr.io/a/b", text, digestOf(text))).toBe(201);
  const put = { method: "PUT", body: JSON.stringify({ layers: [], annotations: { text } }) };
  for (const reference of ["1", "1", "2"])
    expect((await fetch(`${registry.url}/v2/ghcr.io/a/b/manifests/${reference}`, put)).status).toBe(201);
});

test("a manifest that is no JSON is refused and not kept", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  const pushed = join(dir.path, "pushed");
  await using registry = await startRegistry("127.0.0.1", pushed);
  const put = { method: "PUT", body: "layers" };
  expect((await fetch(`${registry.url}/v2/ghcr.io/a/b/manifests/1`, put)).status).toBe(400);
  expect(await readdir(pushed)).toEqual([]);
});

test("a blob whose content has another digest is refused and not kept", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  const pushed = join(dir.path, "pushed");
  await using registry = await startRegistry("127.0.0.1", pushed);
  expect(await pushBlob(registry.url, "ghcr.io/a/b", "some text", digestOf("other text"))).toBe(400);
  expect(await readdir(pushed)).toEqual([]);
});

test("a manifest that is pushed under another one's digest is refused and not kept", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  const pushed = join(dir.path, "pushed");
  await using registry = await startRegistry("127.0.0.1", pushed);
  const [own, other] = ["{}", "[]"].map(digestOf);
  const put = (digest?: string) =>
    fetch(`${registry.url}/v2/ghcr.io/a/b/manifests/${digest}`, { method: "PUT", body: "{}" });
  expect((await put(other)).status).toBe(400);
  expect(await readdir(pushed)).toEqual([]);
  expect((await put(own)).status).toBe(201);
  expect(await readdir(pushed)).toEqual([own]);
});

test("a manifest that is too large is refused and not kept", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  const pushed = join(dir.path, "pushed");
  await using registry = await startRegistry("127.0.0.1", pushed);
  const body = JSON.stringify({ layers: [], annotations: { text: "x".repeat(4 * 2 ** 20) } });
  const answer = await fetch(`${registry.url}/v2/ghcr.io/a/b/manifests/1`, { method: "PUT", body });
  expect(answer.status).toBe(413);
  expect(await readdir(pushed)).toEqual([]);
});

test("no path leads out of the registry's folder", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "registry-"));
  await writeFile(join(dir.path, "secret"), "secret");
  await using registry = await startRegistry("127.0.0.1", join(dir.path, "pushed"));
  for (const path of ["a/blobs/..%2Fsecret", "a/manifests/..%2Fsecret", "a/blobs/uploads/..%2Fsecret"]) {
    const answer = await fetch(`${registry.url}/v2/${path}`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toBe("secret");
  }
});
