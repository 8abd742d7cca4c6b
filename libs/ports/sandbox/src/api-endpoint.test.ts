import { load } from "js-yaml";
import { expect, test } from "vitest";
import { apiEndpoint } from "./api-endpoint.ts";

const kubeconfig = (server: string): string => `
current-context: a
contexts: [{name: a, context: {cluster: c, user: u, namespace: shop}}, {name: b, context: {cluster: d, user: u}}]
clusters: [{name: c, cluster: {server: "${server}", certificate-authority-data: aGk=}}, {name: d, cluster: {server: "https://other:1"}}]
users: [{name: u, user: {token: secret}}]
`;
const serverIn = (text: string | undefined): unknown =>
  (load(text ?? "") as { clusters: { cluster: { server: string } }[] }).clusters[0]?.cluster.server;

test.each(["https://127.0.0.1:40123", "https://api.example:6443/k8s/clusters/c-1"])(
  "%s is reached from inside by its own name and port",
  (server) => {
    const { hostname, port } = new URL(server);
    const text = kubeconfig(server);
    expect(apiEndpoint(text)).toEqual({
      host: hostname,
      port: Number(port),
      insideName: hostname,
      insidePort: Number(port),
      kubeconfig: text,
    });
  },
);

test("a privileged port gets another one inside, and the rest of the kubeconfig stays", () => {
  const endpoint = apiEndpoint(kubeconfig("https://api.example/k8s/c-1"));
  expect(endpoint).toMatchObject({
    host: "api.example",
    port: 443,
    insideName: "api.example",
    insidePort: 6443,
  });
  expect(serverIn(endpoint?.kubeconfig)).toBe("https://api.example:6443/k8s/c-1");
  expect(endpoint?.kubeconfig).toContain("certificate-authority-data: aGk=");
  expect(endpoint?.kubeconfig).toContain("namespace: shop");
});

test.each(["https://10.0.0.5:6443", "https://[fd00::5]:6443"])(
  "%s is reached by the name that every API server's certificate holds",
  (server) => {
    const endpoint = apiEndpoint(kubeconfig(server));
    expect(endpoint).toMatchObject({ port: 6443, insideName: "kubernetes.default.svc" });
    expect(serverIn(endpoint?.kubeconfig)).toBe("https://kubernetes.default.svc:6443/");
    expect(server).toContain(endpoint?.host);
  },
);

test("a proxy on the way is the harness's business", () => {
  const server = "https://api.example:6443";
  const text = kubeconfig(server).replace("aGk=}", 'aGk=, proxy-url: "http://user:pass@proxy:3128"}');
  const endpoint = apiEndpoint(text);
  expect(endpoint).toMatchObject({ host: "api.example", proxy: "http://user:pass@proxy:3128" });
  expect(serverIn(endpoint?.kubeconfig)).toBe(`${server}/`);
  expect(endpoint?.kubeconfig).not.toContain("proxy");
});

test.each(["", "[", "- 1", "current-context: a", kubeconfig("nowhere")])("%j names no API server", (text) => {
  expect(apiEndpoint(text)).toBeUndefined();
});
