import { expect, test } from "vitest";
import { createLocalCluster } from "../local-cluster.ts";
import { policyCertificates } from "../testing/policy-certificates.ts";

const shop = "/api/v1/namespaces/shop";
const apps = "/apis/apps/v1/namespaces/shop/deployments";
const webhooks = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const policiesOf = (memory: string): string =>
  JSON.stringify({
    limits: {
      module: "registry://ghcr.io/kubewarden/policies/container-resources:v1.1.0",
      allowedToMutate: true,
      settings: { memory: { defaultLimit: memory, maxLimit: memory } },
    },
  });

const volumes = [
  { name: "policies", configMap: { name: "policies" } },
  { name: "tls", secret: { secretName: "tls" } },
];
const server = (tls: readonly string[]) => ({
  metadata: { name: "policies" },
  spec: {
    selector: { matchLabels: { app: "policies" } },
    template: {
      metadata: { labels: { app: "policies" } },
      spec: {
        volumes,
        containers: [
          {
            name: "server",
            image: "ghcr.io/kubewarden/policy-server:v1.15.0",
            args: ["--port", "8443", "--policies", "/policies/policies.yml", ...tls],
            volumeMounts: [
              { name: "policies", mountPath: "/policies" },
              { name: "tls", mountPath: "/tls" },
            ],
            readinessProbe: { tcpSocket: { port: 8443 }, periodSeconds: 1 },
          },
        ],
      },
    },
  },
});
const shown = ["--cert-file", "/tls/tls.crt", "--key-file=/tls/tls.key"];

interface Options {
  readonly tls?: readonly string[];
  readonly webhook?: object;
  readonly client?: object;
  readonly policies?: string;
}

/** A cluster with a policy-server, a configuration that asks it about the pods of `web`, and later that Deployment. */
async function aCluster({ tls = shown, webhook = {}, client = {}, policies = policiesOf("16Mi") }: Options) {
  const cluster = createLocalCluster({ seed: 1, environments: [] });
  const call = async (method: string, path: string, body?: object, type = "application/json") => {
    const headers = { "content-type": type, authorization: `Bearer ${cluster.adminToken}` };
    const answer = await cluster.handle({
      ...{ method, path, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) throw new Error(answer.body);
    return JSON.parse(answer.body);
  };
  await call("POST", "/api/v1/namespaces", { metadata: { name: "shop" } });
  const { certificate, key, authority } = policyCertificates;
  await call("POST", `${shop}/secrets`, {
    metadata: { name: "tls" },
    data: { "tls.crt": base64(certificate), "tls.key": base64(key) },
  });
  await call("POST", `${shop}/configmaps`, {
    metadata: { name: "policies" },
    data: { "policies.yml": policies },
  });
  await call("POST", `${shop}/services`, {
    metadata: { name: "policies" },
    spec: { selector: { app: "policies" }, ports: [{ port: 443, targetPort: 8443 }] },
  });
  await call("POST", apps, server(tls));
  await cluster.clock.sleep(15_000);
  await call("POST", webhooks, {
    metadata: { name: "limits" },
    webhooks: [
      {
        name: "limits.shop.svc",
        clientConfig: {
          service: { namespace: "shop", name: "policies", path: "/validate/limits" },
          caBundle: base64(authority),
          ...client,
        },
        rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
        objectSelector: { matchLabels: { app: "web" } },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        ...webhook,
      },
    ],
  });
  const labels = { app: "web" };
  const start = (resources: object = {}) =>
    call("POST", apps, {
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "web", image: "nginx:1.25", resources }] },
        },
      },
    });
  return {
    call,
    sleep: (ms: number) => cluster.clock.sleep(ms),
    start,
    /** Starts `web`: the resources of its pod's container, or why it has none. */
    made: async (resources?: object): Promise<object | string> => {
      await start(resources);
      await cluster.clock.sleep(3_000);
      const { items } = await call("GET", `${shop}/pods?labelSelector=app%3Dweb`);
      if (items.length > 0) return items[0].spec.containers[0].resources;
      const { items: events } = await call("GET", `${shop}/events?fieldSelector=reason%3DFailedCreate`);
      return events[0]?.message ?? "";
    },
    [Symbol.dispose]: () => cluster[Symbol.dispose](),
  };
}

const given = { limits: { memory: "16Mi" }, requests: { memory: "16Mi" } };
const failing = (why: string) =>
  `Error creating: Internal error occurred: failed calling webhook "limits.shop.svc": failed to call webhook: ${why}`;
const posting = (why: string, address = "policies.shop.svc:443/validate/limits") =>
  failing(`Post "https://${address}?timeout=10s": ${why}`);

test("a program in a pod changes the pods about which it is asked, until it is asked no more", async () => {
  using cluster = await aCluster({});
  expect(await cluster.made()).toEqual(given);
  await cluster.call("DELETE", `${webhooks}/limits`);
  await cluster.call("DELETE", `${apps}/web`);
  await cluster.sleep(40_000);
  expect(await cluster.made()).toEqual({});
});

test("it goes by its file as it was when it started", async () => {
  using cluster = await aCluster({});
  await cluster.call(
    "PATCH",
    `${shop}/configmaps/policies`,
    { data: { "policies.yml": policiesOf("99Mi") } },
    "application/merge-patch+json",
  );
  await cluster.sleep(90_000);
  expect(await cluster.made()).toEqual(given);
  await cluster.call("DELETE", `${shop}/pods?labelSelector=app%3Dpolicies`);
  await cluster.sleep(60_000);
  await cluster.call("DELETE", `${shop}/pods?labelSelector=app%3Dweb`);
  await cluster.sleep(60_000);
  const { items } = await cluster.call("GET", `${shop}/pods?labelSelector=app%3Dweb`);
  expect(items[0].spec.containers[0].resources.limits).toEqual({ memory: "99Mi" });
});

test("it refuses what its policy forbids", async () => {
  using cluster = await aCluster({});
  expect(await cluster.made({ limits: { memory: "1Gi" } })).toBe(
    `Error creating: admission webhook "limits.shop.svc" denied the request: memory limit '1Gi' exceeds the max allowed value '16Mi'`,
  );
});

test.each<[what: string, options: Options, why: string]>([
  [
    "of another authority",
    { client: { caBundle: base64("x") } },
    posting("tls: failed to verify certificate: x509: certificate signed by unknown authority"),
  ],
  ["without TLS", { tls: [] }, posting("http: server gave HTTP response to HTTPS client")],
  [
    "that does not start",
    { policies: "limits: {}" },
    posting("dial tcp <ip>:443: connect: connection refused"),
  ],
  [
    "without such a policy",
    { client: { service: { namespace: "shop", name: "policies", path: "/validate/none" } } },
    failing("the server could not find the requested resource"),
  ],
])("a server %s cannot be asked: no pod is made, or it is as it was", async (_, options, why) => {
  {
    using cluster = await aCluster(options);
    const said = await cluster.made();
    expect(String(said).replace(/tcp [\d.]+:/, "tcp <ip>:")).toBe(why);
  }
  using cluster = await aCluster({ ...options, webhook: { failurePolicy: "Ignore" } });
  expect(await cluster.made()).toEqual({});
});
