import type { z } from "zod";
import { accountEvidence, accountLabels } from "./account-fault.ts";
import { affectedObjects } from "./affected-objects.ts";
import {
  type AccountTrouble,
  checkDatabase,
  checkServers,
  inDatabase,
  inEachPod,
  statement,
} from "./database-account.ts";
import type { Environment } from "./environment/environment.types.ts";
import type { FaultDefinition, WithParameters } from "./fault.ts";
import type { Runbook } from "./runbook.ts";
import type { Place } from "./target.ts";
import { targetOf } from "./target.ts";
import { workloadsWhere } from "./target-selectors.ts";

/** A fault of the account that a system's programs use at their MySQL server. */
export interface DatabaseFault<S extends z.ZodObject> {
  readonly parameters: S;
  /** How it shows to an operator who checks the account. */
  readonly trouble: AccountTrouble;
  /** Statements, which may use the variables of the server's container, such as `$MYSQL_USER`. */
  readonly breaks: (parameters: z.output<S>) => string;
  readonly mends: string;
  /** What is wrong with the account, what it should have, and how that leads to the symptom. */
  readonly words: { readonly wrong: string; readonly right: string; readonly why: string };
}

type Parts =
  | "parameters"
  | "targets"
  | "ineligible"
  | "inject"
  | "status"
  | "remove"
  | "truth"
  | "rightActions"
  | "runbook"
  | "evidence";

/** The account of the system's programs at a server, as the server's variables name it. */
function declaredAccount({ container }: Place): { user: string; database: string } | undefined {
  const { MYSQL_USER: user, MYSQL_DATABASE: database } = container.env;
  return typeof user === "string" && typeof database === "string" ? { user, database } : undefined;
}

/** Why no user would notice that the account of a server is refused; undefined: they would. */
function whyNoTarget(place: Place, { workloads, targets }: Environment): string | undefined {
  const { name, container } = place;
  if (container.behaviour.runtime !== "mysql" || !declaredAccount(place))
    return `${name} is no MySQL server with an account for the system's programs`;
  const isUsed = targets.some((caller) =>
    workloads[caller]?.calls.some(({ to, login, required }) => to === name && login && required),
  );
  return isUsed ? undefined : `no program that serves users logs in to ${name}`;
}

/** Makes the account as the server's variables name it, whatever a fault or an attempt at its repair has left of it. */
const accountAsDeclared = [
  "DROP USER IF EXISTS '$MYSQL_USER'@'%'",
  "CREATE USER '$MYSQL_USER'@'%' IDENTIFIED BY '$MYSQL_PASSWORD'",
  "GRANT ALL PRIVILEGES ON $MYSQL_DATABASE.* TO '$MYSQL_USER'@'%'",
].join("; ");

/** Targets, injection, status, ground truth and evidence of a fault that statements at the database make and undo. */
export function databaseFault<S extends z.ZodObject>(
  fault: DatabaseFault<S>,
): Pick<FaultDefinition<S>, Parts> {
  const { parameters, trouble, breaks, mends, words } = fault;
  return {
    ...workloadsWhere(whyNoTarget),
    parameters,
    async inject(context) {
      await inDatabase(context, statement(breaks(context.parameters)));
    },
    async status(context) {
      const found = await checkDatabase(context);
      const present = found?.trouble === trouble;
      return {
        present,
        injected: present,
        pods: [],
        expiresAt: null,
        note: found
          ? `account ${found.user} at ${context.target}: ${found.trouble ?? "as it should be"}`
          : `${context.target} could not be asked`,
      };
    },
    async remove(context) {
      const found = await checkDatabase(context);
      if (found?.trouble !== undefined) await inDatabase(context, statement(accountAsDeclared));
    },
    truth: (context) => ({
      objects: [wrongServer(context)],
      affected: affectedObjects(context),
      ...accountLabels,
      explanation: `${words.why} at ${context.target}, so its clients' calls are refused`,
    }),
    rightActions: [],
    runbook: mendingRunbook(mends),
    evidence: accountEvidence(checkServers, trouble),
  };

  function wrongServer({
    environment,
    target,
  }: Parameters<FaultDefinition<S>["truth"]>[0] & WithParameters<z.output<S>>) {
    const place = targetOf(environment, target);
    if (!place) throw new Error(`${environment.name} has no workload for ${target}`);
    const { kind } = place.workload;
    return { kind, name: place.name, field: "", wrong: words.wrong, right: words.right };
  }
}

const mendingRunbook = (sql: string): Runbook => ({
  observe: ({ namespace }) => `kubectl -n ${namespace} get pods -o name`,
  act: ({ namespace, target }) => ({
    title: `Give the programs their account at ${target} back`,
    commands: [
      inEachPod(
        namespace,
        `kubectl -n ${namespace} get pods -o name | grep -E "/${target}-[0-9]+$"`,
        "mysql",
        sql,
      ),
    ],
  }),
});
