import { shellWord } from "@microremed/core";
import { z } from "zod";
import { accountEvidence, accountLabels } from "./account-fault.ts";
import { affectedObjects } from "./affected-objects.ts";
import type { Environment } from "./environment/environment.types.ts";
import { selectorText } from "./environment/selectors.ts";
import type { FaultContext, FaultDefinition } from "./fault.ts";
import {
  checkMongo,
  createStatement,
  inMongo,
  type MongoAccess,
  type MongoTrouble,
  mendAll,
  mongoAccess,
  runInMongo,
  troubleIn,
} from "./mongo-account.ts";
import { kubectl, type Remedy, type RemedyContext } from "./remedy.ts";
import { workloadsWhere } from "./target-selectors.ts";
import { endPods } from "./workload-pods.ts";

/** A fault of the user that a program has at its MongoDB server. */
export interface MongoFault {
  readonly trouble: MongoTrouble;
  /** The statement that makes it. */
  readonly breaks: (access: MongoAccess) => string;
  /** What is wrong with the user, what it should have, and how that leads to the symptom. */
  readonly words: { readonly wrong: string; readonly right: string; readonly why: string };
}

type Parts =
  | "parameters"
  | "targets"
  | "ineligible"
  | "showsOn"
  | "inject"
  | "status"
  | "remove"
  | "truth"
  | "rightActions"
  | "runbook"
  | "evidence";

function accessOf({ environment, target }: { environment: Environment; target: string }): MongoAccess {
  const access = mongoAccess(environment, target);
  if (!access)
    throw new Error(`${environment.name} has no MongoDB server ${target} with a user for a program`);
  return access;
}

async function troubleOf(context: FaultContext): Promise<MongoTrouble | "not asked" | undefined> {
  const { administrator, user } = accessOf(context);
  try {
    return troubleIn(await inMongo(context, administrator, "db.getUsers()"), user);
  } catch {
    return "not asked";
  }
}

/** An attempt at a repair may have given the user another password. */
const canLogIn = (context: FaultContext, user: MongoAccess["user"]): Promise<boolean> =>
  inMongo(context, user, "db.version()").then(
    () => true,
    () => false,
  );

/** Targets, injection, status, ground truth and evidence of a fault of a user of a MongoDB server. */
export function mongoFault({
  trouble,
  breaks,
  words,
}: MongoFault): Pick<FaultDefinition<z.ZodObject>, Parts> {
  return {
    ...workloadsWhere(({ name }, environment) =>
      mongoAccess(environment, name)
        ? undefined
        : `${name} is no MongoDB server with a user that a program needs to start`,
    ),
    parameters: z.object({}),
    showsOn: (environment, target) => mongoAccess(environment, target)?.client ?? target,
    async inject(context) {
      const access = accessOf(context);
      await inMongo(context, access.administrator, breaks(access));
      // The client logs in when it starts: a new pod shows what it gets.
      await endPods(context, access.client);
    },
    async status(context) {
      const found = await troubleOf(context);
      const present = found === trouble;
      const note = `${accessOf(context).user.user} at ${context.target}: ${found ?? "as it should be"}`;
      return { present, injected: present, pods: [], expiresAt: null, note };
    },
    async remove(context) {
      const found = await troubleOf(context);
      const access = accessOf(context);
      const { administrator, user } = access;
      if (found === "not asked" || (found === undefined && (await canLogIn(context, user)))) return;
      await inMongo(context, administrator, `db.dropUser('${user.user}'); ${createStatement(user)}`);
      await endPods(context, access.client);
    },
    truth: (context) => ({
      objects: [
        {
          kind: context.environment.workloads[context.target]?.kind ?? "Deployment",
          name: context.target,
          field: "",
          wrong: words.wrong,
          right: words.right,
        },
      ],
      affected: affectedObjects(context),
      ...accountLabels,
      explanation: `${words.why} at ${context.target}, so ${accessOf(context).client} is refused and ends when it starts`,
    }),
    rightActions: [],
    runbook: {
      observe: ({ namespace }) => `kubectl -n ${namespace} get pods -o name`,
      act: ({ namespace, target }) => ({
        title: `Give the programs their users at ${target} back`,
        commands: [
          `for p in $(kubectl -n ${namespace} get pods -o name | grep -E "/${target}-"); do kubectl -n ${namespace} exec $p -- bash -c ${shellWord(mendAll)}; done`,
          `kubectl -n ${namespace} get pods --no-headers | awk '$4 > 0 { print $1 }' | xargs -r kubectl -n ${namespace} delete pod --wait=false`,
        ],
      }),
    },
    evidence: accountEvidence(checkMongo, trouble),
  };
}

/** A remedy that runs a statement at the target's server, and starts its client again. */
export const atMongo = (name: string, doc: string, script: (access: MongoAccess) => string): Remedy => ({
  ...{ name, doc },
  commands: (context: RemedyContext) => {
    const access = accessOf(context);
    const selector = selectorText(context.environment.workloads[access.client]?.selector ?? {});
    return [
      runInMongo(context, access, script(access)),
      `${kubectl(context)} delete pod -l ${selector} --wait=false`,
    ];
  },
});
