import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { environments } from "@microremed/environments";
import { startSimCluster } from "@microremed/simcluster";
import type { Benchmark, Row } from "./benchmark.ts";

const podCount = 1_000;
const watcherCount = 100;
const namespace = "bench";
const pods = `/api/v1/namespaces/${namespace}/pods`;
const maps = `/api/v1/namespaces/${namespace}/configmaps`;
const websocket = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-protocol": "v4.channel.k8s.io",
};

interface Client {
  call(method: string, path: string, body?: object, headers?: object): Promise<string>;
  /** Calls `heard` for every chunk of a watch; resolves with the way to stop it. */
  watch(path: string, heard: (chunk: string) => void): Promise<() => void>;
  exec(path: string): Promise<void>;
}

function clientOf(kubeconfig: string, url: string): Client {
  const [, ca = ""] = /certificate-authority-data: (\S+)/.exec(kubeconfig) ?? [];
  const [, token] = /token: (\S+)/.exec(kubeconfig) ?? [];
  const agent = new Agent({ keepAlive: true, ca: Buffer.from(ca, "base64") });
  const options = (method: string, headers: object = {}) => ({
    method,
    agent,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return {
    call: (method, path, body, headers) =>
      new Promise((resolve, reject) => {
        const sent = request(url + path, options(method, headers), (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk) => chunks.push(chunk));
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            if ((response.statusCode ?? 500) < 300) resolve(text);
            else reject(new Error(`${method} ${path}: ${text}`));
          });
        });
        sent.on("error", reject);
        sent.end(body && JSON.stringify(body));
      }),
    watch: (path, heard) =>
      new Promise((resolve, reject) => {
        const sent = request(url + path, options("GET"), (response: IncomingMessage) => {
          response.on("data", (chunk) => heard(String(chunk)));
          response.on("error", () => {});
          resolve(() => sent.destroy());
        });
        sent.on("error", reject);
        sent.end();
      }),
    exec: (path) =>
      new Promise((resolve, reject) => {
        const sent = request(url + path, options("GET", websocket));
        sent.on("upgrade", (_response, socket, head) => {
          let text = String(head);
          const check = (): void => {
            if (!text.includes('"Success"')) return;
            socket.destroy();
            resolve();
          };
          socket.on("data", (chunk) => {
            text += chunk;
            check();
          });
          check();
        });
        sent.on("response", (response) => reject(new Error(`exec: HTTP ${response.statusCode}`)));
        sent.on("error", reject);
        sent.end();
      }),
  };
}

async function perSecond(rounds: number, work: (round: number) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let round = 0; round < rounds; round += 1) await work(round);
  return (1000 * rounds) / (performance.now() - began);
}

/** Events per second that reach all watchers of a resource together. */
async function fanOut(client: Client, changes: number): Promise<number> {
  let heard = 0;
  const all = Promise.withResolvers<void>();
  const count = (chunk: string): void => {
    heard += chunk.split('"MODIFIED"').length - 1;
    if (heard === watcherCount * changes) all.resolve();
  };
  const stops = await Promise.all(
    Array.from({ length: watcherCount }, () => client.watch(`${maps}?watch=1`, count)),
  );
  const began = performance.now();
  for (let round = 0; round < changes; round += 1) await patch(client, "fan", round);
  await all.promise;
  const seconds = (performance.now() - began) / 1000;
  for (const stop of stops) stop();
  return heard / seconds;
}

function patch(client: Client, name: string, value: number): Promise<string> {
  const headers = { "content-type": "application/merge-patch+json" };
  return client.call("PATCH", `${maps}/${name}`, { data: { value: String(value) } }, headers);
}

/** The embedded cluster's API over TLS, with the clients in the same process. */
export const api: Benchmark = {
  name: "api",
  description: "the embedded cluster's API server: lists, watches, patches, exec",
  async run(): Promise<readonly Row[]> {
    const systems = [environments.get("online-boutique")];
    await using cluster = await startSimCluster({
      name: "bench",
      seed: 1,
      timeScale: 60,
      environments: systems,
    });
    const client = clientOf(cluster.kubeconfig, cluster.url);
    await client.call("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
    for (const name of ["fan", "alone"]) await client.call("POST", maps, { metadata: { name } });
    // On no node that exists: stored and listed, never run.
    const parked = { nodeName: "elsewhere", containers: [{ name: "main", image: "busybox:1.36" }] };
    for (let index = 0; index < podCount; index += 1) {
      await client.call("POST", pods, { metadata: { name: `parked-${index}` }, spec: parked });
    }
    const box = { containers: [{ name: "main", image: "busybox:1.36", command: ["sleep", "1000000"] }] };
    await client.call("POST", pods, { metadata: { name: "box" }, spec: box });
    const release = cluster.loop.hold();
    while (!(await client.call("GET", `${pods}/box`)).includes('"phase":"Running"'))
      await cluster.loop.sleep(500);
    release();
    const baseline = await perSecond(300, () => client.call("GET", "/version"));
    const lists = await perSecond(20, () => client.call("GET", pods));
    const asTable = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    const tables = await perSecond(20, () => client.call("GET", pods, undefined, asTable));
    const patches = await perSecond(500, (round) => patch(client, "alone", round));
    const execs = await perSecond(50, () => client.exec(`${pods}/box/exec?command=true&stdout=1`));
    const events = await fanOut(client, 50);
    return [
      { what: "requests that do nothing (GET /version), one by one", value: baseline, unit: "1/s" },
      { what: `lists of ${podCount} pods as JSON`, value: lists, unit: "1/s" },
      { what: `lists of ${podCount} pods as a table`, value: tables, unit: "1/s" },
      { what: "patches, one by one", value: patches, unit: "1/s" },
      { what: "patches to requests that do nothing", value: patches / baseline, unit: "ratio" },
      { what: "exec of `true`, one by one, each with its own connection", value: execs, unit: "1/s" },
      { what: `watch events to ${watcherCount} watchers together`, value: events, unit: "1/s" },
    ];
  },
};
