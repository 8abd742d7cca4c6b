import { createSandboxedRunner } from "@microremed/ansible/sandboxed";
import { testPlaybookRunner } from "@microremed/ansible/testing";
import { overHttp } from "./testing/clusters-under-test.ts";
import { localRunnerPods } from "./testing/local-runner-pods.ts";

testPlaybookRunner("playbooks by Ansible in pods", async () => {
  await using stack = new AsyncDisposableStack();
  const under = stack.use(await overHttp());
  const { sandbox } = stack.use(await localRunnerPods(under.cluster));
  const owned = stack.move();
  return {
    cluster: under.cluster,
    runner: createSandboxedRunner({ sandbox }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
});
