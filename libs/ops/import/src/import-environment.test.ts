import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadEnvironment, type TextFile } from "@microremed/catalogue/environment";
import { environments } from "@microremed/environments";
import { dump } from "js-yaml";
import { expect, test } from "vitest";
import { type Imported, importEnvironment } from "./import-environment.ts";

const ours = join(import.meta.dirname, "../../../catalogue/environments");

const confidenceOf = ({ findings }: Imported, place: string): string | undefined =>
  findings.find((one) => one.what === "call" && one.place === place)?.confidence;

function manifestsOf(name: string): TextFile[] {
  const dir = join(ours, name, "manifests");
  return readdirSync(dir).map((file) => ({ name: file, text: readFileSync(join(dir, file), "utf8") }));
}

const imported = (name: string, texts: readonly TextFile[], namespace?: string): Imported =>
  importEnvironment({ name, texts, namespace, source: "a test" });

function loaded({ name, files }: Imported) {
  const file = (wanted: string) => files.find((one) => one.name === wanted) as TextFile;
  return loadEnvironment({
    folder: name,
    model: file("model.yaml"),
    workload: file("workload.yaml"),
    manifests: files.filter((one) => one.name.startsWith("manifests/")),
  });
}

const callsOf = ({ model }: Imported): string[] =>
  model.workloads
    .flatMap(({ calls }) => calls)
    .map(({ from, call }) => `${from} -> ${call.to} ${call.protocol} ${call.address} ${call.env ?? ""}`)
    .toSorted();

test("of online-boutique's manifests it finds every call, its entry and its load generator, and is sure of them", () => {
  const made = imported("online-boutique", manifestsOf("online-boutique"));
  const ours = environments.get("online-boutique");
  const declared = Object.entries(ours.workloads).flatMap(([from, { calls }]) =>
    calls.map((call) => `${from} -> ${call.to} ${call.protocol} ${call.address} ${call.env ?? ""}`),
  );
  expect(callsOf(made)).toEqual(declared.toSorted());
  expect(made.findings.filter(({ what }) => what === "call").map(({ confidence }) => confidence)).toEqual(
    declared.map(() => "sure"),
  );
  expect(made.problems).toEqual([]);
  const environment = loaded(made);
  expect(environment.load).toMatchObject({ entry: "frontend:80", from: "loadgenerator" });
  expect(environment.manifests).toEqual(ours.manifests);
  const ports = (of: typeof ours) =>
    Object.entries(of.workloads)
      .map(([name, { containers }]) => [name, containers[0]?.behaviour.listens])
      .toSorted();
  expect(ports(environment)).toEqual(ports(ours));
});

test("every of our systems can be imported from its manifests", () => {
  for (const name of environments.names()) {
    const made = imported(name, manifestsOf(name));
    expect(made.problems, name).toEqual([]);
    // What an operator makes is in no manifest.
    const applied = Object.entries(environments.get(name).workloads).flatMap(([workload, { operated }]) =>
      operated ? [] : [workload],
    );
    expect(Object.keys(loaded(made).workloads).toSorted()).toEqual(applied.toSorted());
    // An address that is found is right: what is not found is said to be missing.
    const declared = new Set(
      Object.entries(environments.get(name).workloads).flatMap(([from, { calls }]) =>
        calls.map(({ to }) => `${from} -> ${to}`),
      ),
    );
    const wrong = made.findings.filter(
      ({ what, confidence, place }) => what === "call" && confidence === "sure" && !declared.has(place),
    );
    expect(wrong.map(({ place }) => place)).toEqual([]);
  }
});

const deployment = (name: string, image: string, container: object = {}): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { part: name } },
    template: { metadata: { labels: { part: name } }, spec: { containers: [{ name, image, ...container }] } },
  },
});
const service = (name: string, port: number, spec: object = {}): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { selector: { part: name }, ports: [{ port }], ...spec },
});
const env = (variables: Readonly<Record<string, string>>) => ({
  env: Object.entries(variables).map(([name, value]) => ({ name, value })),
});

