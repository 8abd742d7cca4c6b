import { renderManifests } from "@microremed/catalogue/environment";
import { dump } from "js-yaml";
import { expect, test } from "vitest";
import { environments } from "./registry.ts";

const render = (name: string) => renderManifests(environments.get(name), { namespace: "arena" });

test("renders simple-micro as in the golden file", async () => {
  const text = render("simple-micro").map((manifest) => `---\n${dump(manifest, { lineWidth: 120 })}`);
  await expect(text.join("")).toMatchFileSnapshot("testdata/simple-micro.manifests.yaml");
});

test("renders claims, headless services, accounts and probes' commands", () => {
  const manifests = render("train-ticket");
  const find = (kind: string, name: string) =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  expect(find("StatefulSet", "nacosdb-mysql")?.["spec"]).toMatchObject({
    serviceName: "nacosdb-mysql",
    replicas: 3,
    volumeClaimTemplates: [
      { metadata: { name: "data" }, spec: { resources: { requests: { storage: "1Gi" } } } },
    ],
    template: { spec: { serviceAccountName: "nacosdb-mysql" } },
  });
  expect(find("Service", "nacosdb-mysql")?.["spec"]).toMatchObject({
    clusterIP: "None",
    publishNotReadyAddresses: true,
  });
  expect(find("RoleBinding", "tsdb-mysql")?.["subjects"]).toEqual([
    { kind: "ServiceAccount", name: "tsdb-mysql", namespace: "arena" },
  ]);
  expect(find("Secret", "tsdb-mysql")?.["data"]).toMatchObject({ "mysql-password": btoa("Ts_123456") });
  expect(JSON.stringify(render("online-boutique"))).toContain(
    '["/bin/grpc_health_probe","-addr=:7070","-rpc-timeout=5s"]',
  );
});
