import { expect, test } from "vitest";
import { loadEnvironment } from "./load-environment.ts";

/** A system that is right, with what others name in it. */
const files = {
  model: `
name: tiny
description: one workload
source: made up
x-idle: &idle { runtime: go, startupCpuSeconds: 0.1, idleCpuMillicores: 1, memoryMi: 10 }
targets: [web]
workloads:
  web:
    containers: { web: { <<: *idle, listens: [8080], tools: [busybox] } }
    calls:
      - { to: db, address: "db:5432", env: DB_URL, connectionString: DB_URL, protocol: postgresql, perRequest: 1, timeoutSeconds: 1 }
      - { to: bus, address: "bus:9092", protocol: kafka, topic: orders, perRequest: 1, timeoutSeconds: 1 }
  db:
    dataMount: /data
    containers: { db: { <<: *idle, runtime: postgresql, listens: [5432], tools: [busybox] } }
  bus:
    containers: { bus: { <<: *idle, runtime: kafka, listens: [9092] } }
jobs:
  migrate:
    containers: { up: { <<: *idle, ends: { afterSeconds: 2 } } }
    calls: [{ to: db, address: "db:5432", protocol: postgresql, perRequest: 1, timeoutSeconds: 1 }]
`,
  workload: `
entry: web:80
requestsPerSecond: 1
requests:
  - { path: /, share: 1, expect: { status: [200] } }
`,
  manifests: `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: v1
kind: Service
metadata: { name: db }
spec: { selector: { app: db }, ports: [{ port: 5432 }] }
---
apiVersion: v1
kind: Service
metadata: { name: bus }
spec: { selector: { app: bus }, ports: [{ port: 9092 }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { MODE: fast }
---
apiVersion: v1
kind: Secret
metadata: { name: keys }
stringData: { url: "postgres://u:p@db:5432/shop" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: web:1
          env: [{ name: DB_URL, value: "postgres://u:p@db:5432/shop" }]
          envFrom: [{ configMapRef: { name: settings } }]
          ports: [{ containerPort: 8080 }]
          readinessProbe: { httpGet: { port: 8080 } }
          resources: { limits: { cpu: 200m, memory: 128Mi } }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec:
      containers:
        - name: db
          image: postgres:16
          volumeMounts: [{ name: data, mountPath: /data }]
      volumes: [{ name: data, emptyDir: {} }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: bus }
spec:
  selector: { matchLabels: { app: bus } }
  template:
    metadata: { labels: { app: bus } }
    spec: { containers: [{ name: bus, image: "kafka:3" }] }
---
apiVersion: batch/v1
kind: Job
metadata: { name: migrate }
spec:
  template: { spec: { restartPolicy: Never, containers: [{ name: up, image: "up:1" }] } }
`,
};

function problemsOf({ model, workload, manifests }: typeof files): readonly string[] {
  try {
    loadEnvironment({
      folder: "tiny",
      model: { name: "model.yaml", text: model },
      workload: { name: "workload.yaml", text: workload },
      manifests: [{ name: "manifests/all.yaml", text: manifests }],
    });
    return [];
  } catch (error) {
    return (error as { details: { problems: string[] } }).details.problems;
  }
}

test("the files are right, also with objects of other kinds", () => {
  expect(problemsOf(files)).toEqual([]);
  const others = [
    "v1 PersistentVolume",
    "v1 LimitRange",
    "apps/v1 ControllerRevision",
    "example.org/v1 Deploymnt",
  ];
  for (const one of others) {
    const [apiVersion, kind] = one.split(" ");
    const more = `\n---\n{ apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: other } }`;
    expect(problemsOf({ ...files, manifests: files.manifests + more })).toEqual([]);
  }
});

