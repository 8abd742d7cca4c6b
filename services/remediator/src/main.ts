import { RemediateCommand } from "@microremed/contracts";
import { createCallGate, createChatClient, type ModelEndpoint, openGate } from "@microremed/llm";
import { runService, serveStage } from "@microremed/service-kit";
import { askExecutor } from "./ask-executor.ts";
import { awaitPlaybook } from "./await-playbook.ts";
import { remediatorConfig } from "./config.ts";
import { remediate } from "./handlers/remediate.ts";
import { openModels } from "./open-models.ts";
import { createWatchModel } from "./watch-model.ts";

await runService("remediator", remediatorConfig, async (context) => {
  const { config, bus, state, stack, log, metrics, tracing } = context;
  const watch = createWatchModel(metrics, tracing);
  const { models, secrets } = await openModels(config, process.env);
  for (const secret of secrets) log.hide(secret);

  const gateOf = ({ name, ruleBased, limits }: ModelEndpoint) =>
    ruleBased ? openGate : createCallGate(state.modelCalls, name, limits);

  for (const shard of config.MODELS) {
    const consumption = await serveStage({
      stage: "remediate",
      bus,
      state,
      schema: RemediateCommand,
      shards: [shard],
      concurrency: config.CONCURRENCY,
      run: (command, context) =>
        remediate(
          command,
          {
            models,
            connectModel: (endpoint, timeoutMs) =>
              watch(createChatClient({ ...endpoint, timeoutMs, log, gate: gateOf(endpoint) }), endpoint),
            conversations: state.conversations,
            probe: (request, signal) => askExecutor(bus, request, signal),
            awaitPlaybook: (command, seconds, take, signal) =>
              awaitPlaybook(bus, command, seconds, take, signal),
          },
          context,
        ),
    });
    stack.use(consumption);
  }
});
