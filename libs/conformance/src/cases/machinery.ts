import { strict as assert } from "node:assert";
import { setTimeout as delay } from "node:timers/promises";
import { makeInformer, Watch } from "@kubernetes/client-node";
import { area } from "../area.ts";
import type { CaseContext } from "../case.types.ts";
import { configMap, deployment, job, manifest, pod, secret, service } from "../manifests.ts";
import { including } from "../match.ts";
import { client, fails, given, gone, http, is, ready, replicas, run, until } from "../steps/index.ts";

const twice = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"},"data":{"a":"1"},"data":{"b":"2"}}';
const maps = "/api/v1/namespaces/$NS/configmaps";
const labelled = (name: string, labels: object) => configMap(name, {}, { labels });
const shop = [given(labelled("a", { tier: "front", env: "dev" }), labelled("b", { tier: "back", env: "prod" }), labelled("c", { tier: "back", env: "test" }), labelled("d", {}))];
const finds = (query: string, ...names: string[]) => http(`GET ${maps}?${query}`, 200, { items: names.map((name) => ({ metadata: { name } })) });
const own = "fieldSelector=metadata.name!=kube-root-ca.crt";

export const selectors = area("selectors", {
  equal: [...shop, finds("labelSelector=tier%3Dback", "b", "c")],
  "doubly equal": [...shop, finds("labelSelector=tier%3D%3Dfront", "a")],
  "not equal, absent included": [...shop, finds(`labelSelector=tier!%3Dback&${own}`, "a", "d")],
  in: [...shop, finds("labelSelector=env%20in%20(dev,prod)", "a", "b")],
  "not in": [...shop, finds("labelSelector=env%20notin%20(dev,prod),tier", "c")],
  exists: [...shop, finds("labelSelector=env", "a", "b", "c")],
  "does not exist": [...shop, finds(`labelSelector=!env&${own}`, "d")],
  "several at once": [...shop, finds("labelSelector=tier%3Dback,env%3Dprod", "b")],
  "greater than": [given(labelled("x", { n: "5" }), labelled("y", { n: "10" })), finds("labelSelector=n%3E7", "y")],
  "by kubectl": [...shop, run("get cm -l 'env in (dev,test),tier' -o name", "configmap/a\nconfigmap/c")],
  nonsense: [http(`GET ${maps}?labelSelector=a%20b%20c`, 400, { reason: "BadRequest", message: /unable to parse requirement|found .*, expected/ })],
  "fields: name": [...shop, finds("fieldSelector=metadata.name%3Da", "a")],
  "fields: pods by phase and node": [
    given(pod("web")),
    ready("web"),
    http("GET /api/v1/namespaces/$NS/pods?fieldSelector=status.phase%3DRunning,spec.nodeName!%3D", 200, { items: [{ metadata: { name: "web" } }] }),
    http("GET /api/v1/namespaces/$NS/pods?fieldSelector=status.phase%3DFailed", 200, { items: [] }),
  ],
  "fields: secrets by type": [given(secret("one")), http("GET /api/v1/namespaces/$NS/secrets?fieldSelector=type%3DOpaque", 200, { items: [{ metadata: { name: "one" } }] })],
  "fields: events by object": [given(pod("web")), until("event?fieldSelector=involvedObject.name%3Dweb,reason%3DScheduled", { items: [{ reason: "Scheduled" }] })],
  "fields: unknown": [
    http(`GET ${maps}?fieldSelector=data.x%3D1`, 400, { reason: "BadRequest", message: /"data\.x" is not a known field selector: only "metadata\.name", "metadata\.namespace"/ }),
  ],
});

interface Seen {
  readonly type: string;
  readonly object: {
    readonly kind?: string;
    readonly metadata: { readonly name?: string; readonly resourceVersion?: string; readonly annotations?: object };
    readonly code?: number;
  };
}

