import { strict as assert } from "node:assert";
import { area } from "../area.ts";
import { configMap, deployment, manifest, secret } from "../manifests.ts";
import { client, fails, given, http, is, run, until } from "../steps/index.ts";
import { maps, shop } from "./some-maps.ts";

const twice = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"},"data":{"a":"1"},"data":{"b":"2"}}';

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
  "a page has the number of objects that are left": [...shop, http(`GET ${maps}?limit=2`, 200, { metadata: { continue: /./, remainingItemCount: 3 }, items: [{}, {}] })],
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
