import { readFileSync } from "node:fs";
import { idlePlaybook } from "../idle-playbook.ts";
import { type Network, readNetwork } from "../learned/network-file.ts";
import { writeScript } from "../learned/write-script.ts";
import type { Policy } from "../policy.ts";
import { shellMove } from "../shell-move.ts";
import { noop } from "./noop.ts";

/** Read when it is first asked: nothing else pays for it. */
let network: Network | undefined;

/**
 * A network of a million weights that went through the three stages of training in this repository: a proof that they
 * can be gone through, and no language model. It reads the kind of fault, the namespace and the target, and writes the whole script of a playbook; it does not
 * probe, and tries the same twice. It was never asked a question, so it says that nothing is wrong.
 */
export const learned: Policy = {
  repair({ report: { failure = "", namespace, target = "" } }) {
    network ??= readNetwork(readFileSync(new URL("../learned/network.bin", import.meta.url)));
    const script = writeScript(network, { fault: failure, namespace, target });
    return script.trim() === ""
      ? { playbook: idlePlaybook("the network wrote nothing") }
      : shellMove("Written by reference/learned", script.split("\n"));
  },
  answer: noop.answer,
};
