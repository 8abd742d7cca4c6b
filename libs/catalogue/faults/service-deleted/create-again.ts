import { serviceRunbook } from "@microremed/catalogue";

/** Pods that are asked for their variables. */
const mostPods = 24;

/**
 * Reads lines `container <name>=<port>` and a pod's variables, and prints the Service's ports as JSON. Its port leads to
 * the container's of the same name, else of the same number, else to the first. Without variables it has the first alone.
 */
const printPorts = [
  `/^container / { sub(/^container /, "", $1); if (first == "") first = $2; named[$1] = $2; there[$2] = 1; next }`,
  `index($1, prefix "_SERVICE_PORT_") == 1 { name = tolower(substr($1, length(prefix) + 15)); gsub(/_/, "-", name); names[$2] = name; next }`,
  `index($1, prefix "_PORT_") == 1 && $1 ~ /_TCP_PORT$/ { ports[++count] = $2 }`,
  `END { if (count == 0) ports[++count] = first;`,
  `for (i = 1; i <= count; i++) { port = ports[i]; name = names[port]; target = first;`,
  `if (port in there) target = port; if (name != "" && name in named) target = named[name];`,
  `if (name != "") name = "\\"name\\":\\"" name "\\",";`,
  `all = all comma "{" name "\\"port\\":" port ",\\"targetPort\\":" target "}"; comma = "," } print all }`,
].join(" ");

/**
 * With the workload's labels, and the ports that programs have in their variables, which were started while the Service was
 * there. Nothing shows its type any more, so it is reached from inside of the cluster, as most are.
 */
export const createAgain = serviceRunbook(
  (target) => `Create the Service of ${target} again`,
  ({ namespace }) => [
    `own=$(kubectl -n ${namespace} get "$workload" -o jsonpath='{.metadata.labels}')`,
    `containers=$(kubectl -n ${namespace} get "$workload" -o jsonpath='{range .spec.template.spec.containers[*].ports[*]}container {.name}={.containerPort}{"\\n"}{end}')`,
    `prefix=$(echo "$service" | tr a-z- A-Z_)`,
    `pods=$(kubectl -n ${namespace} get pods --no-headers | grep Running | awk '{ print $1 }' | head -n ${mostPods})`,
    `for pod in $pods; do variables=$(kubectl -n ${namespace} exec "$pod" -- env 2>/dev/null | grep "^$prefix"_ | sort); if [ -n "$variables" ]; then break; fi; done`,
    `ports=$({ echo "$containers"; echo "$variables"; } | awk -F= -v prefix="$prefix" '${printPorts}')`,
    `echo "{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"Service\\",\\"metadata\\":{\\"name\\":\\"$service\\",\\"labels\\":$own},\\"spec\\":{\\"selector\\":$labels,\\"ports\\":[$ports]}}" | kubectl -n ${namespace} apply -f -`,
  ],
);
