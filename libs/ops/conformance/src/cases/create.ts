import { area } from "../area.ts";
import { configMap, manifest, serviceAccount } from "../manifests.ts";
import { afterwards, fails, given, is, run } from "../steps/index.ts";

export const create = area("create", {
  "a config map from literals": [run("create cm one --from-literal=a=1 --from-literal=b=2", "configmap/one created"), is("cm/one", { data: { a: "1", b: "2" } })],
  "a name with the hash of the contents": [run("create cm one --from-literal=a=1 --append-hash", /^configmap\/one-[a-z0-9]{10} created\n$/)],
  "a config map twice": [given(configMap("one")), fails("create cm one", 'error: failed to create configmap: configmaps "one" already exists')],
  "a file twice": [
    given(configMap("one")),
    fails("create -f -", /Error from server \(AlreadyExists\): error when creating .*: configmaps "one" already exists/, { input: configMap("one") }),
  ],
  "a secret": [run("create secret generic one --from-literal=a=hello", "secret/one created"), is("secret/one", { type: "Opaque", data: { a: "aGVsbG8=" } })],
  "a registry secret": [
    run("create secret docker-registry reg --docker-username=u --docker-password=p --docker-server=r.example.com", "secret/reg created"),
    is("secret/reg", { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": /^.{20,}$/ } }),
  ],
  "a deployment": [
    run("create deployment web --image=nginx:1.27 --replicas=2 --port=80", "deployment.apps/web created"),
    is("deploy/web", { spec: { replicas: 2, template: { spec: { containers: [{ name: "nginx", image: "nginx:1.27", ports: [{ containerPort: 80 }] }] } } } }),
  ],
  "a deployment with a command": [
    run("create deployment web --image=busybox:1.35 -- sleep 3600"),
    is("deploy/web", { spec: { template: { spec: { containers: [{ command: ["sleep", "3600"] }] } } } }),
  ],
  "a job": [run("create job once --image=busybox:1.35 -- true", "job.batch/once created"), is("job/once", { spec: { template: { spec: { restartPolicy: "Never" } } } })],
  "a cron job": [
    run("create cronjob tick --image=busybox:1.35 --schedule='*/5 * * * *' -- true", "cronjob.batch/tick created"),
    is("cj/tick", { spec: { schedule: "*/5 * * * *" } }),
  ],
  "a job from a cron job": [
    run("create cronjob tick --image=busybox:1.35 --schedule='0 0 1 1 *' -- true"),
    run("create job now --from=cronjob/tick", "job.batch/now created"),
    is("job/now", { metadata: { annotations: { "cronjob.kubernetes.io/instantiate": "manual" }, ownerReferences: [{ kind: "CronJob", name: "tick" }] } }),
  ],
  "a cluster IP service": [
    run("create svc clusterip web --tcp=80:8080", "service/web created"),
    is("svc/web", { spec: { type: "ClusterIP", selector: { app: "web" }, ports: [{ name: "80-8080", port: 80, targetPort: 8080 }] } }),
  ],
  "a headless service": [run("create svc clusterip web --clusterip=None", "service/web created"), is("svc/web", { spec: { clusterIP: "None" } })],
  "a node port service": [
    run("create svc nodeport web --tcp=80", "service/web created"),
    is("svc/web", { spec: { type: "NodePort", ports: [{ nodePort: (port: number) => port >= 30000 }] } }),
  ],
  "an external name": [
    run("create svc externalname db --external-name=db.example.com", "service/db created"),
    is("svc/db", { spec: { type: "ExternalName", externalName: "db.example.com", clusterIP: undefined } }),
  ],
  "a service account": [run("create sa agent", "serviceaccount/agent created")],
  "a role": [
    run("create role view-pods --verb=get,list --resource=pods,deployments.apps", "role.rbac.authorization.k8s.io/view-pods created"),
    is("role/view-pods", {
      rules: [
        { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] },
        { apiGroups: ["apps"], resources: ["deployments"] },
      ],
    }),
  ],
  "a role of a resource that does not exist": [fails("create role view-pods --verb=get --resource=nonsense", /the server doesn't have a resource type "nonsense"/)],
  "a role binding": [
    given(serviceAccount("agent")),
    run("create rolebinding view-pods --clusterrole=view --serviceaccount=$NS:agent", "rolebinding.rbac.authorization.k8s.io/view-pods created"),
    is("rolebinding/view-pods", { roleRef: { kind: "ClusterRole", name: "view" }, subjects: [{ kind: "ServiceAccount", name: "agent" }] }),
  ],
  "a cluster role and its binding": [
    afterwards("delete", "clusterrole,clusterrolebinding", "$NS"),
    run("create clusterrole $NS --verb=get --resource=nodes", "clusterrole.rbac.authorization.k8s.io/$NS created"),
    run("create clusterrolebinding $NS --clusterrole=$NS --user=ann", "clusterrolebinding.rbac.authorization.k8s.io/$NS created"),
  ],
  "a quota": [run("create quota q --hard=pods=2,cpu=1", "resourcequota/q created"), is("quota/q", { spec: { hard: { pods: "2", cpu: "1" } } })],
  "a disruption budget": [run("create pdb web --selector=app=web --min-available=1", "poddisruptionbudget.policy/web created"), is("pdb/web", { spec: { minAvailable: 1 } })],
  "an ingress": [
    run("create ingress web --rule=web.example.com/*=web:80", "ingress.networking.k8s.io/web created"),
    is("ing/web", { spec: { rules: [{ host: "web.example.com", http: { paths: [{ path: "/", pathType: "Prefix" }] } }] } }),
  ],
  "a priority class": [afterwards("delete", "priorityclass", "$NS"), run("create priorityclass $NS --value=1000", "priorityclass.scheduling.k8s.io/$NS created")],
  "a namespace": [
    afterwards("delete", "ns", "$NS-2"),
    run("create ns $NS-2", "namespace/$NS-2 created"),
    fails("create ns $NS-2", 'Error from server (AlreadyExists): namespaces "$NS-2" already exists'),
  ],
  "a token": [run("create token default", /^ey[\w-]+\.[\w-]+\.[\w-]+\n?$/)],
  "a token of an account that does not exist": [fails("create token missing", /serviceaccounts "missing" not found/)],
  "dry run on the client": [run("create deploy web --image=nginx --dry-run=client -o yaml", [/^kind: Deployment$/m, /^ {6}- image: nginx$/m]), is("deploy/web", undefined)],
  "dry run on the server": [run("create deploy web --image=nginx --dry-run=server", "deployment.apps/web created (server dry run)"), is("deploy/web", undefined)],
  "a generated name": [run("create -f - -o name", /^configmap\/one-[a-z0-9]{5}\n$/, { input: { ...configMap(""), metadata: { generateName: "one-" } } })],
  "no name at all": [
    fails("create -f -", /The ConfigMap "" is invalid: metadata\.name: Required value: name or generateName is required/, { input: { ...configMap(""), metadata: {} } }),
  ],
  "a bad name": [
    fails(
      "create cm Not_A_Name",
      /ConfigMap "Not_A_Name" is invalid: metadata\.name: Invalid value: "Not_A_Name": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '\.'/,
    ),
  ],
  raw: [run("create --raw /api/v1/namespaces/$NS/configmaps -f -", /"name":"one"/, { input: manifest("v1 ConfigMap", "one") })],
});
