import { area } from "../area.ts";
import type { Manifest } from "../case.types.ts";
import { deployment, pod } from "../manifests.ts";
import { fails, http, run } from "../steps/index.ts";

const struct = (group: string, name: string): string => `io.k8s.api.${group}.v1.${name}`;
const core = (name: string): string => struct("core", name);
const v2Protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/** kubectl checks the fields of a List itself: servers do not say of Lists that they do. */
const list = (...items: readonly Manifest[]): string => JSON.stringify({ apiVersion: "v1", kind: "List", items });
const affinity = (fields: object): Manifest => pod("web", undefined, { affinity: { nodeAffinity: fields } });

export const openApi = area("OpenAPI", {
  "v2 names definitions by their packages": [
    http("GET /openapi/v2", 200, {
      swagger: "2.0",
      definitions: {
        [struct("apps", "DeploymentSpec")]: {
          required: ["selector", "template"],
          properties: {
            replicas: { type: "integer", format: "int32", description: /desired pods/ },
            selector: { $ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector" },
            template: { $ref: `#/definitions/${core("PodTemplateSpec")}` },
          },
        },
      },
    }),
  ],
  "v2 says of which kind a definition is": [
    http("GET /openapi/v2", 200, {
      definitions: { [core("Pod")]: { "x-kubernetes-group-version-kind": [{ group: "", kind: "Pod", version: "v1" }] } },
    }),
  ],
  "v2 says how strategic patches merge": [
    http("GET /openapi/v2", 200, {
      definitions: {
        [core("PodSpec")]: {
          properties: {
            containers: { "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge" },
            volumes: { "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge,retainKeys" },
          },
        },
        [core("ServiceSpec")]: { properties: { ports: { "x-kubernetes-patch-merge-key": "port" } } },
        [struct("apps", "DeploymentSpec")]: { properties: { strategy: { "x-kubernetes-patch-strategy": "retainKeys" } } },
      },
    }),
  ],
  "v2 has statuses, affinities and sources of volumes": [
    http("GET /openapi/v2", 200, {
      definitions: {
        [core("ContainerStateTerminated")]: { required: ["exitCode"], properties: { reason: { type: "string" } } },
        [core("NodeSelectorTerm")]: { properties: { matchFields: { type: "array" } } },
        [core("HTTPGetAction")]: { required: ["port"] },
        [core("NFSVolumeSource")]: { properties: { server: { type: "string" } } },
      },
    }),
  ],
  "v2 names the kind that each patch is of": [
    http("GET /openapi/v2", 200, {
      paths: {
        "/apis/apps/v1/namespaces/{namespace}/deployments/{name}": {
          patch: { "x-kubernetes-group-version-kind": { group: "apps", kind: "Deployment", version: "v1" } },
        },
      },
    }),
  ],
  "v2 as protobuf": [
    http("GET /openapi/v2", 200, /io\.k8s\.api\.apps\.v1\.DeploymentSpec/, {
      accept: v2Protobuf,
      headers: { "content-type": /application\/com\.github\.proto-openapi\.spec\.v2[.@]v1\.0\+protobuf/ },
    }),
  ],
  "v2 in a form that does not exist": [http("GET /openapi/v2", 406, () => true, { accept: "image/png" })],
  "v3 refers as v3 does": [
    http("GET /openapi/v3/apis/apps/v1", 200, {
      openapi: /^3\.0/,
      components: {
        schemas: {
          [struct("apps", "DeploymentSpec")]: {
            properties: { template: { allOf: [{ $ref: `#/components/schemas/${core("PodTemplateSpec")}` }] } },
          },
        },
      },
    }),
  ],
  "v3 of a group that does not exist": [http("GET /openapi/v3/apis/nothing.example.com/v1", 404)],
  "kubectl checks the items of a list": [
    fails("create -f -", /error validating data: (\[)?ValidationError\(Deployment\.spec\): unknown field "replica" in io\.k8s\.api\.apps\.v1\.DeploymentSpec/, {
      input: list(deployment("web", { replica: 1 })),
    }),
  ],
  "kubectl names what is missing": [
    fails("create -f -", /missing required field "containers" in io\.k8s\.api\.core\.v1\.PodSpec/, {
      input: list(pod("web", undefined, { containers: undefined })),
    }),
  ],
  "kubectl distinguishes types": [
    fails("create -f -", /invalid type for io\.k8s\.api\.core\.v1\.PodSpec\.containers: got "map", expected "array"/, {
      input: list(pod("web", undefined, { containers: {} })),
    }),
  ],
  "kubectl lets a correct list pass": [
    run("create -f -", /pod\/web created/, {
      input: list(
        affinity({
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: "a", operator: "Exists" }] } }],
        }),
      ),
    }),
  ],
  "the server knows the fields of affinities": [
    fails("create -f -", /strict decoding error: unknown field "spec\.affinity\.nodeAffinity\.required"/, {
      input: affinity({ required: {} }),
    }),
  ],
  "and of volumes": [
    fails("create -f -", /strict decoding error: unknown field "spec\.volumes\[0\]\.nfs\.host"/, {
      input: pod("web", undefined, { volumes: [{ name: "v", nfs: { server: "a", path: "/", host: "b" } }] }),
    }),
  ],
  "explain a status": [run("explain pod.status.containerStatuses.state.terminated", [/exitCode\t<integer>/, /Exit status from the last termination/])],
  "explain quantities": [run("explain pod.spec.containers.resources", /^ {2}limits\t<map\[string\]Quantity>$/m)],
  "explain an affinity": [run("explain pod.spec.affinity --recursive", [/podAntiAffinity\t<PodAntiAffinity>/, /topologyKey\t<string>/])],
  "explain a volume's source": [run("explain pod.spec.volumes.iscsi.lun", /FIELD: lun <integer>/)],
  "explain a definition's schema": [run("explain crd.spec.versions.schema.openAPIV3Schema.maxLength", /FIELD: maxLength <integer>/)],
});