test.each<[keyof typeof files, string, string, string]>([
  [
    "model",
    "name: tiny",
    "name: Tiny!",
    'model.yaml, name: expected small letters, digits and dashes, as the folder\'s name has, not "Tiny!"',
  ],
  ["model", "name: tiny\n", "\n", "model.yaml, name: expected a text; it is missing"],
  [
    "model",
    "description: one workload",
    "descripton: one",
    'model.yaml, descripton: expected no field of this name; did you mean "description"?',
  ],
  ["model", "source: made up", "source: 3", "model.yaml, source: expected a text, not 3; put it in quotes"],
  ["model", "source: made up", "source: made up\nnamespace: [x]", "model.yaml, namespace: expected a text"],
  [
    "model",
    "targets: [web]",
    "targets: web",
    'model.yaml, targets: expected a list, not "web"; write ["web"]',
  ],
  ["model", "targets: [web]", "targets: []", "model.yaml, targets: expected a list of at least 1 item"],
  [
    "model",
    "targets: [web]",
    "targets: [wob]",
    'model.yaml, targets[0]: the manifests have no Deployment or StatefulSet "wob"; did you mean "web" or "db"?',
  ],
  [
    "model",
    "workloads:\n",
    "workload:\n",
    'model.yaml, workload: expected no field of this name; did you mean "workloads"?',
  ],
  [
    "model",
    "workloads:\n  web:",
    "workloads:\n  wob:",
    'model.yaml, workloads.wob: the manifests have no Deployment, StatefulSet or DaemonSet of this name; did you mean "web" or "db"?',
  ],
  [
    "model",
    "containers: { web:",
    "containers: { wob:",
    "model.yaml, workloads.web.containers.wob: expected a container of its pods: web",
  ],
  [
    "model",
    "listens: [8080]",
    "listens: 8080",
    "model.yaml, workloads.web.containers.web.listens: expected a list, not 8080; write [8080]",
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [80800]",
    "model.yaml, workloads.web.containers.web.listens[0]: expected a number of at most 65535, not 80800",
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [http]",
    'model.yaml, workloads.web.containers.web.listens[0]: expected a number, not "http"',
  ],
  [
    "model",
    "runtime: go",
    "runtime: golang",
    'model.yaml, workloads.web.containers.web.runtime: expected "go" or "java" or "node" or "python" or "dotnet" or "cpp" or "php" or "ruby" or "rust" or "elixir" or "flagd" or "nginx" or "envoy" or "redis" or "memcached" or "mysql" or "postgresql" or "mongodb" or "rabbitmq" or "nats" or "kafka" or "xenon" or "locust" or "idle", not "golang" (likewise in jobs.migrate.containers.up.runtime)',
  ],
  [
    "model",
    "memoryMi: 10",
    "memoryMi: -1",
    "model.yaml, workloads.web.containers.web.memoryMi: expected a number of at least 1, not -1 (likewise in workloads.db.containers.db.memoryMi and workloads.bus.containers.bus.memoryMi and 1 more)",
  ],
  [
    "model",
    "memoryMi: 10",
    "memoryMi: 10Mi",
    'model.yaml, workloads.web.containers.web.memoryMi: expected a number, not "10Mi" (likewise in workloads.db.containers.db.memoryMi and workloads.bus.containers.bus.memoryMi and 1 more)',
  ],
  [
    "model",
    "tools: [busybox] } }\n    calls",
    "tools: busybox } }\n    calls",
    'model.yaml, workloads.web.containers.web.tools: expected a list, not "busybox"; write ["busybox"]',
  ],
  [
    "model",
    "tools: [busybox] } }\n    calls",
    "shell: zsh } }\n    calls",
    'model.yaml, workloads.web.containers.web.shell: expected "sh" or "bash" or "none", not "zsh"; did you mean "sh" or "bash"?',
  ],
  [
    "model",
    "timeoutSeconds: 1 }",
    "timeoutSecs: 1 }",
    'model.yaml, workloads.web.calls[0].timeoutSecs: expected no field of this name; did you mean "timeoutSeconds"?',
  ],
  [
    "model",
    "timeoutSeconds: 1 }",
    "timeoutSeconds: 0 }",
    "model.yaml, workloads.web.calls[0].timeoutSeconds: expected a number of more than 0, not 0",
  ],
  [
    "model",
    "timeoutSeconds: 1 }",
    "timeoutSeconds: 1s }",
    'model.yaml, workloads.web.calls[0].timeoutSeconds: expected a number, not "1s"',
  ],
  [
    "model",
    ", timeoutSeconds: 1 }",
    " }",
    "model.yaml, workloads.web.calls[0].timeoutSeconds: expected a number; it is missing",
  ],
  [
    "model",
    "to: db",
    "to: dbb",
    'model.yaml, workloads.web.calls[0].to: the manifests have no workload "dbb"; did you mean "db" or "web"?',
  ],
  ["model", "to: db, ", "", "model.yaml, workloads.web.calls[0].to: expected a text; it is missing"],
  [
    "model",
    'address: "db:5432"',
    'address: "dbb:5432"',
    'model.yaml, workloads.web.calls[0].address: "dbb:5432" names no Service; write <service>:<port> with a Service of the manifests: did you mean "db" or "web"?',
  ],
  [
    "model",
    'address: "db:5432"',
    'address: "db"',
    'model.yaml, workloads.web.calls[0].address: Service "db" has no port (none given); write db:5432',
  ],
  [
    "model",
    'address: "db:5432"',
    'address: "db:80"',
    'model.yaml, workloads.web.calls[0].address: Service "db" has no port 80; write db:5432',
  ],
  [
    "model",
    'address: "db:5432"',
    'address: "http://db:5432/x"',
    'model.yaml, workloads.web.calls[0].address: "http://db:5432/x" names no Service; write <service>:<port>, such as db:5432',
  ],
  [
    "model",
    'address: "db:5432"',
    'address: "web:80"',
    'model.yaml, workloads.web.calls[0].address: "web:80" leads to web, not to db; write db:5432, or correct `to`',
  ],
  [
    "model",
    'address: "db:5432"',
    "address: 5432",
    "model.yaml, workloads.web.calls[0].address: expected a text, not 5432; put it in quotes",
  ],
  [
    "model",
    "env: DB_URL",
    "env: DB_UR",
    'model.yaml, workloads.web.calls[0].env: none of its containers has a variable "DB_UR"; leave it out, or name another: did you mean "DB_URL"?',
  ],
  [
    "model",
    "env: DB_URL",
    "env: MODE",
    "model.yaml, workloads.web.calls[0].env: expected a variable with an address such as db:5432; no Service is in what MODE has; correct it in the manifests, name another variable, or leave env out",
  ],
  [
    "model",
    "connectionString: DB_URL",
    "connectionString: DB_UR",
    'model.yaml, workloads.web.calls[0].connectionString: none of its containers has a variable "DB_UR"; leave it out, or name another: did you mean "DB_URL"?',
  ],
  [
    "model",
    "connectionString: DB_URL",
    "connectionString: MODE",
    "model.yaml, workloads.web.calls[0].connectionString: expected a variable with a URL such as postgres://user:password@db:5432/name, or a list such as Host=...;Username=...; there is no user in what MODE has; name another variable, or leave connectionString out",
  ],
  [
    "model",
    "connectionString: DB_URL",
    "connectionString: [x]",
    "model.yaml, workloads.web.calls[0].connectionString: expected a text",
  ],
  [
    "model",
    "connectionString: DB_URL",
    "login: { user: U, password: P, database: D }",
    "model.yaml, workloads.web.calls[0].login: it is for the protocol mysql, not postgresql; leave it out",
  ],
  [
    "model",
    "protocol: postgresql",
    "protocol: postgres",
    'model.yaml, workloads.web.calls[0].protocol: expected "http" or "grpc" or "thrift" or "redis" or "memcached" or "mysql" or "postgresql" or "mongodb" or "amqp" or "nats" or "kafka" or "nacos", not "postgres"; did you mean "postgresql"?',
  ],
  [
    "model",
    "protocol: postgresql",
    "protocol: mysql",
    "model.yaml, workloads.web.calls[0].protocol: db has the runtime postgresql, which does not speak mysql; write postgresql, or another runtime",
  ],
  [
    "model",
    "protocol: postgresql",
    "protocol: http",
    "model.yaml, workloads.web.calls[0].connectionString: it is for the protocol postgresql, not http; leave it out",
  ],
  [
    "model",
    "perRequest: 1",
    "perRequest: 1e9",
    "model.yaml, workloads.web.calls[0].perRequest: expected a number of at most 1000, not 1000000000",
  ],
  [
    "model",
    "perRequest: 1",
    "perRequest: lots",
    'model.yaml, workloads.web.calls[0].perRequest: expected a number, not "lots"',
  ],
  [
    "model",
    "perRequest: 1",
    "perRequest: 1, retries: 1.5",
    "model.yaml, workloads.web.calls[0].retries: expected a whole number, not 1.5",
  ],
  [
    "model",
    "perRequest: 1",
    "perRequest: 1, retries: -1",
    "model.yaml, workloads.web.calls[0].retries: expected a number of at least 0, not -1",
  ],
  [
    "model",
    "perRequest: 1",
    "perRequest: 1, onPaths: [/zz]",
    'model.yaml, workloads.web.calls[0].onPaths: workload.yaml asks for no path "/zz"; did you mean "/"?',
  ],
  [
    "model",
    "perRequest: 1",
    "perRequest: 1, required: maybe",
    'model.yaml, workloads.web.calls[0].required: expected true or false, not "maybe"',
  ],
  [
    "model",
    "topic: orders",
    "topic: ''",
    'model.yaml, workloads.web.calls[1].topic: expected a text of at least 1 character, not ""',
  ],
  [
    "model",
    "topic: orders",
    "reads: { group: g, mostPerSecond: 1 }",
    "model.yaml, workloads.web.calls[1].reads: expected the topic that it reads beside it; add topic",
  ],
  [
    "model",
    "to: bus",
    "to: db",
    'model.yaml, workloads.web.calls[1].address: "bus:9092" leads to bus, not to db; write db:5432, or correct `to`',
  ],
  [
    "model",
    "dataMount: /data",
    "dataMount: /date",
    'model.yaml, workloads.db.dataMount: its first container has nothing mounted at "/date"; did you mean "/data"?',
  ],
  [
    "model",
    "dataMount: /data",
    "operated: { by: x, kind: K, name: n, part: /spec }",
    "model.yaml, workloads.db.operated.name: expected a text, not false; put it in quotes",
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [8080], writesPerRequest: { /nowhere: 1 }",
    'model.yaml, workloads.web.containers.web.writesPerRequest: nothing is mounted at "/nowhere"; there is none',
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [8080], waitsFor: 'db:5432'",
    "model.yaml, workloads.web.containers.web.waitsFor: only init containers end when an address answers; leave it out",
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [8080], flags: { a: { errors: 2 } }",
    "model.yaml, workloads.web.containers.web.flags.a.errors: expected a number of at most 1, not 2",
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [8080], flags: { a: { calls: [{ to: nope, errors: 1 }] } }",
    'model.yaml, workloads.web.containers.web.flags.a.calls[0].to: the manifests have no workload "nope"; known: "web", "db" or "bus"',
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [8080], flags: { a: { target: nope } }",
    'model.yaml, workloads.web.containers.web.flags.a.target: the manifests have no workload "nope"; known: "web", "db" or "bus"',
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [8080], versions: { 'web:2': { exits: 0 } }",
    'model.yaml, workloads.web.containers.web.versions["web:2"].exits: expected a number of at least 1, not 0',
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [8080], paths: [x]",
    'model.yaml, workloads.web.containers.web.paths[0]: expected a text that begins with "/", not "x"',
  ],
  [
    "model",
    "listens: [8080]",
    "listens: [8080], logs: { format: xml }",
    'model.yaml, workloads.web.containers.web.logs.format: expected "json" or "zerolog" or "zap" or "hclog" or "plain", not "xml"',
  ],
  [
    "model",
    "  migrate:\n    con",
    "  migrat:\n    con",
    'model.yaml, jobs.migrat: the manifests have no Job or CronJob of this name; did you mean "migrate"?',
  ],
  [
    "model",
    "{ up:",
    "{ down:",
    "model.yaml, jobs.migrate.containers.down: expected a container of its pods: up",
  ],
  [
    "model",
    "ends: { afterSeconds: 2 }",
    "ends: 2",
    "model.yaml, jobs.migrate.containers.up.ends: expected an object, not 2; its fields are afterSeconds, exitCode, says",
  ],
  [
    "model",
    "ends: { afterSeconds: 2 }",
    "ends: { exitCode: 300 }",
    "model.yaml, jobs.migrate.containers.up.ends.exitCode: expected a number of at most 255, not 300",
  ],
  [
    "model",
    "workloads:\n",
    "workloads: [\n",
    "model.yaml: not YAML: missed comma between flow collection entries (line 9); correct it there",
  ],
  [
    "model",
    "targets: [web]",
    "targets: [web]\ntargets: [db]",
    "model.yaml: not YAML: duplicated mapping key (line 7); leave one of the two out",
  ],
  ["model", files.model, "", "model.yaml: expected its keys; the file is empty"],
  ["model", files.model, "- a", "model.yaml: expected an object"],
  [
    "model",
    files.model,
    "hello",
    'model.yaml: expected an object, not "hello"; its fields are name, description, source, namespace, targets, workloads, jobs',
  ],
  [
    "model",
    files.model,
    `${files.model}---\n{}`,
    "model.yaml: expected one document, not 2; leave out what follows a line ---",
  ],
  [
    "model",
    "x-idle: &idle",
    "x-idel: &idel",
    'model.yaml: not YAML: unidentified alias "idle" (line 9); write its anchor (&name) before it',
  ],
  [
    "workload",
    "entry: web:80",
    "entry: wob:80",
    'workload.yaml, entry: "wob:80" names no Service; write <service>:<port> with a Service of the manifests: did you mean "web" or "db"?',
  ],
  [
    "workload",
    "entry: web:80",
    "entry: web",
    'workload.yaml, entry: Service "web" has no port (none given); write web:80',
  ],
  [
    "workload",
    "entry: web:80",
    "entry: web:81",
    'workload.yaml, entry: Service "web" has no port 81; write web:80',
  ],
  ["workload", "entry: web:80\n", "\n", "workload.yaml, entry: expected a text; it is missing"],
  [
    "workload",
    "entry: web:80",
    "entry: web:80\nfrom: nope",
    'workload.yaml, from: the manifests have no workload "nope"; leave it out, or name another: known: "web", "db" or "bus"',
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "requestsPerSecond: 0",
    "workload.yaml, requestsPerSecond: expected a number of more than 0, not 0",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "requestsPerSecond: -5",
    "workload.yaml, requestsPerSecond: expected a number of more than 0, not -5",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "requestsPerSecond: 1e9",
    "workload.yaml, requestsPerSecond: expected a number of at most 100000, not 1000000000",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "requestPerSecond: 1",
    'workload.yaml, requestPerSecond: expected no field of this name; did you mean "requestsPerSecond"?',
  ],
  [
    "workload",
    "requestsPerSecond: 1\n",
    "\n",
    "workload.yaml, requestsPerSecond: expected one of requestsPerSecond, users and replay",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "users: 3\nrequestsPerSecond: 1",
    "workload.yaml, requestsPerSecond: expected one of requestsPerSecond, users and replay; leave the others out",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "users: 0",
    "workload.yaml, users: expected a number of at least 1, not 0",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "users: 2\nthinkSeconds: [5, 1]",
    "workload.yaml, thinkSeconds: expected the shorter pause first",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "users: 2\nthinkSeconds: [1]",
    "workload.yaml, thinkSeconds: expected a number, or a list of at least 2 items",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "users: 2\nthinkSeconds: soon",
    'workload.yaml, thinkSeconds: expected a number, or a list, not "soon"',
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "replay: { file: x.csv }",
    "workload.yaml, replay.file: there is no file x.csv beside it that ends in .csv, .jsonl or .ndjson",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "replay: x.csv",
    'workload.yaml, replay: expected an object, not "x.csv"; its fields are file, rows',
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "replay: {}",
    "workload.yaml, replay: expected a file with lines; write file: <its name>",
  ],
  [
    "workload",
    "requestsPerSecond: 1",
    "replay: { file: ../x.csv }",
    'workload.yaml, replay.file: expected the name of a file beside workload.yaml, without a folder, not "../x.csv"',
  ],
  [
    "workload",
    "status: [200]",
    "status: 201",
    "workload.yaml, requests[0].expect.status: expected a list, not 201; write [201]",
  ],
  [
    "workload",
    "status: [200]",
    "status: [404]",
    "workload.yaml, requests[0].expect.status[0]: expected a number of at most 399, not 404",
  ],
  [
    "workload",
    "status: [200]",
    "status: []",
    "workload.yaml, requests[0].expect.status: expected a list of at least 1 item",
  ],
  [
    "workload",
    "status: [200]",
    "content: ''",
    'workload.yaml, requests[0].expect.content: expected one line of at most 200 characters, not ""',
  ],
  [
    "workload",
    "status: [200]",
    "content: 3",
    "workload.yaml, requests[0].expect.content: expected a text, not 3; put it in quotes",
  ],
  [
    "workload",
    "status: [200]",
    "status: [302], content: x",
    "workload.yaml, requests[0].expect.status: expected 200 to 299 beside content: a redirection is known by its status alone",
  ],
  [
    "workload",
    "status: [200]",
    "body: x",
    "workload.yaml, requests[0].expect.body: expected no field of this name; there are status, content",
  ],
  [
    "workload",
    "expect: { status: [200] }",
    "expect: 200",
    "workload.yaml, requests[0].expect: expected an object, not 200; its fields are status, content",
  ],
  [
    "workload",
    "expect: { status: [200] }",
    "method: PUT",
    'workload.yaml, requests[0].method: expected "GET" or "POST", not "PUT"; did you mean "GET" or "POST"?',
  ],
  [
    "workload",
    "share: 1",
    "share: 0",
    "workload.yaml, requests[0].share: expected a number of more than 0, not 0",
  ],
  ["workload", "share: 1, ", "", "workload.yaml, requests[0].share: expected a number; it is missing"],
  [
    "workload",
    "  - { path: /, share: 1, expect: { status: [200] } }",
    "  []",
    "workload.yaml, requests: expected a list of at least 1 item",
  ],
  [
    "workload",
    "\nrequests:\n  -",
    "\njourneys:\n  - { name: a, steps: [] }\nx-a:\n  -",
    "workload.yaml, journeys[0].steps: expected a list of at least 1 item",
  ],
  [
    "workload",
    "\nrequests:\n  -",
    "\njourneys:\n  - { name: a, steps: [{ path: / }] }\nrequests:\n  -",
    "workload.yaml, journeys: expected no requests beside them: write one of the two",
  ],
  [
    "workload",
    "entry: web:80",
    "entry: web:80\ndiurnal: { amplitude: 2 }",
    "workload.yaml, diurnal.amplitude: expected a number of at most 1, not 2",
  ],
  [
    "workload",
    "entry: web:80",
    "entry: web:80\nbursts: { everySeconds: 1, durationSeconds: 5, factor: 2 }",
    "workload.yaml, bursts.durationSeconds: expected a number of at most everySeconds",
  ],
  [
    "workload",
    "entry: web:80",
    "entry: web:80\nloads: { Big: { users: 2 } }",
    "workload.yaml, loads.Big: expected another key: lower-case letters, digits and dashes, at most 40",
  ],
  [
    "workload",
    "entry: web:80",
    "entry: web:80\nloads: { big: { user: 2 } }",
    'workload.yaml, loads.big.user: expected no field of this name; did you mean "users"?',
  ],
  [
    "workload",
    "entry: web:80",
    "entry: web:80\nloads: { big: { entry: web:80, users: 2 } }",
    "workload.yaml, loads.big.entry: expected no field of this name; there are path, requests, journeys, requestsPerSecond, users, thinkSeconds, diurnal, bursts, replay",
  ],
  [
    "workload",
    "entry: web:80",
    "entry: web:80\nloads: [ { users: 2 } ]",
    "workload.yaml, loads: expected an object",
  ],
  ["workload", files.workload, "", "workload.yaml: expected its keys; the file is empty"],
  ["workload", files.workload, "{}", "workload.yaml, entry: expected a text; it is missing"],
  [
    "manifests",
    "apiVersion: v1\nkind: Service\nmetadata: { name: web }",
    "kind: Service\nmetadata: { name: web }",
    "manifests/all.yaml, document 1: expected apiVersion, as every Kubernetes object has",
  ],
  [
    "manifests",
    "metadata: { name: web }",
    "metadata: {}",
    "manifests/all.yaml, document 1: Service: expected metadata.name",
  ],
  [
    "manifests",
    "metadata: { name: web }",
    "metadata: { name: Web_1 }",
    "manifests/all.yaml, Service Web_1: metadata.name: expected small letters, digits, dashes and dots, at most 253, as clusters take names",
  ],
  [
    "manifests",
    "metadata: { name: web }\nspec: { selector: { app: web }",
    "metadata: { name: web, namespace: other }\nspec: { selector: { app: web }",
    "manifests/all.yaml, Service web: it is in the namespace other; an environment is one namespace, tiny: write another `namespace` in model.yaml, or leave out what is elsewhere",
  ],
  [
    "manifests",
    "port: 80,",
    "port: 800000,",
    "manifests/all.yaml, Service web: spec.ports[0].port: expected a number of at most 65535, not 800000",
  ],
  [
    "manifests",
    "port: 80,",
    "port: http,",
    'manifests/all.yaml, Service web: spec.ports[0].port: expected a number, not "http"',
  ],
  [
    "manifests",
    "selector: { app: web }, ports",
    "selector: [app], ports",
    "manifests/all.yaml, Service web: spec.selector: expected an object",
  ],
  [
    "manifests",
    "{ port: 80, targetPort: 8080 }",
    "{ targetPort: 8080 }",
    "manifests/all.yaml, Service web: spec.ports[0].port: expected a number; it is missing",
  ],
  [
    "manifests",
    "containers:",
    "contaners:",
    "manifests/all.yaml, Deployment web: spec.template.spec.containers: expected a list; it is missing",
  ],
  [
    "manifests",
    "image: web:1",
    "imag: web:1",
    "manifests/all.yaml, Deployment web: spec.template.spec.containers[0].image: expected a text; it is missing",
  ],
  [
    "manifests",
    "image: web:1",
    "image: 3",
    "manifests/all.yaml, Deployment web: spec.template.spec.containers[0].image: expected a text, not 3; put it in quotes",
  ],
  [
    "manifests",
    "cpu: 200m",
    "cpu: 200x",
    "manifests/all.yaml, Deployment web: spec.template.spec.containers[0].resources.limits.cpu: expected a quantity, such as 200m or 64Mi",
  ],
  [
    "manifests",
    "limits: { cpu: 200m,",
    "requests: { cpu: 300m }, limits: { cpu: 200m,",
    "manifests/all.yaml, Deployment web: container web: the limit of cpu, 200m, is below the request, 300m; raise it",
  ],
  [
    "manifests",
    'value: "postgres://u:p@db:5432/shop" }]',
    "value: 5 }]",
    "manifests/all.yaml, Deployment web: spec.template.spec.containers[0].env[0].value: expected a text, not 5; put it in quotes",
  ],
  [
    "manifests",
    'value: "postgres://u:p@db:5432/shop" }]',
    "valueFrom: { secretKeyRef: { name: keys, key: nope } } }]",
    "manifests/all.yaml, Deployment web: the Secret keys has no key nope, which it needs; it has url",
  ],
  [
    "manifests",
    'value: "postgres://u:p@db:5432/shop" }]',
    "valueFrom: { secretKeyRef: { name: nokeys, key: url } } }]",
    "manifests/all.yaml, Deployment web: there is no Secret nokeys, which it needs; add one",
  ],
  [
    "manifests",
    "emptyDir: {}",
    "configMap: { name: none }",
    "manifests/all.yaml, StatefulSet db: there is no ConfigMap none, which it needs; add one",
  ],
  [
    "manifests",
    "emptyDir: {}",
    "persistentVolumeClaim: { claimName: none }",
    "manifests/all.yaml, StatefulSet db: there is no PersistentVolumeClaim none, which it needs; add one",
  ],
  [
    "manifests",
    "emptyDir: {} }]",
    "emptyDir: {} }]\n      serviceAccountName: none",
    "manifests/all.yaml, StatefulSet db: there is no ServiceAccount none, which its pods need; add it, or name another: there is none",
  ],
  [
    "manifests",
    "kind: Deployment",
    "kind: Deploymnt",
    'manifests/all.yaml, Deploymnt web: apps/v1 has no kind Deploymnt; did you mean "Deployment"?',
  ],
  [
    "manifests",
    "apiVersion: apps/v1",
    "apiVersion: apps/v2",
    "manifests/all.yaml, Deployment web: clusters have no Deployment in apps/v2; write apiVersion: apps/v1",
  ],
  [
    "manifests",
    "apiVersion: apps/v1",
    "apiVersion: extensions/v1beta1",
    "manifests/all.yaml, Deployment web: clusters have no Deployment in extensions/v1beta1; write apiVersion: apps/v1",
  ],
  [
    "manifests",
    "httpGet: { port: 8080 }",
    "httpGet: { port: web }",
    "manifests/all.yaml, Deployment web: container web: readinessProbe names a port that is none of its ports; write its number, or give one this name",
  ],
  [
    "manifests",
    "httpGet: { port: 8080 }",
    "httpGet: {}",
    "manifests/all.yaml, Deployment web: spec.template.spec.containers[0].readinessProbe.httpGet.port: expected a number, or a text; it is missing",
  ],
  [
    "manifests",
    "data: { MODE: fast }",
    "data: MODE",
    "manifests/all.yaml, ConfigMap settings: data: expected an object of texts",
  ],
  [
    "manifests",
    "stringData: { url:",
    "data: { url:",
    "manifests/all.yaml, Secret keys: data.url: expected a text in base64; put one that is not under stringData",
  ],
  [
    "manifests",
    "metadata: { name: bus }",
    "metadata: { name: web }",
    "manifests/all.yaml, Service web: it is in manifests/all.yaml already; leave one out, or rename it",
  ],
  [
    "manifests",
    "spec: { selector: { app: bus }",
    "\tspec: { selector: { app: bus }",
    "manifests/all.yaml: not YAML: tab characters must not be used in indentation (line 15); indent with spaces",
  ],
  [
    "manifests",
    files.manifests,
    "",
    "manifests: expected Kubernetes objects in files that end in .yaml, .yml or .json; there are none",
  ],
  [
    "manifests",
    files.manifests,
    "{{ .Values.x }}",
    "manifests/all.yaml: not YAML: object-based map does not support complex keys (line 1); put braces in quotes, or render the template first (helm template)",
  ],
  [
    "manifests",
    "selector: { app: web }, ports",
    "selector: { app: none }, ports",
    'workload.yaml, entry: Service "web" selects no pods of the manifests; correct its selector, or name another',
  ],
  [
    "manifests",
    "mountPath: /data",
    "mountPath: ''",
    'model.yaml, workloads.db.dataMount: its first container has nothing mounted at "/data"; known: ""',
  ],
  [
    "manifests",
    "metadata: { labels: { app: web } }",
    "metadata: { labels: { app: 3 } }",
    "manifests/all.yaml, Deployment web: spec.template.metadata.labels.app: expected a text, not 3; put it in quotes",
  ],
])(
  "%#: one mistake in %s is one message with the file, the place and what to do",
  (file, from, to, message) => {
    const changed = files[file].replace(from, () => to);
    expect(changed).not.toBe(files[file]);
    expect(problemsOf({ ...files, [file]: changed }).map((one) => one.split("\n")[0])).toEqual([message]);
  },
);
