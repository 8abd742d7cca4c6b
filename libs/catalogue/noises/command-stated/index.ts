import {
  defineNoise,
  type Environment,
  firstContainer,
  onDeployment,
  patchContainer,
  rollableDeployments,
  z,
} from "@microremed/catalogue";

/** Where official images have their interpreters and servers. */
const paths: Readonly<Record<string, string>> = {
  python: "/usr/local/bin/python",
  python3: "/usr/local/bin/python3",
  node: "/usr/local/bin/node",
  "redis-server": "/usr/local/bin/redis-server",
};

const parameters = z.object({});

/** The program that a container starts, if it is one whose place in its image is known. Undefined: it is not. */
function programOf(environment: Environment, name: string): readonly string[] | undefined {
  const { command = [], image = "" } = firstContainer(environment, name) ?? {};
  const isOfficial = /^(docker\.io\/(library\/)?)?(python|node|redis):/.test(image);
  return isOfficial && Object.hasOwn(paths, command[0] ?? "") ? command : undefined;
}

export default defineNoise({
  name: "command-stated",
  title: "A command with its path",
  description: "A Deployment was rolled out whose container starts the same program by its path.",
  parameters,
  changes: ["spec.template.spec.containers[].command"],
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => programOf(environment, name) !== undefined),
  async place(context) {
    const [program = "", ...rest] = programOf(context.environment, context.target) ?? [];
    await patchContainer(context, { command: [paths[program] ?? program, ...rest] });
  },
});
