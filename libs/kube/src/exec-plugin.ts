import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { retryable } from "@microremed/core";
import { z } from "zod";

const run = promisify(execFile);

/** A kubeconfig's credential plugin (e.g. `aws eks get-token`). */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface PluginCredential {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Wall clock, ms. */
  readonly expiresAt?: number;
}

const ExecCredential = z.looseObject({
  status: z.looseObject({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
});

const timeoutMs = 30_000;

/** Asks the plugin for a credential. Throws `cluster-unreachable` when it fails or answers with something else. */
export async function runExecPlugin(plugin: ExecPlugin): Promise<PluginCredential> {
  const info = JSON.stringify({
    apiVersion: plugin.apiVersion,
    kind: "ExecCredential",
    spec: { interactive: false },
  });
  try {
    const { stdout } = await run(plugin.command, [...plugin.args], {
      env: { ...process.env, ...plugin.env, KUBERNETES_EXEC_INFO: info },
      timeout: timeoutMs,
      maxBuffer: 2 ** 20,
    });
    const { status } = ExecCredential.parse(JSON.parse(stdout));
    return {
      ...(status.token !== undefined && { token: status.token }),
      ...(status.clientCertificateData !== undefined && { cert: status.clientCertificateData }),
      ...(status.clientKeyData !== undefined && { key: status.clientKeyData }),
      ...(status.expirationTimestamp !== undefined && { expiresAt: Date.parse(status.expirationTimestamp) }),
    };
  } catch (error) {
    // Only the first line, and never stdout: it may hold the credential.
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "unknown";
    throw retryable(
      "cluster-unreachable",
      `the kubeconfig's credential plugin ${plugin.command} gave no credential: ${reason}`,
    );
  }
}
