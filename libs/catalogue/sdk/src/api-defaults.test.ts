import { expect, test } from "vitest";
import { withApiDefaults } from "./api-defaults.ts";

const metadata = { name: "db" };

test("what a manifest leaves out has the value that the running object shows", () => {
  const service = { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 6379 }] } };
  expect(withApiDefaults(service)["spec"]).toEqual({
    type: "ClusterIP",
    internalTrafficPolicy: "Cluster",
    sessionAffinity: "None",
    ports: [{ protocol: "TCP", port: 6379, targetPort: 6379 }],
  });
  const containers = [{ name: "db", readinessProbe: { httpGet: { port: 80 } } }];
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { template: { spec: { containers } } },
  };
  expect(withApiDefaults(deployment)["spec"]).toMatchObject({
    replicas: 1,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
    template: {
      spec: {
        dnsPolicy: "ClusterFirst",
        containers: [
          { readinessProbe: { httpGet: { path: "/", port: 80, scheme: "HTTP" }, periodSeconds: 10 } },
        ],
      },
    },
  });
});

test("what a manifest says stays", () => {
  const spec = { strategy: { type: "Recreate" }, replicas: 0 };
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata, spec };
  expect(withApiDefaults(deployment)["spec"]).toEqual(spec);
  const alias = { apiVersion: "v1", kind: "Service", metadata, spec: { type: "ExternalName" } };
  expect(withApiDefaults(alias)["spec"]).not.toHaveProperty("internalTrafficPolicy");
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata, data: {} };
  expect(withApiDefaults(map)).toBe(map);
});