/** Shop and store, with what the shop is configured by. */
function shop(container: object, more: readonly object[] = []) {
  const objects = [
    deployment("shop", "team/shop:1", container),
    service("shop", 80, { type: "NodePort" }),
    deployment("books", "team/books:1"),
    service("books", 8080),
    ...more,
  ];
  return imported("shop", [
    { name: "all.json", text: JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }) },
  ]);
}

test.each<[object, string]>([
  [env({ BOOKS_ADDR: "books:8080" }), "shop -> books http books:8080 BOOKS_ADDR"],
  [
    env({ BOOKS_URL: "http://books.shop.svc.cluster.local:8080/api" }),
    "shop -> books http books:8080 BOOKS_URL",
  ],
  [env({ BOOKS_URL: "grpc://books" }), "shop -> books grpc books:8080 BOOKS_URL"],
  [env({ BOOKS_URL: "nats://books" }), "shop -> books nats books:8080 BOOKS_URL"],
  [env({ BOOKS_HOST: "books", BOOKS_PORT: "9090" }), "shop -> books http books:9090 BOOKS_HOST"],
  [env({ HOST: "books", ADDRESS: "http://$(HOST):8080" }), "shop -> books http books:8080 ADDRESS"],
  [{ command: ["shop", "--backend=books:8080"] }, "shop -> books http books:8080 "],
  [{ args: ["--books", "http://books:8080/x"] }, "shop -> books http books:8080 "],
])("%j is the call %s", (container, expected) => {
  expect(callsOf(shop(container))).toEqual([expected]);
});

test.each([
  env({ SERVICE_NAME: "books" }),
  env({ TITLE: "our books, your books" }),
  env({ URL: "http://books.example.org/" }),
  env({ URL: "http://my-books:8080" }),
  env({ URL: "http://shop:80" }),
])("%j is no call", (container) => {
  const calls = shop(container).findings.filter(
    ({ what, confidence }) => what === "call" && confidence !== "guess",
  );
  expect(calls).toEqual([]);
});

test("addresses in ConfigMaps that are mounted or read as variables are found, and the variable is named", () => {
  const settings = (data: object) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings" },
    data,
  });
  const read = shop({ envFrom: [{ configMapRef: { name: "settings" } }] }, [
    settings({ BOOKS_ADDR: "books:8080" }),
  ]);
  expect(callsOf(read)).toEqual(["shop -> books http books:8080 BOOKS_ADDR"]);
  expect(confidenceOf(read, "shop -> books")).toBe("sure");
  const prefixed = shop({ envFrom: [{ prefix: "APP_", configMapRef: { name: "settings" } }] }, [
    settings({ BOOKS_ADDR: "books:8080" }),
  ]);
  expect(callsOf(prefixed)).toEqual(["shop -> books http books:8080 APP_BOOKS_ADDR"]);
  expect(prefixed.problems).toEqual([]);
  const taking = deployment("desk", "team/desk:1", {
    envFrom: [{ prefix: "ALL_", configMapRef: { name: "settings" } }],
  });
  for (const script of ["--books=$(BOOKS_ADDR)", "get(os.environ['BOOKS_ADDR'])"]) {
    const shared = shop({ envFrom: [{ configMapRef: { name: "settings" } }], args: ["-c", script] }, [
      ...[settings({ BOOKS_ADDR: "books:8080", DESK_ADDR: "desk:80" }), taking, service("desk", 80)],
    ]);
    const known = ["shop -> books", "shop -> desk", "desk -> books"].map((call) =>
      confidenceOf(shared, call),
    );
    expect(known, script).toEqual(["sure", "guess", "guess"]);
  }
  const mounted = (image: string, port: number, file: string) => {
    const taker = deployment("shop", "team/shop:1") as {
      spec: { template: { spec: Record<string, unknown> } };
    };
    taker.spec.template.spec["volumes"] = [{ name: "c", configMap: { name: "settings" } }];
    const backend = [deployment("books", image), service("books", port)];
    const objects = [taker, service("shop", 80), ...backend, settings({ file })];
    return imported("shop", [
      { name: "a.yaml", text: objects.map((one) => JSON.stringify(one)).join("\n---\n") },
    ]);
  };
  const app = mounted("mongo:6", 27017, "db:\n  url: mongodb://user:pw@books:27017/shop\n");
  expect(callsOf(app)).toEqual(["shop -> books mongodb books:27017 "]);
  const proxy = mounted("team/books:1", 8080, "server { location /books/ { proxy_pass http://books/; } }");
  expect(callsOf(proxy)).toEqual(["shop -> books http books:8080 "]);
  expect(confidenceOf(proxy, "shop -> books")).toBe("likely");
});

