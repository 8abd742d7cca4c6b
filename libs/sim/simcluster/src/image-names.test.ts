import type { Environment } from "@microremed/environments";
import { createImageCatalog } from "@microremed/sim-kubelet";
import { expect, test } from "vitest";

const behaviour: unknown = { runtime: "go", listens: [8080], tools: [], shell: "none" };
const digest = `sha256:${"ab".repeat(32)}`;
const container = (image: string) => ({ name: "server", image, behaviour });
const environment = {
  jobs: {},
  workloads: {
    cart: {
      selector: { app: "cart" },
      initContainers: [],
      containers: [
        container("gcr.io/shop/cart:v1.2"),
        container(`example.org/till:2@${digest}`),
        container("redis:6.2"),
      ],
    },
  },
} as unknown as Environment;
const images = createImageCatalog([environment]);
const portsOf = (image: string, words: { command?: string[]; args?: string[] } = {}) =>
  images.behaviourOf({ name: "main", image, ...words }, undefined)?.listens;

test.each([
  ["redis", "docker.io/library/redis"],
  ["docker.io/nginx", "docker.io/library/nginx"],
  ["index.docker.io/bitnami/kubectl:1.30", "docker.io/bitnami/kubectl"],
  ["localhost/app", "localhost/app"],
  ["registry:5000/app", "registry:5000/app"],
])("%s is of the repository %s", (image, repository) => {
  expect(images.idOf(image)).toMatch(new RegExp(`^${repository}@sha256:[0-9a-f]{64}$`));
});

test.each([
  ["nginx", true],
  ["docker.io/nginx:1.27.5-alpine", true],
  ["nginx:1.14.2", true],
  ["nginx:1.27.5-alpine3.21-slim", true],
  ["nginx:1.0.23449928384992872784", false],
  ["nginx:1.161", false],
  ["nginx:1.27.05", false],
  ["nginx:1.27.", false],
  ["nginx:v1.27", false],
  ["nginx:1.27-no-such-variant", false],
  ["redis:alpine", true],
  ["redis:9.9", false],
  ["python:3.12-slim-bookworm", true],
  ["node:20.11.1-bullseye-slim", true],
  ["busybox:1.35", true],
  ["busybox:1.355", false],
  ["debian:bookworm-slim", true],
  ["ubuntu:22.04", true],
  ["ubuntu:22.05", false],
  ["nicolaka/netshoot:v0.13", true],
  ["nicolaka/netshoot:0.13", false],
  ["registry.k8s.io/pause:3.10.1", true],
  ["registry.k8s.io/pause:3.99", false],
  ["gcr.m.daocloud.io/google-containers/pause:3.2", true],
  ["docker.m.daocloud.io/library/nginx:1.27", true],
  ["docker.m.daocloud.io/nginx:1.27", true],
  ["m.daocloud.io/docker.io/library/nginx:1.161", false],
  ["gcr.io/shop/cart:v1.2", true],
  ["gcr.m.daocloud.io/shop/cart:v1.2", true],
  ["m.daocloud.io/gcr.io/shop/cart:v1.2", true],
  ["gcr.io/shop/cart:v1.20", false],
  ["gcr.io/shop/cart", false],
  [`example.org/till@${digest}`, true],
  [`example.org/till:any@${digest}`, true],
  ["example.org/till:2", true],
  [`example.org/till@sha256:${"00".repeat(32)}`, false],
  [`nginx@${digest}`, false],
  ["nope:1", false],
])("whether %s exists: %s", (image, exists) => {
  expect(images.exists(image)).toBe(exists);
});

test("the digest in an image's id names the same image, at a mirror too", () => {
  for (const image of ["nginx:1.27-alpine", "gcr.io/shop/cart:v1.2", `example.org/till:2@${digest}`]) {
    const id = images.idOf(image);
    expect(images.exists(id), id).toBe(true);
    expect(images.idOf(id)).toBe(id);
    expect(portsOf(id)).toEqual(portsOf(image));
  }
  const digestOf = (image: string): string | undefined => images.idOf(image).split("@")[1];
  expect(digestOf("gcr.m.daocloud.io/shop/cart:v1.2")).toBe(digestOf("gcr.io/shop/cart:v1.2"));
  expect(digestOf(`example.org/till:2@${digest}`)).toBe(digest);
});

test("public servers serve as their images start them, with their options", () => {
  expect(portsOf("redis:alpine")).toEqual([6379]);
  expect(portsOf("docker.io/redis:7", { args: ["--port", "6380"] })).toEqual([6380]);
  expect(portsOf("redis:7", { command: ["redis-server", "--port", "0"] })).toEqual([]);
  expect(portsOf("redis:7", { command: ["sh", "-c", "sleep 9"] })).toBeUndefined();
  expect(portsOf("redis:7", { args: ["redis-cli", "ping"] })).toBeUndefined();
  expect(portsOf("docker.m.daocloud.io/library/nginx", { args: ["nginx", "-g", "daemon off;"] })).toEqual([
    80,
  ]);
  expect(portsOf("gcr.m.daocloud.io/shop/cart:v1.2")).toEqual([8080]);
  const shellOf = (image: string) => images.behaviourOf({ name: "main", image }, undefined)?.shell;
  expect([shellOf("nginx:1.27"), shellOf("nginx:1.27-alpine")]).toEqual(["bash", "sh"]);
});

test("a workload with another version of its public image is the same program, which is in the system", () => {
  const of = (image: string, app: string) =>
    images.behaviourOf({ name: "main", image }, { app }) === behaviour ? "its own" : "another";
  expect(of("redis:7.2-alpine", "cart")).toBe("its own");
  expect(of("docker.io/redis:7.0", "cart")).toBe("its own");
  expect(of("redis:9.9", "cart"), "no such version").toBe("another");
  expect(of("redis:7.2-alpine", "other")).toBe("another");
  expect(of("nginx:1.27", "cart")).toBe("another");
});

test("of systems with the same images each pod has the program of its namespace's system", () => {
  const of = (namespace: string) => {
    const server = { name: "server", image: "nginx:1.27", args: ["-q"], behaviour: namespace };
    const web = { selector: { app: "web" }, initContainers: [], containers: [server] };
    return { namespace, jobs: {}, workloads: { web } } as unknown as Environment;
  };
  const all = createImageCatalog([of("shop"), of("shop-copy"), of("till")]);
  const ran = (namespace: string, args = ["-q"]) =>
    all.behaviourOf({ name: "server", image: "nginx:1.27", args }, { app: "web" }, namespace);
  expect(["shop", "shop-copy", "till", "till-2", "shop-copy-11", "default"].map((one) => ran(one))).toEqual([
    ...["shop", "shop-copy", "till", "till", "shop-copy", "shop"],
  ]);
  expect(ran("till", ["-v"])).toBe("till");
});

test.each([
  ["registry.example.com/team/web:2.4.1", true],
  ["1234.dkr.ecr.eu-west-1.amazonaws.com/stock@sha256:abc", true],
  ["postgres:99", true],
  ["gcr.io/shop/cart:v1.2", true],
  ["gcr.io/shop/cart:v1.3", false],
  ["redis:6.2-hotfix.1", false],
  ["registry.internal.example/web:1", false],
])("where nodes can pull others' images, %s is one: %s", (image, is) => {
  expect(createImageCatalog([environment], { others: true }).exists(image)).toBe(is);
});
