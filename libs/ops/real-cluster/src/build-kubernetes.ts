import { readFile } from "node:fs/promises";
import { terminal } from "@microremed/core";
import { findProgram } from "@microremed/servers";
import { execa } from "execa";
import { buildPrograms, howToGetGo } from "./build-programs.ts";
import type { KubernetesVersion } from "./pins.ts";

const programs = [
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kube-proxy",
  "kubelet",
  "kubectl",
];

/** Builds Kubernetes' programs. Returns their folder. */
export async function buildKubernetes(
  version: KubernetesVersion,
  say: (line: string) => void,
): Promise<string> {
  const [major = "", minor = "", patch = ""] = version.split(".");
  return buildPrograms(
    {
      name: "kubernetes",
      module: "k8s.io/kubernetes",
      version: `v${version}`,
      packages: programs.map((program) => `k8s.io/kubernetes/cmd/${program}`),
      // Without them clients take the server for version 0.0.
      stamps: Object.fromEntries(
        ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].flatMap((place) => [
          [`${place}.gitVersion`, `v${version}`],
          [`${place}.gitMajor`, major],
          [`${place}.gitMinor`, minor],
        ]),
      ),
      replace: async () => {
        const staged = await stagingModules(version);
        return Object.fromEntries(staged.map((name) => [name, `v0.${minor}.${patch}`]));
      },
    },
    say,
  );
}

/** Kubernetes requires its own libraries at v0.0.0, from its repository; they are published as v0.MINOR.PATCH. */
async function stagingModules(version: string): Promise<string[]> {
  const go = await findProgram("go", howToGetGo);
  const said = await execa(go, ["mod", "download", "-json", `k8s.io/kubernetes@v${version}`], {
    timeout: 600_000,
    reject: false,
  });
  if (said.exitCode !== 0)
    throw terminal(
      "invalid-config",
      `cannot download k8s.io/kubernetes v${version}: ${said.stdout}${said.stderr}`,
    );
  const { GoMod } = JSON.parse(said.stdout) as { GoMod: string };
  const text = await readFile(GoMod, "utf8");
  return [...text.matchAll(/^\s+(k8s\.io\/[a-z0-9-]+) v0\.0\.0(?:\s|$)/gm)].map(([, name = ""]) => name);
}
