import type { Execution } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { GuardContext } from "./guard/rule.ts";

/** One playbook to run with one arena's credentials. */
export interface PlaybookRun {
  readonly playbook: string;
  /** YAML text; the only credentials that the playbook gets. */
  readonly kubeconfig: string;
  /** What the playbook is checked against before it runs. Default: nothing. */
  readonly guard?: GuardContext & { readonly policyName: string };
  /** Ms: wall clock for Ansible itself, cluster time in process. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Awaited before anything goes out to the API server; once it throws, nothing does any more. */
  readonly mayPass?: () => Promise<void>;
  /** Is called with the reason when a connection to the API server cannot be made: seen from outside of the sandbox. */
  readonly onUnreachable?: (why: string) => void;
  readonly log: Logger;
  /** Characters of output kept. Default 32 KiB. */
  readonly maxOutput?: number;
}

/**
 * Runs playbooks. Whatever a playbook is or does, the answer is an Execution; thrown is only what is not a
 * playbook's fault: what the machine lacks, what a driver cannot do, or the signal's reason.
 */
export type PlaybookRunner = (run: PlaybookRun) => Promise<Execution>;
