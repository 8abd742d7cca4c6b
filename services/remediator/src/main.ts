import { episodeIndexOf, nameOfToken, SolveCommand, streams, subjects } from "@microremed/contracts";
import { createCallGate, createChatClient, type ModelEndpoint, openGate } from "@microremed/llm";
import { runService, serveStage } from "@microremed/service-kit";
import { askExecutor } from "./ask-executor.ts";
import { awaitPlaybook } from "./await-playbook.ts";
import { remediatorConfig } from "./config.ts";
import { remediate } from "./handlers/remediate.ts";
import { openModels } from "./open-models.ts";
import { serveModels } from "./serve-models.ts";
import { createWatchModel } from "./watch-model.ts";

await runService("remediator", remediatorConfig, async (context) => {
  const { config, bus, state, stack, log, metrics, tracing } = context;
  const watch = createWatchModel(metrics, tracing);
  const { models, cassette, secrets } = await openModels(config, process.env);
  for (const secret of secrets) log.hide(secret);

  const gateOf = ({ name, ruleBased, limits }: ModelEndpoint) =>
    ruleBased ? openGate : createCallGate(state.modelCalls, name, limits);

  const serve = (model: string) =>
    serveStage({
      stage: "solve",
      bus,
      state,
      schema: SolveCommand,
      shards: [model],
      concurrency: config.CONCURRENCY,
      maxInFlight: models.limitsOf(model).concurrency,
      run: (command, context) =>
        remediate(
          command,
          {
            models,
            connectModel: (endpoint, timeoutMs) =>
              watch(
                cassette?.connect(endpoint.name, episodeIndexOf(command.episodeId)) ??
                  createChatClient({ ...endpoint, timeoutMs, log, gate: gateOf(endpoint) }),
                endpoint,
              ),
            conversations: state.conversations,
            probe: (request, signal) => askExecutor(bus, request, signal),
            awaitPlaybook: (command, seconds, take, signal) =>
              awaitPlaybook(bus, command, seconds, take, signal),
          },
          context,
        ),
    });
  const waiting = async (): Promise<string[]> => {
    const subjectsWaiting = await bus.waitingSubjects(
      streams.remediator.name,
      subjects.commandOfAll("solve"),
    );
    return subjectsWaiting.map((subject) => nameOfToken(subject.split(".").at(-1) ?? ""));
  };
  const { names } = models;
  stack.use(await serveModels({ patterns: config.MODELS, names, serve, waiting, log }));
});
