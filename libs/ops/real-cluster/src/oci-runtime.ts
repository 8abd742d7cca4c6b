import { findProgram } from "@microremed/servers";

/** The usual one. */
const usual = "runc";
/** It takes half of the CPU, for containers and for what is executed in them. */
const preferred = "crun";

/** The program that starts the nodes' containers: crun where it is installed. */
export const ociRuntime = (): Promise<string> =>
  findProgram(preferred, "").catch(() => findProgram(usual, "Install Debian's package runc."));