test("a store that no configuration names is of the service of its name, and of another one if a file says so", () => {
  const objects = [
    deployment("frontend", "team/hotel:1", { command: ["frontend"] }),
    service("frontend", 5000),
    deployment("geo", "team/hotel:1", { command: ["geo"] }),
    service("geo", 8083),
    deployment("reservation", "team/hotel:1", { command: ["reservation"] }),
    service("reservation", 8087),
    deployment("mongodb-geo", "mongo:4.4.6"),
    service("mongodb-geo", 27017),
    deployment("memcached-reserve", "memcached:1.6"),
    service("memcached-reserve", 11211),
  ];
  const text = objects.map((one) => JSON.stringify(one)).join("\n---\n");
  const made = imported("hotel", [{ name: "a.yaml", text }]);
  expect(callsOf(made)).toEqual([
    "frontend -> geo http geo:8083 ",
    "frontend -> reservation http reservation:8087 ",
    "geo -> mongodb-geo mongodb mongodb-geo:27017 ",
    "reservation -> memcached-reserve memcached memcached-reserve:11211 ",
  ]);
  const confidences = made.findings
    .filter(({ what }) => what === "call")
    .map((one) => [one.place, one.confidence]);
  expect(new Map(confidences as [string, string][])).toEqual(
    new Map([
      ["frontend -> geo", "guess"],
      ["frontend -> reservation", "guess"],
      ["geo -> mongodb-geo", "likely"],
      ["reservation -> memcached-reserve", "likely"],
    ]),
  );
  // A cache that fails is passed over; a database is not.
  const required = made.model.workloads.flatMap(({ calls }) =>
    calls.map(({ call }) => [call.to, call.required]),
  );
  expect(Object.fromEntries(required)).toMatchObject({ "memcached-reserve": false, "mongodb-geo": true });
  const config = { name: "config.json", text: '{"FrontendMongoAddress": "mongodb-geo:27017"}' };
  expect(callsOf(imported("hotel", [{ name: "a.yaml", text }, config]))).toContain(
    "frontend -> mongodb-geo mongodb mongodb-geo:27017 ",
  );
});

test("guesses never make a program fail by itself: memory stays below the limit, the start within the probes", () => {
  const tight = {
    image: "openjdk:8",
    resources: { limits: { cpu: "200m", memory: "100Mi" } },
    livenessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 5, periodSeconds: 5, failureThreshold: 2 },
  };
  const behaviour = loaded(shop(tight)).workloads["shop"]?.containers[0]?.behaviour;
  expect(behaviour?.runtime).toBe("java");
  expect(behaviour?.memoryMi).toBeLessThan(100);
  expect(behaviour?.startupCpuSeconds).toBeLessThanOrEqual(0.5 * 15 * 0.2);
});

test("the labels of a Namespace are left out with a word, and with the pods that its Pod Security level would refuse", () => {
  const space = (labels: object) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "shop", labels },
  });
  const about = (labels: object) =>
    imported("shop", [
      { name: "a.yaml", text: JSON.stringify(space(labels)) },
      { name: "b.yaml", text: JSON.stringify(deployment("shop", "shop:1")) },
    ]).missing.filter((line) => line.includes("Namespace"));
  expect(about({ "kubernetes.io/metadata.name": "shop" })).toEqual([]);
  const level = "pod-security.kubernetes.io/enforce";
  const left = "left out: Namespace shop: each arena has a namespace of its own, without ";
  expect(about({ [level]: "baseline" })).toEqual([`${left}${level}=baseline`]);
  const [line] = about({ [level]: "restricted" });
  expect(line).toContain(
    `${level}=restricted; the level restricted:latest would refuse the pods of Deployment shop: `,
  );
});

