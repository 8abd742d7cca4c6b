import { planAudit, playbookIn } from "@microremed/audit";
import { kubectl, podSelector, shellPlaybook } from "@microremed/catalogue";
import type { ExperimentRequestInput } from "@microremed/contracts";
import { createRng } from "@microremed/core";
import { loadCatalogue } from "@microremed/registry";
import { type CorpusRemedy, readCorpus } from "@microremed/remedies";

/** A fault and what is done about it: by a reference model, or by a remedy of the fault's folder or the corpus. */
export interface Trial {
  readonly fault: string;
  readonly target: string;
  readonly remedy: string;
}

/** A trial as an experiment of one episode. */
export interface PlannedTrial extends Trial {
  readonly request: ExperimentRequestInput;
  /** The playbook for an arena's namespace; absent: a model writes it. */
  readonly playbookFor?: (namespace: string) => string;
}

/** The trial in words, unique. */
export const keyOf = ({ fault, target, remedy }: Trial): string => `${fault}/${target}/${remedy}`;

const environmentName = "simple-micro";
const models = ["reference/runbook", "reference/restart", "reference/noop"];

/** Trials of the reference models. */
const modelTrials: readonly Pick<Trial, "fault" | "target">[] = [
  { fault: "none", target: "hello-service" },
  { fault: "pod-config-error", target: "hello-service" },
  { fault: "pod-config-error", target: "time-service" },
  { fault: "service-closed", target: "service/time-service" },
  { fault: "wrong-image", target: "time-service" },
];

/** Remedies by fault: right ones and wrong ones, by every way of changing the workload, and changes of all other kinds. */
const remedies: Readonly<Record<string, string>> = {
  "service-closed": "set-port",
  "wrong-image": "set-image undo",
  "pod-config-error": `
    undo set-resources generous-resources resources-by-apply resources-by-server-side-apply
    edit-while-scaled-down pause-edit-resume make-the-workload-again limits-without-bounds drop-limits
    raise-a-little delete-pods delete-workload scale-to-zero host-network-false stuck-rollout
    probe-that-never-fails replica-set-instead scaled-out-only debug-pod-left notes-that-never-go
    pod-under-anothers-name endpoints-held neighbour-scaled-away`,
};

/** Pods are made again as the template says, which is what is wrong. */
const deletePods: CorpusRemedy = {
  name: "delete-pods",
  description: "deletes the target's pods",
  class: "elsewhere",
  expected: { recovered: false, clean: false },
  file: import.meta.filename,
  playbookSeconds: undefined,
  appliesTo: ({ fault }) => fault.name === "pod-config-error",
  playbookFor: ({ context }) =>
    shellPlaybook("delete-pods", [
      `${kubectl(context)} delete pods -l ${podSelector(context)} --timeout=60s`,
    ]),
};

/**
 * All trials, those of the models first. `soakSeconds` and `recoverySeconds` are the requests', of cluster time. The
 * faults need no Chaos Mesh: its version 2 is not published as a Go module, so it cannot be built here.
 */
export async function planTrials(
  catalogueDirs: readonly string[],
  { soakSeconds, recoverySeconds }: { readonly soakSeconds: number; readonly recoverySeconds: number },
): Promise<readonly PlannedTrial[]> {
  const catalogue = await loadCatalogue({ dirs: catalogueDirs });
  const environment = catalogue.environments.get(environmentName);
  const names = { faults: catalogue.faults.names, environments: catalogue.environments.names };
  const corpus = [...readCorpus(catalogueDirs, names), deletePods];
  const requestFor = (fault: string, target: string): Omit<ExperimentRequestInput, "model"> => ({
    environment: environmentName,
    failures: [fault],
    target,
    soakSeconds,
    timeouts: { recoverySeconds },
    maxAttempts: 1,
    policy: "open",
  });
  const byModels = modelTrials.flatMap(({ fault, target }) =>
    models.map((model) => ({
      ...{ fault, target, remedy: model },
      request: { ...requestFor(fault, target), model },
    })),
  );
  const settings = [{ concealment: "none", persistence: "once" }] as const;
  const byHand = Object.entries(remedies).flatMap(([fault, wanted]) =>
    wanted
      .trim()
      .split(/\s+/)
      .map((remedy) => {
        const of = { catalogue, corpus, environment };
        // Its own seed: a trial keeps its target when others come or go.
        const seed = createRng(1, remedy).int(1000);
        const [run] = planAudit({ ...of, failures: [fault], remedies: [remedy], settings, seed, runs: 1 });
        if (!run) throw new Error(`${remedy} cannot be done about ${fault}`);
        return {
          ...{ fault, target: run.target, remedy },
          request: { ...requestFor(fault, run.target), model: "reference/noop", method: "Human" },
          playbookFor: (namespace: string) => playbookIn(of, run, namespace),
        };
      }),
  );
  return [...byModels, ...byHand];
}
