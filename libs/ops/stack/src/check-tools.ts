import { findProgram } from "@microremed/servers";

/** One thing that the product needs on the machine, and whether it is there. */
export interface ToolCheck {
  readonly name: string;
  readonly found: boolean;
  readonly version: string | undefined;
  /** False: the product works without it, less well. */
  readonly required: boolean;
  readonly usedFor: string;
  readonly howToGet: string;
}

interface ToolSpec {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Its first group is the version. */
  readonly version: RegExp;
  readonly required: boolean;
  readonly usedFor: string;
  readonly debian: string;
  readonly brew: string;
}

const pythonPackage = (module: string): readonly [string, ...string[]] => [
  "/usr/bin/python3",
  "-c",
  `import importlib.metadata as m; print(m.version("${module}"))`,
];

const tools: readonly ToolSpec[] = [
  {
    name: "nats-server",
    command: ["nats-server", "--version"],
    version: /v(\d[\w.-]*)/,
    required: true,
    usedFor: "the message bus of a local stack",
    debian: "apt-get install nats-server",
    brew: "brew install nats-server",
  },
  {
    name: "redis-server",
    command: ["redis-server", "--version"],
    version: /v=(\S+)/,
    required: true,
    usedFor: "the state store of a local stack",
    debian: "apt-get install redis-server",
    brew: "brew install redis",
  },
  {
    name: "ansible-playbook",
    command: ["ansible-playbook", "--version"],
    version: /(?:core )?(\d[\w.]*)/,
    required: true,
    usedFor: "running playbooks",
    debian: "apt-get install ansible",
    brew: "brew install ansible",
  },
  {
    name: "kubernetes.core",
    command: ["ansible-galaxy", "collection", "list", "kubernetes.core"],
    version: /kubernetes\.core\s+(\d\S*)/,
    required: true,
    usedFor: "playbooks that use Ansible's Kubernetes modules",
    debian: "apt-get install ansible",
    brew: "ansible-galaxy collection install kubernetes.core",
  },
  {
    name: "python kubernetes",
    command: pythonPackage("kubernetes"),
    version: /(\d\S*)/,
    required: true,
    usedFor: "kubernetes.core",
    debian: "apt-get install python3-kubernetes",
    brew: "sudo /usr/bin/python3 -m pip install kubernetes",
  },
  {
    name: "kubectl",
    command: ["kubectl", "version", "--client"],
    version: /v(\d+\.\d+\.\d+)/,
    required: true,
    usedFor: "probes, and playbooks that call it",
    debian: "apt-get install kubernetes-client",
    brew: "brew install kubernetes-cli",
  },
  {
    name: "bwrap",
    command: ["bwrap", "--version"],
    version: /(\d\S*)/,
    required: false,
    usedFor: "the sandbox around playbooks",
    debian: "apt-get install bubblewrap",
    brew: "not available on macOS",
  },
];

/** Asks every tool for its version, all at once; takes about a second. */
export async function checkTools(platform: NodeJS.Platform = process.platform): Promise<ToolCheck[]> {
  // Who starts a range asks for `missingPrograms` only, and need not load it.
  const { execa } = await import("execa");
  const path = `${process.env["PATH"] ?? ""}:/usr/sbin:/usr/local/sbin`;
  return Promise.all(
    tools.map(async ({ command: [program, ...args], version, debian, brew, ...tool }) => {
      const answer = await execa(program, args, {
        reject: false,
        timeout: 45_000,
        all: true,
        env: { PATH: path },
      });
      const found = answer.exitCode === 0;
      return {
        ...tool,
        found,
        version: found ? version.exec(answer.all ?? "")?.[1] : undefined,
        howToGet: platform === "darwin" ? brew : debian,
      };
    }),
  );
}

/** The programs that a range of processes needs and that are not on this machine; nothing is started to find out. */
export async function missingPrograms(): Promise<string[]> {
  const needed = tools.filter(({ name, command, required }) => required && command[0] === name);
  const found = await Promise.all(
    needed.map(({ name, debian }) =>
      findProgram(name, debian).then(
        () => true,
        () => false,
      ),
    ),
  );
  return needed.map(({ name }) => name).filter((_, index) => !found[index]);
}
