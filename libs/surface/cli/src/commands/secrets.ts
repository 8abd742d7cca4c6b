import { writeFile } from "node:fs/promises";
import { devSecrets, prodSecrets, type SecretManifest, splitSecrets } from "@microremed/deploy";
import { Argument, Command } from "commander";
import { dump } from "js-yaml";
import type { Context } from "../context.ts";

interface Options {
  readonly hostName: readonly string[];
  readonly llmSide: string;
  readonly certificates: boolean;
}

const overlays = ["dev", "prod", "cs-cluster"] as const;

export function secretsCommand(context: Context): Command {
  return new Command("secrets")
    .addArgument(new Argument("<overlay>", "overlay of k8s/overlays").choices(overlays))
    .option("--host-name <name...>", "cs-cluster: host names by which the LLM side reaches it", [])
    .option("--llm-side <file>", "cs-cluster: file for the Secrets of overlay cs-llm", "llm-secrets.yaml")
    .option("--no-certificates", "prod: omit the certificates that components/cert-manager issues")
    .addHelpText(
      "after",
      `
Every call generates new passwords, certificates and tokens. After you apply them to a running range, restart its pods.
Model keys and kubeconfigs are not included.

Examples:
  microremed secrets dev | kubectl apply -f -
  microremed secrets cs-cluster --host-name range.example.org | kubectl apply -f -`,
    )
    .action(async (overlay: (typeof overlays)[number], options: Options) => {
      context.terminal.print(toYaml(await secretsOf(overlay, options, context)));
    });
}

async function secretsOf(
  overlay: (typeof overlays)[number],
  { hostName, llmSide, certificates }: Options,
  { terminal }: Context,
): Promise<SecretManifest[]> {
  switch (overlay) {
    case "dev":
      return devSecrets();
    case "prod":
      return prodSecrets({ certificates });
    case "cs-cluster": {
      const { cluster, llm } = await splitSecrets(hostName);
      await writeFile(llmSide, toYaml(llm), { mode: 0o600 });
      terminal.say(`the Secrets of the LLM side are in ${llmSide}`);
      return cluster;
    }
    default:
      return overlay satisfies never;
  }
}

const toYaml = (secrets: readonly SecretManifest[]): string =>
  secrets.map((secret) => dump(secret)).join("---\n");
