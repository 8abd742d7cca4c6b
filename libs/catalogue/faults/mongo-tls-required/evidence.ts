import {
  type CauseLabels,
  changesByObject,
  commonCalls,
  type Evidence,
  evidenceBy,
  shellCall,
} from "@microremed/catalogue";

const configs = '{range .items[*]}{"C "}{.metadata.name}{"\\n"}{.data.mongod\\.conf}{"\\n"}{end}';
/** For each ConfigMap with a server's configuration its name, then its mode of TLS. */
const modesCall = shellCall(
  `kubectl get configmaps -o jsonpath='${configs}' | awk '$1 == "C" { name = $2 } $1 == "mode:" { print "M", name, $2 }'`,
);

const mounts =
  '{range .items[*]}{"W "}{.metadata.name}{range .spec.template.spec.volumes[*]} {.configMap.name}{end}{"\\n"}{end}';
/** A line for each Deployment: its name, the ConfigMaps that it mounts. */
const mountsCall = shellCall(`kubectl get deployments -o jsonpath='${mounts}' | grep mongo`);

/** A server's configuration was changed lately, and it alone of all takes connections by TLS only. */
export const requiredTls = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.changes, modesCall, mountsCall], ([log = "", modes = "", mounted = ""]) => {
    const changed = new Set(
      changesByObject(log).flatMap(([{ object }]) => (object.kind === "ConfigMap" ? [object.name] : [])),
    );
    const found = [...modes.matchAll(/^M (\S+) (\w+)$/gm)].map(([, name = "", mode = ""]) => ({
      name,
      mode,
    }));
    const usual = found.find(({ name }) => !changed.has(name))?.mode ?? "disabled";
    return found
      .filter(({ name, mode }) => changed.has(name) && /^require/.test(mode) && mode !== usual)
      .map(({ name, mode }) => ({
        object: { kind: "ConfigMap", name },
        field: "data.mongod.conf",
        wrong: `mode: ${mode}`,
        right: `mode: ${usual}`,
        workload: workloadWith(name, mounted),
        seen: "cause" as const,
        ...labels,
      }));
  });

const workloadWith = (configMap: string, mounted: string): string =>
  [...mounted.matchAll(/^W (\S+)(.*)$/gm)].find(([, , all = ""]) =>
    all.split(" ").includes(configMap),
  )?.[1] ?? configMap;
