import { createSandboxedRunner } from "@microremed/ansible/sandboxed";
import { testPlaybookRunner } from "@microremed/ansible/testing";
import { overHttp } from "./testing/clusters-under-test.ts";
import { localRunnerPods } from "./testing/local-runner-pods.ts";

/** The same Ansible as in a sandbox: one case by modules, one by kubectl, one that fails. */
const cases = [
  "k8s merges a definition into what is there",
  "a restart rolls the workload over",
  "a task that fails ends the play",
];

async function inPods() {
  await using stack = new AsyncDisposableStack();
  const under = stack.use(await overHttp());
  const { sandbox } = stack.use(await localRunnerPods(under.cluster));
  const owned = stack.move();
  return {
    cluster: under.cluster,
    runner: createSandboxedRunner({ sandbox }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

testPlaybookRunner("playbooks by Ansible in pods", inPods, cases);
