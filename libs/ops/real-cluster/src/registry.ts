import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { manifestType, type StoredImage } from "./debian-image.ts";

/** A registry that containerd asks for every image, whatever its host. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  add(image: StoredImage): void;
}

/** Serves images for pulls, as the OCI distribution specification says; any other image is not found. */
export async function startRegistry(address: string): Promise<Registry> {
  const images = new Map<string, StoredImage>();
  const server = createServer((request, response) => {
    answer(images, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(0, address, resolve);
  await promise;
  const bound = server.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : 0;
  return {
    url: `http://${address}:${port}`,
    add: (image) => void images.set(image.name, image),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function answer(
  images: ReadonlyMap<string, StoredImage>,
  { url = "/", method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(url, "http://registry");
  if (pathname === "/v2/") {
    response.end("{}");
    return;
  }
  const [, name = "", kind, reference = ""] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
  // `ns` is the registry in the image's name.
  const repository = `${searchParams.get("ns") ?? "docker.io"}/${name}`;
  const found = blobOf(images, repository, kind, reference);
  if (!found) {
    response.writeHead(404, { "content-type": "application/json" });
    const code = kind === "manifests" ? "MANIFEST_UNKNOWN" : "BLOB_UNKNOWN";
    response.end(JSON.stringify({ errors: [{ code, message: `${repository}:${reference} is not here` }] }));
    return;
  }
  const file = join(found.dir, found.digest);
  response.writeHead(200, {
    "content-type": kind === "manifests" ? manifestType : "application/octet-stream",
    "content-length": (await stat(file)).size,
    "docker-content-digest": found.digest,
  });
  if (method === "HEAD") response.end();
  else if (kind === "manifests") response.end(await readFile(file));
  else createReadStream(file).pipe(response);
}

/** Only blobs of images that are here: a reference is never used as a path before it was found among their digests. */
function blobOf(
  images: ReadonlyMap<string, StoredImage>,
  repository: string,
  kind: string | undefined,
  reference: string,
): { readonly dir: string; readonly digest: string } | undefined {
  const tagged = images.get(`${repository}:${reference}`);
  if (kind === "manifests" && tagged) return { dir: tagged.dir, digest: tagged.manifest };
  if (!/^sha256:[0-9a-f]{64}$/.test(reference)) return undefined;
  const owner = [...images.values()].find(
    ({ name, blobs }) => name.startsWith(`${repository}:`) && blobs.includes(reference),
  );
  return owner && { dir: owner.dir, digest: reference };
}
