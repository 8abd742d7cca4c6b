import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { digestOfFile, manifestType, type StoredImage } from "./debian-image.ts";
import { exists } from "./exists.ts";
import { listen } from "./listen.ts";

/** A registry that containerd asks for every image, whatever its host. It takes pushes. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  add(image: StoredImage): void;
  /** All that it has now, pushed images too. */
  images(): readonly StoredImage[];
}

/** What a registry has. */
interface Store {
  /** By full name, with host and tag. */
  readonly images: Map<string, StoredImage>;
  /** Folder of what was pushed, each blob in a file of its digest's name. */
  readonly pushed: string;
  readonly limits: RegistryLimits;
  /** Of all files in the folder. */
  pushedBytes: number;
}

/** What a registry takes. */
export interface RegistryLimits {
  /** Of one blob. */
  readonly blobBytes: number;
  /** Of all that was pushed, unfinished uploads too. */
  readonly allBytes: number;
}

/** Enough for many of our own images, of less than 1 GiB each. */
const usualLimits: RegistryLimits = { blobBytes: 4 * 2 ** 30, allBytes: 16 * 2 ** 30 };
/** Uploads and names. */
const mostFiles = 10_000;

/**
 * Serves images for pulls and takes them from pushes, as the OCI distribution specification says; any other image is not
 * found. Images keep the host of their names: `docker.io/library/busybox:1.37` is pushed as `HOST:PORT/docker.io/library/busybox:1.37`.
 */
export async function startRegistry(
  address: string,
  pushed: string,
  limits = usualLimits,
): Promise<Registry> {
  await mkdir(pushed, { recursive: true });
  const store: Store = { images: new Map(), pushed, limits, pushedBytes: 0 };
  const server = createServer((request, response) => {
    answer(store, request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy(error as Error);
      refuse(response, 500, "UNKNOWN", error instanceof Error ? error.message : String(error));
    });
  });
  const port = await listen(server, address);
  return {
    url: `http://${address}:${port}`,
    add: (image) => void store.images.set(image.name, image),
    images: () => [...store.images.values()],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function answer(store: Store, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = "/", method = "GET" } = request;
  const { pathname, searchParams } = new URL(url, "http://registry");
  if (pathname === "/v2/") {
    response.end("{}");
    return;
  }
  const [, name = "", kind, reference = ""] =
    /^\/v2\/(.+?)\/(manifests|blobs(?:\/uploads)?)\/([^/]*)$/.exec(pathname) ?? [];
  // `ns` is the registry in the image's name, in a pull; in a push it is the first part of the path.
  const host = searchParams.get("ns") ?? (/^[^/]*[.:]/.test(name) ? undefined : "docker.io");
  const repository = host === undefined ? name : `${host}/${name}`;
  if (kind === "blobs/uploads")
    return takeBlob(store, request, response, { name, id: reference, digest: searchParams.get("digest") });
  if (method === "PUT" && kind === "manifests")
    return takeManifest(store, request, response, repository, reference);
  if (method !== "GET" && method !== "HEAD") return refuse(response, 405, "UNSUPPORTED", method);
  const found = await blobOf(store, repository, kind, reference);
  if (!found) {
    const code = kind === "manifests" ? "MANIFEST_UNKNOWN" : "BLOB_UNKNOWN";
    return refuse(response, 404, code, `${repository}:${reference} is not here`);
  }
  const file = join(found.dir, found.digest);
  response.writeHead(200, {
    "content-type": kind === "manifests" ? await typeOfManifest(file) : "application/octet-stream",
    "content-length": (await stat(file)).size,
    "docker-content-digest": found.digest,
  });
  if (method === "HEAD") response.end();
  else if (kind === "manifests") response.end(await readFile(file));
  else createReadStream(file).pipe(response);
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ errors: [{ code, message }] }));
}

const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** Only blobs that are here: a reference is never used as a path before it was found to be a digest. */
async function blobOf(
  { images, pushed }: Store,
  repository: string,
  kind: string | undefined,
  reference: string,
): Promise<{ readonly dir: string; readonly digest: string } | undefined> {
  const tagged = images.get(`${repository}:${reference}`);
  if (kind === "manifests" && tagged) return { dir: tagged.dir, digest: tagged.manifest };
  if (!digestPattern.test(reference)) return undefined;
  const owner = [...images.values()].find(
    ({ name, blobs }) => name.startsWith(`${repository}:`) && blobs.includes(reference),
  );
  if (owner) return { dir: owner.dir, digest: reference };
  return (await exists(join(pushed, reference))) ? { dir: pushed, digest: reference } : undefined;
}

interface Upload {
  readonly name: string;
  /** Empty in the request that begins it. */
  readonly id: string;
  /** In the request that ends it. */
  readonly digest: string | null;
}