/** Watches until enough events are there; they are what `act` caused, and what was there before. */
async function watched({ target, fill, signal }: CaseContext, path: string, query: object, enough: number, act: () => Promise<unknown>): Promise<readonly Seen[]> {
  const events: Seen[] = [];
  let ended: unknown;
  const request = await new Watch(target.config).watch(
    fill(path),
    query as Record<string, string>,
    (type, object) => void events.push({ type, object }),
    (error) => {
      ended = error ?? "closed";
    },
  );
  await act();
  while (events.length < enough && ended === undefined) await delay(30, undefined, { signal });
  request.abort();
  return events;
}

const kindsOf = (events: readonly Seen[]): string[] => events.map(({ type, object }) => `${type} ${object.metadata.name}`);
const version = (list: { metadata?: { resourceVersion?: string } }): string => list.metadata?.resourceVersion ?? "";

export const watches = area("watches", {
  "tell what is there, then what happens": [
    given(configMap("one")),
    client(async ({ core }, context) => {
      const { namespace } = context;
      const events = await watched(context, maps, { fieldSelector: "metadata.name=one" }, 3, async () => {
        await core.replaceNamespacedConfigMap({ namespace, name: "one", body: { metadata: { name: "one" }, data: { a: "1" } } });
        await core.deleteNamespacedConfigMap({ namespace, name: "one" });
      });
      assert.deepEqual(kindsOf(events), ["ADDED one", "MODIFIED one", "DELETED one"]);
    }),
  ],
  "go on from a list": [
    given(configMap("one")),
    client(async ({ core }, context) => {
      const { namespace } = context;
      const resourceVersion = version(await core.listNamespacedConfigMap({ namespace }));
      const events = await watched(context, maps, { resourceVersion }, 1, () => core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "two" } } }));
      assert.deepEqual(kindsOf(events), ["ADDED two"]);
    }),
  ],
  "miss nothing between list and watch": [
    client(async ({ core }, context) => {
      const { namespace } = context;
      const resourceVersion = version(await core.listNamespacedConfigMap({ namespace }));
      await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "early" } } });
      assert.deepEqual(kindsOf(await watched(context, maps, { resourceVersion }, 1, async () => {})), ["ADDED early"]);
    }),
  ],
  "an object that stops matching is deleted, one that begins is added": [
    given(labelled("one", { a: "1" })),
    client(async ({ core }, context) => {
      const { namespace } = context;
      const label = (a: string) => core.replaceNamespacedConfigMap({ namespace, name: "one", body: { metadata: { name: "one", labels: { a } } } });
      const events = await watched(context, maps, { labelSelector: "a=1" }, 3, async () => {
        await label("2");
        await label("1");
      });
      assert.deepEqual(kindsOf(events), ["ADDED one", "DELETED one", "ADDED one"]);
    }),
  ],
  "an initial list ends with a bookmark": [
    given(configMap("one")),
    client(async (_clients, context) => {
      const query = { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: "true", fieldSelector: "metadata.name=one" };
      const events = await watched(context, maps, query, 2, async () => {});
      if (events[0]?.type === "ERROR" || events.length === 0) return;
      assert.equal(events.at(-1)?.type, "BOOKMARK");
      assert.deepEqual(events.at(-1)?.object.metadata.annotations, { "k8s.io/initial-events-end": "true" });
    }),
  ],
  "end when their time is over": [http(`GET ${maps}?watch=true&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Dnope`, 200)],
  "as tables, one row at a time": [
    given(configMap("one")),
    http(`GET ${maps}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Done`, 200, /"kind":"Table"/, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" }),
  ],
  "an informer keeps a cache": [
    given(labelled("one", { a: "1" })),
    client(async ({ core }, { target, namespace, signal }) => {
      const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: "a=1" });
      const informer = makeInformer(target.config, `/api/v1/namespaces/${namespace}/configmaps`, list, "a=1");
      await informer.start();
      try {
        await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "two", labels: { a: "1" } } } });
        await core.deleteNamespacedConfigMap({ namespace, name: "one" });
        while (!(informer.get("two", namespace) && !informer.get("one", namespace))) await delay(30, undefined, { signal });
      } finally {
        await informer.stop();
      }
    }),
  ],
});

