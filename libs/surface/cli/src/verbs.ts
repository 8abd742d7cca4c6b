import type { Command } from "commander";
import type { Context } from "./context.ts";

/** A verb of the command line. Its module, with all that it imports, is loaded only when the verb is used. */
export interface Verb {
  readonly name: string;
  /** One line of `microremed --help`, and the description of `microremed <name> --help`. */
  readonly summary: string;
  /** Loads much before it says anything of its own: a line comes first. */
  readonly slow?: true;
  readonly load: () => Promise<(context: Context) => Command>;
}

const list = (name: string, of: string): Verb => ({
  name,
  summary: `list ${of}`,
  load: () => import("./commands/list.ts").then((module) => (context) => module.listCommand(context, name)),
});

/** Every verb, in the order in which `--help` lists them. */
export const verbs: readonly Verb[] = [
  {
    name: "run",
    summary:
      "run one experiment and print its report; starts a local range if none is running, and always with --range or --cassette",
    slow: true,
    load: () => import("./commands/run.ts").then((module) => module.runCommand),
  },
  {
    name: "up",
    summary: "start a local range and keep it running until Ctrl-C",
    slow: true,
    load: () => import("./commands/up.ts").then((module) => module.upCommand),
  },
  {
    name: "tokens",
    summary: "make, list and revoke tokens of the gateway",
    load: () => import("./commands/tokens.ts").then((module) => module.tokensCommand),
  },
  {
    name: "mcp",
    summary: "serve problems to an MCP client over standard input and output",
    load: () => import("./commands/mcp.ts").then((module) => module.mcpCommand),
  },
  {
    name: "agent",
    summary: "start a program for each problem, in a sandbox: agents from the command line",
    slow: true,
    load: () => import("./commands/agent.ts").then((module) => module.agentCommand),
  },
  {
    name: "submit",
    summary: "submit a request to a running range and print the experiment's id",
    load: () => import("./commands/submit.ts").then((module) => module.submitCommand),
  },
  {
    name: "watch",
    summary: "show an experiment's progress until it has finished",
    load: () => import("./commands/watch.ts").then((module) => module.watchCommand),
  },
  {
    name: "report",
    summary: "print the report of an experiment, finished or not",
    load: () => import("./commands/report.ts").then((module) => module.reportCommand),
  },
  {
    name: "show",
    summary: "show everything that happened in one episode, from the injection to the restored arena",
    load: () => import("./commands/show.ts").then((module) => module.showCommand),
  },
  {
    name: "replay",
    summary:
      "run a saved episode again on a fresh arena with the recorded answers, and show what differs from the recording",
    slow: true,
    load: () => import("./commands/replay.ts").then((module) => module.replayCommand),
  },
  {
    name: "export",
    summary: "write trajectories with rewards for analysis and fine-tuning, with a data card beside them",
    load: () => import("./commands/export.ts").then((module) => module.exportCommand),
  },
  {
    name: "telemetry",
    summary: "write the metrics, logs and traces of saved episodes with what was wrong, for analysis",
    load: () => import("./commands/telemetry.ts").then((module) => module.telemetryCommand),
  },
  {
    name: "dataset",
    summary: "make a labelled data set of faults on embedded clusters, for methods of root-cause analysis",
    slow: true,
    load: () => import("./commands/dataset.ts").then((module) => module.datasetCommand),
  },
  {
    name: "traces",
    summary: "let scripted experts repair systems, and write what they did as training data",
    slow: true,
    load: () => import("./commands/traces.ts").then((module) => module.tracesCommand),
  },
  {
    name: "preferences",
    summary: "pair repairs of the same case, let people choose the better one, and write preference data",
    load: () => import("./commands/preferences.ts").then((module) => module.preferencesCommand),
  },
  {
    name: "gym",
    summary: "serve episodes for training by OpenEnv's protocol",
    slow: true,
    load: () => import("./commands/gym.ts").then((module) => module.gymCommand),
  },
  {
    name: "compare",
    summary: "compare two experiments, or two models of one experiment, case by case",
    load: () => import("./commands/compare.ts").then((module) => module.compareCommand),
  },
  {
    name: "audit",
    summary: "measure how often the verdict accepts a shortcut, and how often it rejects a correct repair",
    slow: true,
    load: () => import("./commands/audit.ts").then((module) => module.auditCommand),
  },
  {
    name: "answer",
    summary:
      "submit the playbook that an episode of the method Human waits for; without --playbook, show the task",
    load: () => import("./commands/answer.ts").then((module) => module.answerCommand),
  },
  {
    name: "cancel",
    summary: "cancel an experiment and restore its arenas",
    load: () => import("./commands/cancel.ts").then((module) => module.cancelCommand),
  },
  {
    name: "events",
    summary: "print the stored events of an experiment, one JSON object per line",
    load: () => import("./commands/events.ts").then((module) => module.eventsCommand),
  },
  {
    name: "deadletters",
    summary:
      "list, show, retry and drop dead letters: messages that no service could handle, kept for 30 days",
    load: () => import("./commands/deadletters.ts").then((module) => module.deadLettersCommand),
  },
  {
    name: "clusters",
    summary: "list the clusters and arenas of the running range, and end a quarantine",
    load: () => import("./commands/clusters.ts").then((module) => module.clustersCommand),
  },
  {
    name: "streams",
    summary: "create the NATS streams of a range, or bring them up to date; needs the admin's credentials",
    load: () => import("./commands/streams.ts").then((module) => module.streamsCommand),
  },
  {
    name: "recover",
    summary:
      "restart what was in progress when a backup was made, after NATS and Redis were restored from it; needs the admin's credentials",
    load: () => import("./commands/recover.ts").then((module) => module.recoverCommand),
  },
  {
    name: "problems",
    summary: "list the problems of all suites, show one, and print what agents are given of it",
    load: () => import("./commands/problems.ts").then((module) => module.problemsCommand),
  },
  {
    name: "play",
    summary: "solve a problem yourself at the terminal, with the same tools as an agent, on a local range",
    slow: true,
    load: () => import("./commands/play.ts").then((module) => module.playCommand),
  },
  {
    name: "environments",
    summary: "list the systems under test, import one from manifests, check one",
    load: () => import("./commands/environments.ts").then((module) => module.environmentsCommand),
  },
  list("faults", "the faults, and how often each suite contains them"),
  list("methods", "the methods: agents that repair or answer"),
  list("tools", "the tools that agents call"),
  list("tasks", "the tasks that agents can be given"),
  list("models", "the configured models"),
  list("policies", "the policies for playbooks"),
  {
    name: "leaderboard",
    summary: "sign runs, check signed ones, and turn runs into a page that compares them",
    load: () => import("./commands/leaderboard.ts").then((module) => module.leaderboardCommand),
  },
  {
    name: "manifests",
    summary: "print an environment's Kubernetes manifests",
    load: () => import("./commands/manifests.ts").then((module) => module.manifestsCommand),
  },
  {
    name: "load",
    summary: "print a Job of k6 that sends an environment's requests on a real cluster",
    load: () => import("./commands/load.ts").then((module) => module.loadCommand),
  },
  {
    name: "cluster",
    summary: "run embedded clusters without a range and write their kubeconfig; prepare a real cluster",
    load: () => import("./commands/cluster.ts").then((module) => module.clusterCommand),
  },
  {
    name: "reference-models",
    summary: "serve the rule-based reference/* models to remediators (REFERENCE_MODELS_URL)",
    load: () => import("./commands/reference-models.ts").then((module) => module.referenceModelsCommand),
  },
  {
    name: "secrets",
    summary:
      "generate the passwords, certificates and tokens of a range on Kubernetes and print them as Secrets",
    load: () => import("./commands/secrets.ts").then((module) => module.secretsCommand),
  },
  {
    name: "doctor",
    summary: "list what is missing on this machine, or on a cluster under test, and how to get it",
    load: () => import("./commands/doctor.ts").then((module) => module.doctorCommand),
  },
  {
    name: "demo",
    summary:
      "run every published fault on online-boutique with two methods and three rule-based models, and print a leaderboard",
    slow: true,
    load: () => import("./commands/demo.ts").then((module) => module.demoCommand),
  },
];