test("one namespace is taken, and what is left out is said", () => {
  const inNamespace = (object: object, namespace: string): object => {
    const { metadata, ...rest } = object as { metadata: object };
    return { ...rest, metadata: { ...metadata, namespace } };
  };
  const texts = [
    { name: "shop/all.yaml", text: JSON.stringify(inNamespace(deployment("shop", "shop:1"), "shop")) },
    { name: "shop/service.yaml", text: JSON.stringify(inNamespace(service("shop", 80), "shop")) },
    { name: "again.yaml", text: JSON.stringify(inNamespace(service("shop", 81), "shop")) },
    {
      name: "monitoring.yaml",
      text: JSON.stringify(inNamespace(deployment("grafana", "grafana:1"), "monitoring")),
    },
    { name: "values.yaml", text: "replicas: 1\n" },
    { name: "broken.yaml", text: "{{- if .Values.x }}\n{a" },
  ];
  const made = imported("shop", texts);
  expect(made.namespace).toBe("shop");
  expect(made.files.map(({ name }) => name)).toEqual([
    "model.yaml",
    "workload.yaml",
    "manifests/shop/all.yaml",
    "manifests/shop/service.yaml",
  ]);
  // As it was found, to the byte.
  expect(made.files[2]?.text).toBe(texts[0]?.text);
  expect(made.missing).toEqual(
    expect.arrayContaining([
      expect.stringContaining("left out: again.yaml: it is another variant, 1 of its 1 objects"),
      expect.stringContaining("left out: Deployment grafana: it is in the namespace monitoring"),
    ]),
  );
  expect(imported("shop", texts, "monitoring").model.workloads.map(({ name }) => name)).toEqual(["grafana"]);
});

test("without anything that could be an entry the folder cannot be loaded, and it says why", () => {
  const made = imported("jobs", [{ name: "a.yaml", text: JSON.stringify(deployment("worker", "worker:1")) }]);
  expect(made.missing).toContain("entry: nothing shows which Service receives the users' requests");
  expect(made.problems).toEqual(["workload.yaml, entry: expected a text; it is missing"]);
  expect(() => imported("none", [])).toThrow("there is no Deployment");
});

test("a text that is no YAML is named with its place, and without a workload nothing is made", () => {
  const broken = { name: "a.yaml", text: "apiVersion: v1\nkind: Service\nmetadata: {name: web\nspec: {}\n" };
  const request = { name: "web", source: "here" };
  expect(() => importEnvironment({ ...request, texts: [broken] })).toThrow(
    /there is no Deployment, .* nothing was written; .*\n {2}- a\.yaml: not YAML: .*\(line \d+\)/s,
  );
  const texts = [
    broken,
    { name: "b.json", text: JSON.stringify(deployment("web", "web:1")) },
    { name: "run.sh", text: "a: {b" },
  ];
  const { missing } = importEnvironment({ ...request, texts });
  expect(missing).toContainEqual(expect.stringMatching(/^left out: a\.yaml: not YAML: /));
  expect(missing.join()).not.toContain("run.sh");
});

test("names that every object of JavaScript has are names as others are", () => {
  const texts = [
    { name: "a.yaml", text: JSON.stringify(deployment("constructor", "shop:1")) },
    { name: "b.yaml", text: JSON.stringify(service("valueOf", 80)) },
    { name: "c.yaml", text: JSON.stringify(deployment("shop", "shop:1", { name: "constructor" })) },
  ];
  const made = imported("shop", texts);
  expect(made.model.workloads.map(({ name }) => name)).toEqual(["constructor", "shop"]);
});

test("what no cluster takes is left out: other names, and kinds that nothing defines", () => {
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.acme.io" },
    spec: { group: "acme.io", scope: "Namespaced", names: { kind: "Widget", plural: "widgets" } },
  };
  const custom = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: "own" } });
  const all = [
    deployment("shop", "shop:1"),
    service("shop", 80),
    deployment("../../etc", "shop:1"),
    definition,
    custom("acme.io/v1", "Widget"),
    custom("monitoring.coreos.com/v1", "ServiceMonitor"),
    custom("gateway.networking.k8s.io/v1", "HTTPRoute"),
    custom("networking.k8s.io/v1", "NetworkPolicy"),
  ];
  const made = imported(
    "shop",
    all.map((one, at) => ({ name: `${at}.yaml`, text: JSON.stringify(one) })),
  );
  const left = made.missing.filter((line) => line.startsWith("left out"));
  expect(left).toEqual([
    "left out: Deployment ../../etc: Kubernetes takes no such name",
    expect.stringMatching(/^left out: ServiceMonitor own: its kind is .*CustomResourceDefinition/),
    expect.stringMatching(/^left out: HTTPRoute own: its kind is /),
  ]);
  expect(made.files.map(({ name }) => name)).not.toContain("manifests/2.yaml");
  expect(made.files.map(({ name }) => name)).toContain("manifests/4.yaml");
});

