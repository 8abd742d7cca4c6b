import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  drawnPassword,
  drawnWord,
  endPods,
  type FaultContext,
  kinds,
  offeredWorkloads,
  targetName,
} from "@microremed/catalogue";
import { staleEvidence } from "./evidence.ts";
import { parameters } from "./parameters.ts";
import {
  dataOfSecret,
  inStore,
  isLetIn,
  loginOfTarget,
  loginSetting,
  passwordInSecret,
  secretOf,
  stalePods,
  whyNoTarget,
} from "./place.ts";
import {
  oldAtStore,
  oldEverywhere,
  oldInSecret,
  replacePods,
  restart,
  restartStore,
  thirdPassword,
} from "./remedies.ts";

const labels: CauseLabels = {
  mechanism: "access-denied",
  systemLevel: "Application",
  faultType: "Authentication Issue",
};

/** Why pods are stale, for the notes of operators. */
const noteOf = (pods: readonly string[]): string =>
  pods.length === 0
    ? "every pod has started after the Secret was written"
    : `pods that have started before the Secret was written: ${pods.join(", ")}`;

/** A password was rotated, rightly, and a program runs on with the old one, which it has in its environment. */
export default defineFault({
  name: "secret-rotated-stale-env",
  title: "Rotated Secret, old environment",
  description: "secret-rotated-stale-env: the service's requests to its datastore are refused",
  parameters,
  drawn: { account: (rng) => drawnWord(rng), before: drawnPassword, after: drawnPassword },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  ...offeredWorkloads(whyNoTarget),
  setting: (context) => loginSetting(context, context.parameters.account, context.parameters.before),
  isSettled: (context) => isLetIn(context, context.parameters.account),
  async renew(context) {
    const { cluster, namespace, parameters: given } = context;
    if ((await passwordInSecret(context)) === given.after) return;
    const { store } = loginOfTarget(context);
    await inStore(context, store.set(given.account, given.after));
    const body = { data: dataOfSecret(context, given.account, given.after) };
    await cluster.patch(kinds.secret, namespace, secretOf(context), { type: "merge", body });
  },
  // The rotation is the system's new state; the fault is that the program was not restarted.
  async inject() {},
  async status(context: FaultContext) {
    const pods = await stalePods(context);
    return { present: pods.length > 0, injected: pods.length > 0, pods, expiresAt: null, note: noteOf(pods) };
  },
  async remove(context) {
    if ((await stalePods(context)).length > 0) await endPods(context);
  },
  truth: (context) => {
    const name = targetName(context);
    const secret = secretOf(context);
    return {
      objects: [
        {
          kind: "Deployment",
          name,
          field: "",
          wrong: `its pods have started before the password in Secret ${secret} was changed`,
          right: "pods that have started since",
        },
      ],
      affected: [{ kind: "Secret", name: secret }, ...affectedObjects(context)],
      ...labels,
      explanation: `the password of ${name} was changed in Secret ${secret} and at ${loginOfTarget(context).to}, and the pods of ${name} still have the old one in their environment`,
    };
  },
  repairs: [restart, replacePods],
  shortcuts: [restartStore, oldAtStore, oldEverywhere, oldInSecret, thirdPassword],
  evidence: staleEvidence(labels),
  runbook: {
    observe: ({ namespace }) => `kubectl -n ${namespace} get pods`,
    act: ({ namespace, target }) => ({
      title: `Restart ${target}, which has an old password`,
      commands: [
        `kubectl -n ${namespace} rollout restart deployment/${target}`,
        `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
      ],
    }),
  },
});
