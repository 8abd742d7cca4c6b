import { longCall } from "./common-calls.ts";

/** Pods from which others are asked, spread over the system; fewer, where some of them reach their own node well. */
const mostPingers = 6;
const enoughGood = 2;
/** Pods whose environment is read. */
const environments = 4;
/** Containers that are read: a call may take 10 s. */
const mostTried = 24;

const containers = "{range .spec.containers[*]} {.name}={.image}{end}";
const listed = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name} {.status.hostIP}${containers}{"\\n"}{end}'`;
/** `<pod>/<address of its node>/<container>=<image>`: first some pods from all over the system, then the others. */
const inTurn = `awk '{ n = NR - 1; all[n] = ""; for (i = 3; i <= NF; i++) all[n] = all[n] " " $1 "/" $2 "/" $i } END { step = int(NR / ${mostPingers}); if (step < 1) step = 1; for (i = 0; i < NR; i++) if (i % step == 0 && i / step < ${mostPingers}) print all[i]; for (i = 0; i < NR; i++) if (i % step != 0 || !(i / step < ${mostPingers})) print all[i] }'`;

const parts = `p=\${t%%/*}; r=\${t#*/}; node=\${r%%/*}; r=\${r#*/}; c=\${r%%=*}; i=\${r#*=}`;
/** An image without a shell shows nothing, and one without a ping is read for its environment alone. */
const isNothing = `case "$bare" in *" $i "*) continue ;; esac; if [ "$p" = "$heard" ]; then continue; fi; if [ $e -ge ${environments} ]; then case "$mute" in *" $i "*) continue ;; esac; fi`;
/** Where nothing listens, curl ends with 7. */
const inside = `env; ping -c 10 -i 0.05 -W 1 "$1"; curl -s -o /dev/null -m 1 http://127.0.0.1:9/; echo "curl $?"`;
const asked = `r=$(kubectl exec "$p" -c "$c" -- sh -c '${inside}' sh "$node" 2>&1); case "$r" in *"file not found"*|*"no such file"*) bare="$bare$i "; continue ;; esac`;
const variables = `v=$(echo "$r" | grep "^[A-Z0-9_]*_SERVICE_HOST=[0-9.]*$"); if [ -n "$v" ] && [ "$p" != "$read" ]; then read=$p; e=$((e + 1)); hosts="$hosts $v"; if [ $e = ${environments} ]; then echo $hosts | tr " " "\\n" | sort -u; fi; fi`;
const pings = `case "$r" in *transmitted*) heard=$p; n=$((n + 1)); echo "pings: $p $c $(echo "$r" | grep -E "transmitted|min/avg" | tr "\\n" " ")"; case "$r" in *" 0% packet loss"*) g=$((g + 1)) ;; esac ;; *) mute="$mute$i " ;; esac; case "$r" in *"curl 7"*) echo "curl: $p $c" ;; esac`;
const ends = `k=$((k + 1)); if [ $k -ge ${mostTried} ]; then break; fi; if [ $e -ge ${environments} ]; then if [ $g -ge ${enoughGood} ] || [ $n -ge ${mostPingers} ]; then break; fi; fi`;

/**
 * Reads once what many ask of containers: `<NAME>_SERVICE_HOST=<address>`, the Services that there were when programs
 * started; `pings: <pod> <container> <what its echoes to its own node came to>`; `curl: <pod> <container>` where curl is.
 */
export const readInside = longCall(
  `e=0; g=0; k=0; n=0; bare=" "; mute=" "; for t in $(${listed} | ${inTurn}); do ${parts}; ${isNothing}; ${asked}; ${variables}; ${pings}; ${ends}; done; if [ $e -lt ${environments} ]; then echo $hosts | tr " " "\\n" | sort -u; fi`,
);