test.each([
  ["cat > /app.py <<'PY'\nimport json\nPY\npython /app.py", "python:3.9-slim", [5001], "python"],
  ["cd /srv && PORT=5001 exec node server.js", "acme/base:1", [5001], "node"],
  ["until nc -z mysql 3306; do sleep 1; done; exec java -jar /app.jar", "acme/base:1", [5001], "java"],
  ["while true; do sleep 3600; done", "python:3.9-slim", [], "idle"],
  ["./start", "python:3.9-slim", [5001], "python"],
] as const)(
  "of a shell's script %j the runtime is that of the server in it",
  (script, image, ports, runtime) => {
    const container = {
      ...{ image, command: ["sh", "-c"], args: [script] },
      ports: ports.map((containerPort) => ({ containerPort })),
    };
    const behaviour = loaded(shop(container)).workloads["shop"]?.containers[0]?.behaviour;
    expect(behaviour?.runtime).toBe(runtime);
  },
);

test("a host name with its port beside it is an address, and a store is what clients take it for", () => {
  const made = shop(env({ QUEUE_HOSTNAME: "books", QUEUE_PORT: "5671" }));
  expect(callsOf(made)).toEqual(["shop -> books http books:5671 QUEUE_HOSTNAME"]);
  const store = shop(env({ DB_URI: "mongodb://books:10260/shop" }));
  expect(callsOf(store)).toEqual(["shop -> books mongodb books:10260 DB_URI"]);
  expect(store.findings).toContainEqual(
    expect.objectContaining({
      place: "books/books",
      what: "runtime",
      value: "mongodb",
      confidence: "likely",
    }),
  );
});

test("a workload that serves nothing and calls the entry alone sends the load, and one that calls others gets no requests", () => {
  const caller = (name: string, address: string) =>
    deployment(name, `team/${name}:1`, env({ TARGET_HOST: address }));
  const objects = [
    ...[deployment("web", "team/web:1"), service("web", 80)],
    ...[deployment("orders", "team/orders:1"), service("orders", 3000)],
    caller("voter", "web:80"),
    caller("buyer", "orders:3000"),
  ];
  const text = objects.map((one) => JSON.stringify(one)).join("\n---\n");
  const made = imported("shop", [{ name: "a.yaml", text }]);
  const environment = loaded(made);
  expect(environment.load).toMatchObject({ entry: "web:80", from: "voter" });
  expect(environment.targets).toEqual(["web", "orders", "buyer"]);
  // No request of a user leads by buyer to orders.
  expect(callsOf(made)).toContain("web -> orders http orders:3000 ");
});

/** Workloads in a row, of which each calls the next one, with a Service each. */
function row(count: number): Imported {
  const objects = Array.from({ length: count }, (_, at) => [
    deployment(`part-${at}`, `team/part-${at}:1`, env({ NEXT_ADDR: `part-${at + 1}:80` })),
    service(`part-${at}`, 80),
  ]).flat();
  return imported("row", [
    { name: "all.yaml", text: objects.map((one) => JSON.stringify(one)).join("\n---\n") },
  ]);
}

test("as many objects are imported as are deployed, and no more", () => {
  expect(callsOf(row(1_000))).toHaveLength(999);
  expect(() => row(1_500)).toThrow("3000 objects, at most 2000 are deployed; leave some out");
});

