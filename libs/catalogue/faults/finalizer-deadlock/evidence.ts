import { type CauseLabels, type Evidence, parseJson, printedBy, shellCall } from "@microremed/catalogue";

const accounts = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}={.spec.serviceAccountName}{"\\n"}{end}' | grep -v -e =default$ -e =$`;
/** A line for each pod with an account of its own whose program is refused something: `<account> <verb> <resource>`. */
const refusals = shellCall(
  `for s in $(${accounts}); do kubectl logs "\${s%=*}" --tail=20 2>/dev/null | grep 'is forbidden: User' | tail -n 1 | sed -E 's/.*:([^:"]+)" cannot ([a-z]+) resource "([a-z]+)".*/\\1 \\2 \\3/'; done | sort -u`,
);
const deleting = `kubectl get configmaps -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.deletionTimestamp} {.metadata.finalizers}{"\\n"}{end}' | grep ' 20'`;

interface Refusal {
  readonly account: string;
  readonly verb: string;
  readonly resource: string;
}

const refusalsIn = (text: string): Refusal[] =>
  [...text.matchAll(/^([a-z0-9.-]+) ([a-z]+) ([a-z]+)$/gm)].map(
    ([, account = "", verb = "", resource = ""]) => ({ account, verb, resource }),
  );

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** What is deleted waits for a program whose Role, which has its account's name, lacks a verb. */
export const missingVerb = (labels: CauseLabels): Evidence => ({
  next(answers) {
    const [refused, read] = answers;
    if (refused === undefined) return refusals;
    const all = refusalsIn(refused);
    if (all.length === 0) return [];
    if (read === undefined)
      return shellCall(
        [
          deleting,
          ...all.map(
            ({ account }) => `echo "${account} $(kubectl get role ${account} -o jsonpath='{.rules}')"`,
          ),
        ].join("; "),
      );
    const held = /^(\S+) 20\S+ .+$/m.exec(printedBy(read));
    if (!held) return [];
    return all.flatMap(({ account, verb, resource }) => {
      const text = new RegExp(`^${account} (\\[.*)$`, "m").exec(read)?.[1] ?? "[]";
      const rules = (parseJson(text) ?? []) as readonly Rule[];
      const at = rules.findIndex(({ resources }) => resources.includes(resource));
      const verbs = rules[at]?.verbs ?? [];
      if (at < 0 || verbs.includes(verb)) return [];
      return [
        {
          object: { kind: "Role", name: account },
          field: `rules[${at}].verbs`,
          wrong: JSON.stringify(verbs),
          right: JSON.stringify([...verbs, verb]),
          workload: (held[1] ?? "").replace(/^archive-of-/, ""),
          seen: "cause" as const,
          ...labels,
        },
      ];
    });
  },
});
