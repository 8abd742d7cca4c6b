import { X509Certificate } from "node:crypto";
import { environmentOn } from "@microremed/catalogue";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { arenaOn, kubectlAs, startWorld } from "./testing/world.ts";

const { environments } = await builtInCatalogue();
const shop = environmentOn({ sendsLoad: false }, environments.get("simple-micro"));

/** Words of the harness and of trials. None of them belongs to a cluster that runs a shop. */
const words =
  /micro-?remed|harness|\bchaos|\barenas?\b|episode|\bfaults?\b|\binject(?:or|ion)|conceal|simulat|embedded[- ](?:\d|ca|admin|cluster)|\bfenc|\bslot\b|\bprobers?\b|benchmark|experiment|\btrials?\b|\bneutral\b/i;

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly "certificate-authority-data": string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

/** What a kubeconfig shows without a request: its own text, the token's claims and the certificate. */
function shownBy(kubeconfig: string): string[] {
  const { clusters, users } = JSON.parse(kubeconfig) as Kubeconfig;
  const ca = new X509Certificate(
    Buffer.from(clusters[0]?.cluster["certificate-authority-data"] ?? "", "base64"),
  );
  const claims = (users[0]?.user.token ?? "").split(".")[1] ?? "";
  const { "certificate-authority-data": _ca, ...cluster } = clusters[0]?.cluster ?? {};
  const plain = kubeconfig.replaceAll(/[\w+/=.-]{100,}/g, "");
  return [
    plain,
    JSON.stringify(cluster),
    Buffer.from(claims, "base64url").toString("utf8"),
    `${ca.subject} ${ca.issuer}`,
  ];
}

/** Lines with one of the words, and where they were read. */
function findings(where: string, text: string): string[] {
  return text.split(/\n|(?<=,)(?=")/).flatMap((line) => {
    const found = words.exec(line);
    return found ? [`${where}: ...${line.slice(Math.max(0, found.index - 60), found.index + 60)}...`] : [];
  });
}

test("nothing that an agent can read names the harness or the concealed fault's tool", async () => {
  await using world = await startWorld("prod", shop);
  const { cluster } = world;
  const arena = arenaOn(cluster, shop);
  const { namespace } = arena;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const [target = ""] = Object.keys(shop.workloads);
  await injectFailure(arena, {
    failure: "network-delay",
    target,
    concealment: "neutral",
    timeoutSeconds: 60,
  });

  const readAs = async (readOnly: boolean, concealed: boolean): Promise<string[]> => {
    const kubeconfig = await cluster.agentKubeconfig(namespace, { readOnly, concealed });
    const found = shownBy(kubeconfig).flatMap((text) => findings("kubeconfig", text));
    const agent = await kubectlAs(kubeconfig);
    const read = async (line: string): Promise<string> => {
      const { output } = await agent(line);
      found.push(...findings(line, output));
      return output;
    };
    for (const path of [
      "/",
      "/api",
      "/apis",
      "/api/v1",
      "/openapi/v2",
      "/openapi/v3",
      "/version",
      "/metrics",
    ])
      await read(`get --raw ${path}`);
    for (const line of [
      "api-resources",
      "auth whoami -o yaml",
      "auth can-i --list",
      "get namespaces",
      `get namespace ${namespace} -o yaml --show-managed-fields`,
      "get nodes -o yaml --show-managed-fields",
      "describe nodes",
      "get pods,events,clusterroles,customresourcedefinitions -A",
      "get roles,rolebindings",
      "create token default",
      "describe all",
    ])
      await read(line);
    const names = (await agent("api-resources --namespaced --verbs=list -o name")).output.trim().split("\n");
    expect(names.length).toBeGreaterThan(20);
    await read(`get ${names.join(",")} -o yaml --show-managed-fields`);
    for (const pod of (await agent("get pods -o name")).output.trim().split("\n")) {
      await read(`logs ${pod} --tail=200`);
      await read(`exec ${pod} -- env`);
    }
    return [...new Set(found)];
  };
  expect(await readAs(true, true)).toEqual([]);
  expect(await readAs(false, true)).toEqual([]);
  // Where nothing is concealed the same search finds them.
  const open = await kubectlAs(
    await cluster.agentKubeconfig(namespace, { readOnly: true, concealed: false }),
  );
  for (const line of ["api-resources", "get namespaces"])
    expect(findings(line, (await open(line)).output), line).not.toEqual([]);
});
