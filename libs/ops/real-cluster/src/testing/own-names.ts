import type { ProductCluster } from "./product-cluster.ts";

/** Gives names an address in a cluster's DNS, as an organization's name server does. */
export async function addNames(
  { kubectl }: Pick<ProductCluster, "kubectl">,
  address: string,
  names: readonly string[],
): Promise<void> {
  const dns = ["-n", "kube-system"];
  const { data } = JSON.parse(await kubectl([...dns, "get", "configmap", "coredns", "-o", "json"])) as {
    data: { Corefile: string };
  };
  const block = `    hosts {\n        ${address} ${names.join(" ")}\n        fallthrough\n    }\n`;
  const Corefile = data.Corefile.replace("    kubernetes ", `${block}    kubernetes `);
  await kubectl([...dns, "patch", "configmap", "coredns", "-p", JSON.stringify({ data: { Corefile } })]);
  await kubectl([...dns, "rollout", "restart", "deployment", "coredns"]);
  await kubectl([...dns, "rollout", "status", "deployment", "coredns", "--timeout=300s"]);
}
