import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Interpreter } from "../case.types.ts";

const prelude = `
import json, time, traceback
from kubernetes import client, config, watch, dynamic, stream
config.load_kube_config()
core, apps, batch = client.CoreV1Api(), client.AppsV1Api(), client.BatchV1Api()
rbac, custom = client.RbacAuthorizationV1Api(), client.CustomObjectsApi()
failures = {}

def pod(name, image="registry.k8s.io/pause:3.10", command=None):
    main = client.V1Container(name="main", image=image, command=command)
    spec = client.V1PodSpec(containers=[main], termination_grace_period_seconds=1)
    return client.V1Pod(metadata=client.V1ObjectMeta(name=name, labels={"app": name}), spec=spec)

def config_map(name, **data):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data=data)

def eventually(check, seconds=60):
    end = time.time() + seconds
    while not check():
        if time.time() > end: raise AssertionError("condition not met in time")
        time.sleep(0.1)

def ready(ns, name):
    eventually(lambda: any(c.type == "Ready" and c.status == "True" for c in core.read_namespaced_pod(name, ns).status.conditions or []))
`;

const wrapped = (script: string, namespace: string, index: number): string => `
def case_${index}(ns):
${script.trim().replace(/^/gm, "    ")}
try:
    case_${index}("${namespace}")
except Exception:
    failures["${index}"] = traceback.format_exc()
`;

/** Python with the official client; `ns` is the case's namespace. */
export const python: Interpreter = async (target, jobs, signal) => {
  const file = join(target.dir, "conformance.py");
  const cases = jobs.map(({ script, namespace }, index) => wrapped(script, namespace, index));
  await writeFile(file, `${prelude}${cases.join("")}\nprint(json.dumps(failures))\n`);
  const ran = await target.run("/usr/bin/python3", [file], { signal });
  if (ran.exit !== 0) throw new Error(`python3: exit code ${ran.exit}\n${ran.stdout}${ran.stderr}`);
  const failures: Readonly<Record<string, string>> = JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "{}");
  return jobs.map((_job, index) => failures[index]);
};
