import {
  defineNoise,
  onDeployment,
  patchTemplate,
  rollableDeployments,
  strangeAddress,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  nameserver: z.ipv4().default("9.9.9.9").describe("asked instead of the cluster's; it knows no Service"),
});

export default defineNoise({
  name: "other-name-server",
  title: "A name server that is never asked",
  description:
    "A Deployment was rolled out whose pods ask a name server outside of the cluster. Its programs call no others, so they ask none.",
  parameters,
  drawn: { nameserver: strangeAddress },
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => {
      const { calls = [], initContainers = [] } = environment.workloads[name] ?? {};
      return calls.length === 0 && initContainers.length === 0;
    }),
  async place(context) {
    const { nameserver } = context.parameters;
    await patchTemplate(context, { dnsPolicy: "None", dnsConfig: { nameservers: [nameserver] } });
  },
});
