import { between, defineNoise, onDeployment, patchTemplate, z } from "@microremed/catalogue";

const parameters = z.object({
  timeout: z.int().min(2).max(30).default(3).describe("seconds until a name server is asked again"),
  attempts: z.int().min(2).max(5).default(3).describe("how often each is asked"),
});

export default defineNoise({
  name: "resolver-options",
  title: "Pods that wait longer for name servers",
  description:
    "A Deployment was rolled out whose pods wait longer for an answer of the cluster's name server. Their policy is the one for pods on the node's network, which means the same for all others.",
  parameters,
  changes: ["spec.template.spec.dnsPolicy", "spec.template.spec.dnsConfig"],
  drawn: { timeout: between(2, 15), attempts: between(2, 5) },
  ...onDeployment,
  async place(context) {
    const { timeout, attempts } = context.parameters;
    const options = Object.entries({ timeout, attempts }).map(([name, value]) => ({
      name,
      value: String(value),
    }));
    await patchTemplate(context, { dnsPolicy: "ClusterFirstWithHostNet", dnsConfig: { options } });
  },
});
