import { findWorkload, type Runbook, type RunbookCase } from "./runbook.ts";

/**
 * A procedure for a Service of the failed workload. The commands find `$workload`, `$service` and `$labels`, the selector of
 * the workload's pods as JSON. The Service is the one that was found, else it has the workload's name.
 */
export const serviceRunbook = (
  title: (target: string) => string,
  commands: (found: RunbookCase) => readonly string[],
): Runbook => ({
  observe: ({ namespace, target }) =>
    `kubectl -n ${namespace} get service ${target} --ignore-not-found -o yaml`,
  act(found) {
    const { namespace, target, finding } = found;
    const service = finding?.object.kind === "Service" ? finding.object.name : target;
    return {
      title: title(target),
      commands: [
        findWorkload(found),
        `service=${service}`,
        `labels=$(kubectl -n ${namespace} get "$workload" -o jsonpath='{.spec.selector.matchLabels}')`,
        ...commands(found),
      ],
    };
  },
});

/** Gives the Service the selector of the workload's pods. */
export const selectOwnPods: Runbook = serviceRunbook(
  (target) => `Let the Service of ${target} select its pods`,
  ({ namespace }) => [
    `kubectl -n ${namespace} patch service "$service" --type=json -p "[{\\"op\\":\\"add\\",\\"path\\":\\"/spec/selector\\",\\"value\\":$labels}]"`,
  ],
);
