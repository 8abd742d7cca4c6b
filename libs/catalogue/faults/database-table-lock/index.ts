import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  drawnWord,
  type FaultContext,
  kubectl,
  offeredWorkloads,
  type Remedy,
  type RemedyContext,
  restartTarget,
  shellWord,
  z,
} from "@microremed/catalogue";
import { lockEvidence } from "./evidence.ts";
import { asOwner, holders, inDatabase, tableOf, whyNoTarget } from "./place.ts";

const labels: CauseLabels = {
  mechanism: "blocked-by-lock",
  systemLevel: "Application",
  faultType: "Operation Error",
};

const parameters = z.object({
  application: z
    .string()
    .regex(/^[a-z0-9-]{3,60}$/)
    .default("monthly-report")
    .describe("name that the session gives the server"),
});

/** Longer than any episode. */
const heldSeconds = 604_800;

const ending = holders("pg_terminate_backend(a.pid)");

/** Runs a script in the database's container, as a person does with kubectl. */
const atDatabase = (context: RemedyContext, script: string): string => {
  const { to } = tableOf(context);
  const container = context.environment.workloads[to]?.containers[0]?.name;
  return `${kubectl(context)} exec deployment/${to} -c ${container} -- sh -c ${shellWord(script)}`;
};

const terminate: Remedy = {
  name: "terminate",
  doc: "the expert's fix: ends the session that holds the lock",
  commands: (context) => [atDatabase(context, asOwner(ending))],
};

const cancel: Remedy = {
  name: "cancel",
  doc: "cancels the statement of the session, with which its transaction and its lock end",
  commands: (context) => [atDatabase(context, asOwner(holders("pg_cancel_backend(a.pid)")))],
};

const terminateWaiting: Remedy = {
  name: "terminate-waiting",
  doc: "ends the sessions that wait for the lock, which come again",
  commands: (context) => [
    atDatabase(
      context,
      asOwner("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"),
    ),
  ],
};

const restartProgram: Remedy = {
  name: "restart-program",
  doc: "restarts the program that waits",
  commands: restartTarget,
};

async function held(context: FaultContext): Promise<string[]> {
  const { table } = tableOf(context);
  const answer = await inDatabase(context, asOwner(holders("a.pid, l.relation::regclass")));
  return (answer ?? "").split("\n").filter((line) => line.endsWith(`|${table}`));
}

/** A session of the database holds a lock on a table, and every query on it waits. */
export default defineFault({
  name: "database-table-lock",
  title: "Locked table",
  description: "database-table-lock: the service's requests to its database get no answer",
  parameters,
  drawn: { application: (rng) => `${drawnWord(rng)}-${drawnWord(rng)}` },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  ...offeredWorkloads(whyNoTarget),
  async inject(context) {
    if ((await held(context)).length > 0) return;
    const { table } = tableOf(context);
    const sql = `SET application_name = '${context.parameters.application}'; BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(${heldSeconds})`;
    await inDatabase(context, `nohup ${asOwner(sql)} >/dev/null 2>&1 &`);
  },
  async status(context: FaultContext) {
    const sessions = await held(context);
    const isHeld = sessions.length > 0;
    return {
      present: isHeld,
      injected: isHeld,
      pods: [],
      expiresAt: null,
      note: `${sessions.length} sessions hold ${tableOf(context).table} for themselves`,
    };
  },
  async remove(context) {
    if ((await held(context)).length > 0) await inDatabase(context, asOwner(ending));
  },
  truth: (context) => {
    const { to, table } = tableOf(context);
    return {
      objects: [
        {
          kind: context.environment.workloads[to]?.kind ?? "Deployment",
          name: to,
          field: "",
          wrong: `a session holds an exclusive lock on ${table}`,
          right: "no session holds it",
        },
      ],
      affected: affectedObjects(context),
      ...labels,
      explanation: `a session of ${to} holds an exclusive lock on ${table}, so that each query of ${context.target} waits for it until it is given up`,
    };
  },
  repairs: [terminate, cancel],
  shortcuts: [terminateWaiting, restartProgram, deletePods],
  evidence: lockEvidence(labels),
  runbook: {
    observe: ({ namespace }) => `kubectl -n ${namespace} get pods`,
    act: ({ namespace, target, finding }) => ({
      title: `End the session that holds a table of ${finding?.object.name ?? target}`,
      commands: [
        `kubectl -n ${namespace} exec deployment/${finding?.object.name ?? target} -- sh -c ${shellWord(asOwner(ending))}`,
      ],
    }),
  },
});
