// An agent without a model on all of easy@1, three problems at once: node no-model.mjs
// MICROREMED_URL and MICROREMED_TOKEN say where the gateway is.
import { Range } from "@microremed/client";

/** Deletes what injects faults, which in easy@1 can be seen. */
class RemovesChaos {
  async solve(problem) {
    await problem.call("exec_shell", { command: "kubectl delete stresschaos,networkchaos,podchaos --all" });
    await problem.submit();
  }
}

const session = await new Range().session({ agent: "removes-chaos@1", suite: "easy@1", parallel: 3 });
try {
  await session.run(() => new RemovesChaos(), { parallel: 3 });
  process.stdout.write(`${JSON.stringify({ score: session.score(), first: session.rows()[0] }, null, 2)}\n`);
} finally {
  await session.close();
}