export const machinery = area("API machinery", {
  "pages of a list": [
    ...shop,
    client(async ({ core }, { namespace }) => {
      const names: (string | undefined)[] = [];
      let _continue: string | undefined;
      let pages = 0;
      const versions = new Set<string | undefined>();
      do {
        const page = await core.listNamespacedConfigMap({ namespace, limit: 2, ...(_continue && { _continue }) });
        names.push(...page.items.map(({ metadata }) => metadata?.name));
        versions.add(page.metadata?.resourceVersion);
        _continue = page.metadata?._continue;
        pages++;
      } while (_continue);
      assert.deepEqual(names, ["a", "b", "c", "d", "kube-root-ca.crt"]);
      assert.equal(pages, 3);
      assert.equal(versions.size, 1);
    }),
  ],
  "a page tells how many are left": [...shop, http(`GET ${maps}?limit=2`, 200, { metadata: { continue: /./, remainingItemCount: 3 }, items: [{}, {}] })],
  "a wrong continue token": [http(`GET ${maps}?limit=2&continue=nonsense`, 400, { reason: "BadRequest", message: /continue key is not valid/ })],
  "kubectl in chunks": [...shop, run("get cm --chunk-size=2 -o name", "configmap/a\nconfigmap/b\nconfigmap/c\nconfigmap/d\nconfigmap/kube-root-ca.crt")],
  "an update of an old version conflicts": [
    given(configMap("one")),
    client(async ({ core }, { namespace, target, signal }) => {
      const old = await core.readNamespacedConfigMap({ namespace, name: "one" });
      await core.replaceNamespacedConfigMap({ namespace, name: "one", body: { ...old, data: { a: "1" } } });
      const body = JSON.stringify({ ...old, metadata: { name: "one", resourceVersion: old.metadata?.resourceVersion } });
      const { status, text } = await target.http("PUT", `/api/v1/namespaces/${namespace}/configmaps/one`, { body, signal });
      assert.equal(status, 409);
      assert.equal(
        JSON.parse(text).message,
        'Operation cannot be fulfilled on configmaps "one": the object has been modified; please apply your changes to the latest version and try again',
      );
    }),
  ],
  "an update without a version wins": [given(configMap("one")), http(`PUT ${maps}/one`, 200, { data: { a: "1" } }, { body: configMap("one", { a: "1" }) })],
  "an update that changes nothing keeps the version": [
    given(configMap("one")),
    client(async ({ core }, { namespace }) => {
      const old = await core.readNamespacedConfigMap({ namespace, name: "one" });
      const same = await core.replaceNamespacedConfigMap({ namespace, name: "one", body: old });
      assert.equal(same.metadata?.resourceVersion, old.metadata?.resourceVersion);
    }),
  ],
  "an update under another name": [
    given(configMap("one")),
    http(`PUT ${maps}/one`, 400, { message: /the name of the object \(two\) does not match the name on the URL \(one\)/ }, { body: configMap("two") }),
  ],
  "a creation in another namespace": [
    http(
      `POST ${maps}`,
      400,
      { message: /the namespace of the provided object does not match the namespace sent on the request/ },
      { body: configMap("one", {}, { namespace: "default" }) },
    ),
  ],
  "a creation of another kind": [http(`POST ${maps}`, 400, { message: /cannot be handled as a ConfigMap|does not match/ }, { body: secret("one") })],
  "a creation of an existing name": [
    given(configMap("one")),
    http(`POST ${maps}`, 409, { reason: "AlreadyExists", message: 'configmaps "one" already exists' }, { body: configMap("one") }),
  ],
  "a creation answers with the object": [
    http(
      `POST ${maps}`,
      201,
      { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "one", uid: /-/, resourceVersion: /^\d+$/, creationTimestamp: /Z$/ } },
      { body: configMap("one") },
    ),
  ],
  "what a client must not set is ignored": [
    http(
      `POST ${maps}`,
      201,
      { metadata: { uid: /^(?!mine)/, creationTimestamp: /^20[2-9]/ } },
      { body: configMap("one", {}, { uid: "mine", creationTimestamp: "2001-01-01T00:00:00Z" }) },
    ),
  ],
  "a name is generated": [
    http(
      `POST ${maps}`,
      201,
      { metadata: { name: /^pre-[bcdfghjklmnpqrstvwxz2456789]{5}$/, generateName: "pre-" } },
      { body: { ...configMap(""), metadata: { generateName: "pre-" } } },
    ),
  ],
  "a dry run validates and stores nothing": [
    http(`POST ${maps}?dryRun=All`, 201, { metadata: { name: "one", uid: /-/ } }, { body: configMap("one") }),
    http(`GET ${maps}/one`, 404),
    http(`POST ${maps}?dryRun=Some`, 422, {}, { body: configMap("one") }),
  ],
  "a dry run of an update": [
    given(configMap("one")),
    http(`PUT ${maps}/one?dryRun=All`, 200, { data: { a: "1" } }, { body: configMap("one", { a: "1" }) }),
    is("cm/one", { data: { key: "value" } }),
  ],
  "a dry run of a patch": [
    given(configMap("one")),
    http(`PATCH ${maps}/one?dryRun=All`, 200, { data: { a: "1" } }, { body: { data: { a: "1" } }, contentType: "application/merge-patch+json" }),
    is("cm/one", { data: { a: undefined } }),
  ],
  "the generation counts changes of the spec": [
    given(deployment("web", { replicas: 0 })),
    is("deploy/web", { metadata: { generation: 1 } }),
    run("scale deploy web --replicas=1"),
    is("deploy/web", { metadata: { generation: 2 } }),
    until("deploy/web", { status: { observedGeneration: 2 } }),
  ],
  "the status is written by its subresource only": [
    given(deployment("web", { replicas: 0 })),
    http("PATCH /apis/apps/v1/namespaces/$NS/deployments/web", 200, {}, { body: { status: { replicas: 7 } }, contentType: "application/merge-patch+json" }),
    is("deploy/web", { status: { replicas: (n: number) => n !== 7 } }),
    http(
      "PATCH /apis/apps/v1/namespaces/$NS/deployments/web/status",
      200,
      { spec: { replicas: 0 } },
      { body: { spec: { replicas: 9 }, status: {} }, contentType: "application/merge-patch+json" },
    ),
  ],
  "unknown fields: strict": [
    http(`POST ${maps}?fieldValidation=Strict`, 400, { reason: "BadRequest", message: /strict decoding error: unknown field "dtaa"/ }, { body: { ...configMap("one"), dtaa: {} } }),
  ],
  "unknown fields: a warning": [
    http(`POST ${maps}?fieldValidation=Warn`, 201, {}, { body: { ...configMap("one"), dtaa: {} }, headers: { warning: /299 .* "unknown field \\"dtaa\\""/ } }),
  ],
  "unknown fields: dropped": [http(`POST ${maps}?fieldValidation=Ignore`, 201, { dtaa: undefined }, { body: { ...configMap("one"), dtaa: {} } })],
  "a field twice": [
    http(`POST ${maps}?fieldValidation=Strict`, 400, { message: /strict decoding error: duplicate field "data"/ }, { body: twice }),
    http(`POST ${maps}`, 201, { data: { b: "2" } }, { body: twice, headers: { warning: /299 .* "duplicate field \\"data\\""/ } }),
  ],
  "a field twice in YAML": [
    http(
      `POST ${maps}?fieldValidation=Strict`,
      400,
      { message: /strict decoding error: yaml: unmarshal errors:\s+line 6: key "a" already set in map/ },
      { body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata:\n  a: '1'\n  a: '2'\n", contentType: "application/yaml" },
    ),
  ],
  "a field twice in a patch": [
    given(configMap("one")),
    http(
      `PATCH ${maps}/one?fieldValidation=Strict`,
      422,
      { reason: "Invalid", message: /patch: Invalid value: .*strict decoding error: duplicate field "data\.a"/ },
      { body: '{"data":{"a":"1","a":"2"}}', contentType: "application/merge-patch+json" },
    ),
  ],
  "an unknown field in a patch": [
    given(deployment("web", { replicas: 0 })),
    http(
      "PATCH /apis/apps/v1/namespaces/$NS/deployments/web?fieldValidation=Strict",
      422,
      { reason: "Invalid", message: /patch: Invalid value: "map\[spec:map\[replica:2\]\]": strict decoding error: unknown field "spec\.replica"/ },
      { body: { spec: { replica: 2 } }, contentType: "application/strategic-merge-patch+json" },
    ),
  ],
  "a value of the wrong type in a patch": [
    given(deployment("web", { replicas: 0 })),
    fails(`patch deploy web -p '{"spec":{"replicas":"3"}}'`, /patch: Invalid value: "map\[spec:map\[replicas:3\]\]": unrecognized type: int32/),
    fails(`patch deploy web --type=merge -p '{"spec":{"replicas":"3"}}'`, /patch: Invalid value: ".*": .*cannot unmarshal string into Go struct field .*replicas of type int32/),
  ],
  "an unknown field in a server-side apply": [
    fails(
      "apply --server-side --validate=false -f -",
      /failed to create typed patch object \(\$NS\/web; apps\/v1, Kind=Deployment\): \.spec\.replica: field not declared in schema/,
      { input: deployment("web", { replica: 2 }) },
    ),
  ],
  "a value of the wrong type": [
    http(`POST ${maps}`, 400, { message: /cannot unmarshal number into Go struct field ConfigMap\.data of type string/ }, { body: { ...configMap("one"), data: { a: 1 } } }),
  ],
  "a body that is no JSON": [http(`POST ${maps}`, 400, { reason: "BadRequest" }, { body: '{"kind":' })],
  "a body in YAML": [
    http(`POST ${maps}`, 201, { data: { a: "1" } }, { body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {a: '1'}\n", contentType: "application/yaml" }),
  ],
  "a method that is not allowed": [http("POST /api/v1/namespaces/$NS/configmaps/one", 405, { reason: "MethodNotAllowed" }, { body: configMap("one") })],
  tables: [
    given(configMap("one")),
    http(
      `GET ${maps}/one`,
      200,
      {
        kind: "Table",
        columnDefinitions: [{ name: "Name", type: "string", format: "name" }, { name: "Data" }, { name: "Age" }],
        rows: [{ cells: ["one", 1, /./], object: { kind: "PartialObjectMetadata" } }],
      },
      { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" },
    ),
  ],
  "metadata alone": [
    given(configMap("one")),
    http(
      `GET ${maps}/one`,
      200,
      { kind: "PartialObjectMetadata", metadata: { name: "one" }, data: undefined },
      { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json" },
    ),
  ],
  "immutable config maps": [
    given({ ...configMap("one"), immutable: true }),
    http(
      `PATCH ${maps}/one`,
      422,
      { message: /data: Forbidden: field is immutable when `immutable` is set/ },
      { body: { data: { a: "1" } }, contentType: "application/merge-patch+json" },
    ),
  ],
  "stringData becomes data": [given(secret("one", { a: "hello" })), is("secret/one", { data: { a: "aGVsbG8=" }, stringData: undefined })],
  "old API versions show the same object": [
    given(
      manifest("autoscaling/v2 HorizontalPodAutoscaler", "web", {
        spec: {
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
          maxReplicas: 2,
          metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } }],
        },
      }),
    ),
    http("GET /apis/autoscaling/v1/namespaces/$NS/horizontalpodautoscalers/web", 200, { apiVersion: "autoscaling/v1", spec: { targetCPUUtilizationPercentage: 50 } }),
  ],
});

const ownedBy = (kind: string, name: string, uid: string, more: object = {}) => ({ ownerReferences: [{ apiVersion: "v1", kind, name, uid, ...more }] });
const createOwned = (more: object = {}) =>
  client(async ({ core }, { namespace }) => {
    const owner = await core.readNamespacedConfigMap({ namespace, name: "owner" });
    const body = configMap("owned", {}, ownedBy("ConfigMap", "owner", owner.metadata?.uid ?? "", more));
    await core.createNamespacedConfigMap({ namespace, body: body as never });
  });

export const garbage = area("garbage collection", {
  "dependents go with their owner": [given(configMap("owner")), createOwned(), run("delete cm owner"), gone("cm/owned")],
  "an owner of another uid is no owner": [
    given(configMap("owner"), configMap("owned", {}, ownedBy("ConfigMap", "owner", "00000000-0000-0000-0000-000000000000"))),
    gone("cm/owned"),
  ],
  "foreground: the owner waits for dependents that block it": [
    given(configMap("owner")),
    createOwned({ blockOwnerDeletion: true }),
    run(`patch cm owned --type=merge -p '{"metadata":{"finalizers":["example.com/held"]}}'`),
    run("delete cm owner --cascade=foreground --wait=false"),
    until("cm/owned", { metadata: { deletionTimestamp: /./ } }),
    is("cm/owner", { metadata: { finalizers: including("foregroundDeletion") } }),
    run(`patch cm owned --type=merge -p '{"metadata":{"finalizers":null}}'`),
    gone("cm/owner"),
  ],
  "orphans lose their owner": [given(configMap("owner")), createOwned(), run("delete cm owner --cascade=orphan"), until("cm/owned", { metadata: { ownerReferences: undefined } })],
  "a second owner keeps them": [
    given(configMap("owner"), configMap("second")),
    createOwned(),
    client(async ({ core }, { namespace, kubectl }) => {
      const second = await core.readNamespacedConfigMap({ namespace, name: "second" });
      const reference = { apiVersion: "v1", kind: "ConfigMap", name: "second", uid: second.metadata?.uid };
      await kubectl(["patch", "cm", "owned", "--type=json", "-p", JSON.stringify([{ op: "add", path: "/metadata/ownerReferences/-", value: reference }])]);
    }),
    run("delete cm owner"),
    until("cm/owned", { metadata: { ownerReferences: [{ name: "second" }] } }),
  ],
  "a deployment's chain": [given(deployment("web")), replicas("deploy/web", 1), run("delete deploy web"), until("pod", { items: [] })],
  "a job's pods": [given(job("once", "sleep 600")), until("pod", { items: [{}] }), run("delete job once"), until("pod", { items: [] })],
  "a service's endpoints": [given(service("web")), until("ep/web", { kind: "Endpoints" }), run("delete svc web"), gone("ep/web"), until("slice", { items: [] })],
});

export const events = area("events", {
  "of a pod's life, in order": [
    given(pod("web")),
    ready("web"),
    until("event?fieldSelector=involvedObject.name%3Dweb", {
      items: (items: { reason: string }[]) => ["Scheduled", "Pulled", "Created", "Started"].every((reason) => items.some((item) => item.reason === reason)),
    }),
    run("get events --field-selector involvedObject.name=web -o jsonpath='{range .items[*]}{.reason} {end}'", /Scheduled.*(Pulled|Pulling).*Created.*Started/),
  ],
  "as a table": [
    given(pod("web")),
    until("event?fieldSelector=reason%3DScheduled", { items: [{}] }),
    run("get events", [/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/, /Normal +Scheduled +pod\/web +Successfully assigned \$NS\/web to /]),
  ],
  "by kubectl events": [
    given(pod("web")),
    until("event?fieldSelector=reason%3DScheduled", { items: [{}] }),
    run("events --for pod/web", [/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/, /Normal +Scheduled +Pod\/web/]),
  ],
  "in both API groups": [
    given(pod("web")),
    until("event?fieldSelector=reason%3DScheduled", { items: [{}] }),
    http("GET /apis/events.k8s.io/v1/namespaces/$NS/events", 200, {
      items: including({ reason: "Scheduled", regarding: { kind: "Pod", name: "web" }, note: /^Successfully assigned/ }),
    }),
  ],
  "repeated ones are counted": [
    given(pod("crash", { name: "main", image: "busybox:1.35", command: ["false"] })),
    until("event?fieldSelector=reason%3DBackOff", {
      items: [{ type: "Warning", message: /^Back-off restarting failed container main in pod crash_/, involvedObject: { fieldPath: "spec.containers{main}" } }],
    }),
    until("event?fieldSelector=reason%3DStarted", { items: [{ count: (n: number) => n > 1, source: { component: "kubelet" } }] }),
  ],
});
