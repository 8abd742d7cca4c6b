import { defineNoise, kinds, type NoiseContext, onDeployment, patchTemplate, z } from "@microremed/catalogue";

const parameters = z.object({
  ndots: z.int().min(2).max(9).default(5).describe("dots from which on a name is asked for as it is"),
});

export default defineNoise({
  name: "name-servers-stated",
  title: "Pods that name the name server themselves",
  description:
    "A Deployment was rolled out whose pods take no name servers from the cluster: their template names the cluster's own one, and the domains.",
  parameters,
  changes: ["spec.template.spec.dnsPolicy", "spec.template.spec.dnsConfig"],
  ...onDeployment,
  async place(context) {
    const server = await nameServer(context);
    if (server === undefined) return;
    await patchTemplate(context, {
      dnsPolicy: "None",
      dnsConfig: {
        nameservers: [server],
        searches: [`${context.namespace}.svc.cluster.local`, "svc.cluster.local", "cluster.local"],
      },
    });
  },
});

/** Address of the cluster's name server; undefined: its Service is called otherwise. */
async function nameServer({ cluster }: NoiseContext): Promise<string | undefined> {
  const service = await cluster.get(kinds.service, "kube-system", "kube-dns");
  const { clusterIP } = (service?.spec ?? {}) as { readonly clusterIP?: string };
  return clusterIP;
}