test("of a key that is there twice the last value counts, and it is said", () => {
  const text = dump(deployment("web", "team/web:1")).replace("kind:", "kind: Service\nkind:");
  const made = imported("shop", [
    { name: "a.yaml", text },
    { name: "b.yaml", text: dump(service("web", 80)) },
  ]);
  expect(made.problems).toEqual([]);
  expect(made.missing.join()).toMatch(
    /left out: a.yaml: the first value of a key that is there twice, line \d+/,
  );
});

test("of several variants the first is taken, and it is said", () => {
  const [web, db] = ["web", "db"].map((name) => dump(deployment(name, `team/${name}:1`)));
  const other = dump(deployment("web", "team/web:2")).replace(
    "metadata:\n",
    "metadata:\n  namespace: shop\n",
  );
  const made = imported("shop", [
    { name: "base/all.yaml", text: `${web}---\n${db}` },
    {
      name: "base/kustomization.yaml",
      text: "kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n",
    },
    { name: "overlays/prod.yaml", text: `${other}---\n${db}---\n${dump(service("web", 80))}` },
  ]);
  expect(JSON.stringify(made.files)).not.toContain("team/web:2");
  const missing = made.missing.join("\n");
  expect(missing).toContain(
    "overlays/prod.yaml: it is another variant, 2 of its 3 objects are in files before it, such as base/all.yaml",
  );
  expect(missing).toContain("kustomizations, which change what is in their files: base;");
});

/** The shop with one file mounted, and how its call of the books is known. */
function withFile(name: string, text: string): string | undefined {
  const web = deployment("shop", "team/shop:1") as { spec: { template: { spec: Record<string, unknown> } } };
  web.spec.template.spec["volumes"] = [{ name: "files", configMap: { name: "files" } }];
  const files = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "files" }, data: { [name]: text } };
  const objects = [
    ...[web, service("shop", 80), files],
    ...[deployment("books", "team/books:1"), service("books", 8080)],
  ];
  const made = imported("shop", [
    { name: "a.json", text: JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }) },
  ]);
  const { why, confidence } = made.findings.find(({ what }) => what === "call") ?? {};
  return why === `${name} of ConfigMap files` ? confidence : undefined;
}

test.each([
  ["nginx.conf", "upstream books { server books:8080; }", "likely"],
  ["routes.yaml", "routes:\n  - id: books\n    uri: http://books:8080\n", "likely"],
  ["nginx.conf", "# server books:9090;\nserver books:8080; # once books:1", "likely"],
  ["Caddyfile", ":80 {\n  reverse_proxy {\n    to books:8080\n  }\n}", "likely"],
  ["app.json", '{"text": "see http://books:80 for the list", "url": "http://books:8080"}', "likely"],
  ["app.json", '{"text": "see http://books:8080 for the list"}', "guess"],
  ["README", "The books are at http://books:8080, ask there.", "guess"],
  ["app.yaml", "# url: http://books:8080", undefined],
  ["app.yaml", "url: http://elsewhere  # http://books:8080", undefined],
  ["app.properties", "! url=http://books:8080", undefined],
  ["app.ini", "; url=http://books:8080", undefined],
  ["app.js", "  // const url = 'http://books:8080'", undefined],
  ["app.xml", "<!-- <url>http://books:8080</url> -->", undefined],
] as const)("in %s %j names the books, and it is %s", (name, text, expected) => {
  expect(withFile(name, text)).toBe(expected);
});

const ingress = (spec: object) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: { name: "web" },
  spec,
});
const to = (name: string, port?: object) => ({ service: { port, name } });
const paths = (...all: readonly [string, object][]) => ({
  rules: [{ http: { paths: all.map(([path, backend]) => ({ path, pathType: "Prefix", backend })) } }],
});

