import {
  defineNoise,
  drawnWord,
  onDeployment,
  ownWord,
  patchTemplate,
  strangeAddress,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  host: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
    .default("mirror.example.internal")
    .describe("name that the pods know from now on, and no program asks for"),
  address: z.ipv4().default("192.0.2.10"),
});

export default defineNoise({
  name: "host-alias-added",
  title: "A host name that pods know",
  description:
    "A Deployment was rolled out whose pods know the address of one more host, which no program calls.",
  parameters,
  changes: ["spec.template.spec.hostAliases"],
  drawn: {
    host: (rng, where) =>
      `${ownWord(rng, where)}-${drawnWord(rng)}.${drawnWord(rng)}.${rng.pick(["internal", "lan", "corp"])}`,
    address: strangeAddress,
  },
  ...onDeployment,
  async place(context) {
    const { host, address } = context.parameters;
    await patchTemplate(context, { hostAliases: [{ ip: address, hostnames: [host] }] });
  },
});
