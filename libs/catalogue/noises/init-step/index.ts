import { defineNoise, onDeployment, patchTemplate, scriptContainer, z } from "@microremed/catalogue";

const parameters = z.object({
  container: z.string().min(1).max(50).default("print-build").describe("name of the init container"),
  line: z
    .string()
    .regex(/^[a-z0-9 .:-]{1,80}$/)
    .default("build 1187 of main")
    .describe("what it prints"),
});

export default defineNoise({
  name: "init-step",
  title: "One more step before the start",
  description: "A Deployment was rolled out with an init container that prints one line and ends.",
  parameters,
  variants: [
    { container: "announce", line: "starting a new pod" },
    { container: "show-region", line: "region: eu-1" },
    { container: "log-release", line: "release 2024.31" },
    { container: "check-locale", line: "locale: en" },
  ],
  ...onDeployment,
  async place(context) {
    const { container, line } = context.parameters;
    await patchTemplate(context, { initContainers: [scriptContainer(container, `echo '${line}'`)] });
  },
});