test.each([
  [paths(["/", to("shop", { number: 80 })]), "shop:80", "sure"],
  [paths(["/admin", to("books", { number: 8080 })], ["/", to("shop")]), "shop:80", "likely"],
  [paths(["/api/v1", to("shop")], ["/api(/|$)(.*)", to("books")]), "books:8080", "likely"],
  [{ ...paths(["/api", to("books")]), defaultBackend: to("shop") }, "books:8080", "likely"],
  [paths(["/", to("shop")], ["/", to("books")]), "shop:80", "guess"],
  [paths(["/", to("books", { name: "web" })]), "books:9090", "sure"],
  [paths(["/", to("books", { number: 9090 })]), "books:9090", "sure"],
  [{ backend: { servicePort: "web", serviceName: "books" } }, "books:9090", "sure"],
  [paths(["/", to("nosuch")]), "shop:80", "likely"],
] as const)("of the Ingress %j the entry is %s, %s", (spec, address, confidence) => {
  const named = [
    { name: "main", port: 8080 },
    { name: "web", port: 9090 },
  ];
  const objects = [
    ...[deployment("shop", "team/shop:1"), service("shop", 80, { type: "NodePort" })],
    ...[deployment("books", "team/books:1"), service("books", 0, { ports: named }), ingress(spec)],
  ];
  const made = imported("shop", [
    { name: "a.json", text: JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }) },
  ]);
  expect(made.findings[0]).toMatchObject({ what: "entry", value: address, confidence });
});

test.each([
  ["curlimages/curl:8.8.0", "busybox, curl", "likely"],
  ["python:3.12", "coreutils, bash, grep, sed, gzip, tar, python, python3, pip, pip3", "likely"],
  ["gcr.io/distroless/base", "", "likely"],
  ["team/shop:1", "coreutils, bash, grep, sed, gzip, tar", "guess"],
])("in %s it takes %j to be, %s", (image, value, confidence) => {
  const tools = shop({ image }).findings.find(({ place, what }) => place === "shop/shop" && what === "tools");
  expect(tools).toMatchObject({ value, confidence });
});

test("an Ingress that leads nowhere is said to be missing its Service or its port", () => {
  const spec = paths(["/", to("nosuch")], ["/books", to("books", { number: 1 })]);
  expect(shop({}, [ingress(spec)]).missing).toEqual(
    expect.arrayContaining([
      "Ingress web: it leads to the Service nosuch, which is not among the manifests",
      "Ingress web: it leads to the port 1 of the Service books, which has none such",
    ]),
  );
});

test.each([
  ["text.yaml", "some words", "text.yaml: it has no Kubernetes object"],
  ["empty.yaml", "\n", "empty.yaml: it is empty"],
  ["arr.json", "[1]", "arr.json: it has no Kubernetes object"],
])("%s with %j and nothing else is named", (name, text, expected) => {
  expect(() => imported("shop", [{ name, text }])).toThrow(expected);
});

const messageOf = (text: string, namespace?: string): string => {
  try {
    imported("shop", [{ name: "a.yaml", text }], namespace);
    return "";
  } catch (error) {
    return String(error);
  }
};
const one = JSON.stringify(deployment("web", "team/web:1"));

test.each([
  ["kind: Deployment\nmetadata: { name: web }\n", "a.yaml: document 1: expected apiVersion, as every"],
  [
    "a: 1\n---\napiVersion: apps/v1\nmetadata: { name: web }\n",
    "a.yaml: document 2: expected kind, as every",
  ],
  [
    "apiVersion: apps/v1\nkind: Deployment\nspec: {}\n",
    "a.yaml: document 1: Deployment: expected metadata.name",
  ],
  [
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: {{ .Values.name }}-web }\n",
    "a.yaml: it is a template, such as of a Helm chart, and no manifest; render it first (helm template",
  ],
  [
    one.replace('"spec":{', '"spec":{"replicas":"{{ .Values.replicas }}",'),
    "Deployment web: it is a template",
  ],
  [
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  replicas: {{ .Values.replicas }}\n",
    "it is a template, such as of a Helm chart",
  ],
  [
    one.replace("team/web:1", "team/web:$" + "{TAG}"),
    "Deployment web: its image team/web:$" + "{TAG} has a variable",
  ],
  [
    one.replace("team/web:1", "{{ image }}"),
    "Deployment web: its image {{ image }} has a variable; fill it in",
  ],
])("of %j it says what is wrong, and where", (text, expected) => {
  expect(messageOf(text)).toContain(expected);
});