/** A POST begins an upload, PATCHes send its parts in order, a PUT with the digest ends it. */
async function takeBlob(
  store: Store,
  request: IncomingMessage,
  response: ServerResponse,
  { name, id, digest }: Upload,
): Promise<void> {
  const { pushed, limits } = store;
  if (request.method === "POST") {
    if ((await readdir(pushed)).length >= mostFiles)
      return refuse(response, 429, "TOOMANYREQUESTS", `at most ${mostFiles} blobs and uploads are kept`);
    const begun = randomUUID();
    await writeFile(join(pushed, begun), "");
    response.writeHead(202, { location: `/v2/${name}/blobs/uploads/${begun}`, range: "0-0" }).end();
    return;
  }
  const file = join(pushed, id);
  if (!/^[0-9a-f-]{36}$/.test(id) || !(await exists(file)))
    return refuse(response, 404, "BLOB_UPLOAD_UNKNOWN", `no upload ${id}`);
  if (!(await append(store, request, file)))
    return refuse(
      response,
      413,
      "SIZE_INVALID",
      `a blob may have ${limits.blobBytes} bytes, and all together ${limits.allBytes}`,
    );
  if (request.method === "PATCH") {
    const { size } = await stat(file);
    response.writeHead(202, { location: `/v2/${name}/blobs/uploads/${id}`, range: `0-${size - 1}` }).end();
    return;
  }
  const actual = await digestOfFile(file);
  if (actual !== digest) {
    await drop(store, file);
    return refuse(response, 400, "DIGEST_INVALID", `the content's digest is ${actual}, not ${digest}`);
  }
  // The same content may have been pushed before.
  await drop(store, join(pushed, actual));
  await rename(file, join(pushed, actual));
  response.writeHead(201, { location: `/v2/${name}/blobs/${actual}`, "docker-content-digest": actual }).end();
}

/** Adds what comes to an upload. False: it would be too much; the rest is read and dropped, and the upload is gone. */
async function append(store: Store, request: IncomingMessage, file: string): Promise<boolean> {
  const { blobBytes, allBytes } = store.limits;
  let { size } = await stat(file);
  let fits = true;
  try {
    await pipeline(
      request,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          fits &&= size + chunk.length <= blobBytes && store.pushedBytes + chunk.length <= allBytes;
          if (!fits) continue;
          size += chunk.length;
          store.pushedBytes += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(file, { flags: "a" }),
    );
  } finally {
    // Of an upload that broke off, less is there than came.
    store.pushedBytes += (await stat(file)).size - size;
  }
  if (!fits) await drop(store, file);
  return fits;
}

/** Removes a file of what was pushed, if it is there. */
async function drop(store: Store, file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return;
  await rm(file);
  store.pushedBytes -= found.size;
}

async function takeManifest(
  store: Store,
  request: IncomingMessage,
  response: ServerResponse,
  repository: string,
  reference: string,
): Promise<void> {
  const { images, pushed, limits } = store;
  const manifest = await limitedBody(request);
  if (manifest === undefined)
    return refuse(response, 413, "MANIFEST_INVALID", `a manifest may have ${mostManifestBytes} bytes`);
  const parts = await digestsIn(store, manifest);
  if (typeof parts === "string") return refuse(response, 400, "MANIFEST_INVALID", parts);
  const digest = `sha256:${createHash("sha256").update(manifest).digest("hex")}`;
  const isByDigest = digestPattern.test(reference);
  if (isByDigest && reference !== digest)
    return refuse(response, 400, "DIGEST_INVALID", `the content's digest is ${digest}, not ${reference}`);
  const name = `${repository}:${reference}`;
  const isKept = await exists(join(pushed, digest));
  const fits = isKept || store.pushedBytes + manifest.length <= limits.allBytes;
  if (!fits || (!isByDigest && !images.has(name) && images.size >= mostFiles))
    return refuse(response, 413, "SIZE_INVALID", `${limits.allBytes} bytes and ${mostFiles} names are kept`);
  if (!isKept) {
    await writeFile(join(pushed, digest), manifest);
    store.pushedBytes += manifest.length;
  }
  if (!isByDigest) images.set(name, { name, dir: pushed, manifest: digest, blobs: [digest, ...parts] });
  response.writeHead(201, {
    location: `/v2/${repository}/manifests/${digest}`,
    "docker-content-digest": digest,
  });
  response.end();
}

interface Manifest {
  readonly config?: { readonly digest: string };
  readonly layers?: readonly { readonly digest: string }[];
  /** Of an index: an image for each platform. */
  readonly manifests?: readonly { readonly digest: string }[];
}

/** Digests of an image's configuration and layers. */
const partsOf = ({ config, layers = [] }: Manifest): string[] =>
  [...(config ? [config] : []), ...layers].map(({ digest }) => digest);

/** Digests of what an image consists of, or the images of an index; a text: why it is no manifest. */
async function digestsIn({ pushed }: Store, manifest: Buffer): Promise<string[] | string> {
  try {
    const { manifests = [], ...image } = JSON.parse(manifest.toString()) as Manifest;
    const digests = [...partsOf(image), ...manifests.map(({ digest }) => digest)];
    for (const { digest } of manifests) {
      if (!digestPattern.test(digest) || !(await exists(join(pushed, digest))))
        return `${digest}, an image of this index, has not been pushed`;
      digests.push(...partsOf(JSON.parse(await readFile(join(pushed, digest), "utf8")) as Manifest));
    }
    return digests;
  } catch {
    return "a manifest is JSON";
  }
}

/** As much as the OCI distribution specification demands of a registry. */
const mostManifestBytes = 4 * 2 ** 20;

/** Undefined: it is larger. The rest is read and dropped, for clients read the answer only after they have sent all. */
async function limitedBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= mostManifestBytes) chunks.push(chunk);
  }
  return size <= mostManifestBytes ? Buffer.concat(chunks) : undefined;
}

/** As the manifest itself says; images of Debian packages do. */
async function typeOfManifest(file: string): Promise<string> {
  const { mediaType = manifestType } = JSON.parse(await readFile(file, "utf8")) as { mediaType?: string };
  return mediaType;
}
