import {
  type CauseLabels,
  type Evidence,
  evidenceBy,
  type Finding,
  shellCall,
  workloadInName,
} from "@microremed/catalogue";

const pods = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}={.spec.containers[0].name}={.spec.containers[0].envFrom[*].secretRef.name}{"\\n"}{end}' | tr " " + | grep -v =$`;

/** A line for each pod that reads variables from Secrets: `<pod> <Secrets> <variable>=<value>`. */
const passwordsCall = shellCall(
  `for s in $(${pods}); do p=\${s%%=*}; r=\${s#*=}; c=\${r%%=*}; echo "$p \${r#*=} $(kubectl exec "$p" -c "$c" -- env | grep _PASSWORD= | tr "\\n" " ")"; done`,
);

interface Password {
  readonly pod: string;
  readonly secrets: readonly string[];
  readonly key: string;
  readonly value: string;
}

function passwordsIn(text: string): Password[] {
  return [...text.matchAll(/^([a-z0-9.-]+) (\S+) (\w+_PASSWORD)=(\S+)/gm)].map(
    ([, pod = "", secrets = "", key = "", value = ""]) => ({ pod, secrets: secrets.split("+"), key, value }),
  );
}

/** Pods that read their password from a Secret have another one than all others with a variable of that kind. */
export const strangePassword = (labels: CauseLabels): Evidence =>
  evidenceBy([passwordsCall], ([listed = ""]) => {
    const all = passwordsIn(listed);
    return all.flatMap((one) => findingOf(one, all, labels));
  });

/** So many others must agree. */
const fewest = 2;

function findingOf(own: Password, all: readonly Password[], labels: CauseLabels): Finding[] {
  const kind = own.key.split("_").slice(-2).join("_");
  const others = all.filter((one) => one !== own && one.key.endsWith(kind)).map(({ value }) => value);
  const [usual] = others;
  const agree = others.length >= fewest && others.every((value) => value === usual);
  const [name = ""] = own.secrets;
  if (usual === undefined || !agree || usual === own.value) return [];
  return [
    {
      object: { kind: "Secret", name },
      field: `data.${own.key}`,
      wrong: own.value,
      right: usual,
      workload: workloadInName(own.pod),
      seen: "cause",
      ...labels,
    },
  ];
}