test("what a document lacks is said beside those that are whole, and in a list its place", () => {
  const tool = { apiVersion: "skaffold/v4beta1", kind: "Config", metadata: { name: "web" } };
  const items = [deployment("web", "team/web:1"), { kind: "Service", metadata: { name: "web" } }, tool];
  const text = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  const made = imported("shop", [{ name: "a.json", text }]);
  expect(made.missing).toContainEqual(
    "left out: a.json: document 1, item 2 of its list: expected apiVersion, as every Kubernetes object has",
  );
  expect(made.missing).toContainEqual(
    expect.stringContaining("item 3 of its list: it is a tool's, and no object"),
  );
});

test("a namespace that no object names is said to be missing", () => {
  const text = one.replace('"metadata":{', '"metadata":{"namespace":"shop",');
  expect(messageOf(text, "nosuch")).toContain("there is no namespace nosuch; the manifests name shop");
  expect(messageOf(one, "any")).toBe("");
  const other = text.replaceAll("web", "other");
  const made = imported("shop", [{ name: "a.yaml", text: `${one}\n---\n${other}` }], "nosuch");
  expect(made.missing[0]).toBe("there is no namespace nosuch; the manifests name shop");
});

test("of a Job's program it finds the calls, and that it ends; a script speaks for itself", () => {
  const jobOf = (name: string, container: object) => ({
    ...{ apiVersion: "batch/v1", kind: "Job", metadata: { name } },
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name, ...container }] } } },
  });
  const objects = [
    jobOf("migrate", {
      image: "example.org/shop/api:1",
      args: ["migrate"],
      env: [{ name: "SHELF_URL", value: "http://time-service:5001" }],
    }),
    jobOf("greet", { image: "busybox:1.36", command: ["sh", "-c", "wget -qO- http://time-service:5001"] }),
  ];
  const texts = [
    ...manifestsOf("simple-micro"),
    { name: "jobs.yaml", text: objects.map((one) => dump(one)).join("---\n") },
  ];
  const made = imported("simple-micro", texts);
  expect(made.problems).toEqual([]);
  expect(confidenceOf(made, "Job migrate -> time-service")).toBe("sure");
  const { jobs } = loaded(made);
  expect(Object.keys(jobs)).toEqual(["migrate"]);
  expect(jobs["migrate"]).toMatchObject({
    containers: [{ behaviour: { ends: { exitCode: 0 } } }],
    calls: [
      { to: "time-service", address: "time-service:5001", env: "SHELF_URL", perRequest: 1, retries: 10 },
    ],
  });
});

test("of mounted scripts those count that the command names, and addresses that lead to no Service are listed", () => {
  const scripts = {
    "sweep.sh": ". /scripts/lib.sh\ncurl http://stock/sweep http://bank.example.com:8443/pay",
    "lib.sh": "export DB=db:5432",
    "close.sh": "curl http://orders/close ledger:9000",
    "site.conf": "proxy_pass http://pages;",
  };
  const volumes = [{ name: "s", configMap: { name: "scripts" } }];
  const sweeper = deployment("sweeper", "team/python:3", {
    command: ["python3", "/scripts/sweep.sh"],
    volumeMounts: [{ name: "s", mountPath: "/scripts" }],
    ...env({ HUB_URL: "http://hub", SELF: "http://localhost:80", SINCE: "12:30" }),
  }) as { spec: { template: { spec: object } } };
  Object.assign(sweeper.spec.template.spec, { volumes });
  const others = ["stock", "db", "orders", "pages"].flatMap((name) => [
    deployment(name, "team/a:1"),
    service(name, name === "db" ? 5432 : 80),
  ]);
  const objects = [
    sweeper,
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "scripts" }, data: scripts },
    ...others,
  ];
  const made = imported(
    "shop",
    objects.map((one, index) => ({ name: `${index}.json`, text: JSON.stringify(one) })),
  );
  const called = made.model.workloads.find(({ name }) => name === "sweeper")?.calls ?? [];
  expect(
    called
      .filter(({ confidence }) => confidence !== "guess")
      .map(({ call }) => call.to)
      .toSorted(),
  ).toEqual(["db", "pages", "stock"]);
  expect(made.missing.filter((line) => line.includes("no Service of the manifests"))).toEqual([
    expect.stringMatching(/^hub \(variable HUB_URL, sweeper\)/),
    expect.stringMatching(/^bank\.example\.com:8443 \(sweep\.sh of ConfigMap scripts, sweeper\)/),
  ]);
});
