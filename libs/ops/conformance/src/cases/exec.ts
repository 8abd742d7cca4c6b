import { readdir } from "node:fs/promises";
import { area } from "../area.ts";
import { box, deployment, pod } from "../manifests.ts";
import { client, fails, given, is, ready, replicas, run, until } from "../steps/index.ts";
import { prints } from "../steps/serves.ts";
import { ended, inBox, notInPath, say, two } from "./some-pods.ts";

export const exec = area("exec", {
  "stdout and exit code 0": [...inBox, run("exec box -- echo hello", /^hello\n$/)],
  "another exit code": [...inBox, fails("exec box -- sh -c 'exit 3'", /command terminated with exit code 3/, { exit: 3 })],
  "stderr by itself": [...inBox, run("exec box -- sh -c 'echo oops >&2'", /^$/, { stderr: /^oops$/m })],
  "stdin to its end": [...inBox, run("exec -i box -- cat", /^some text$/, { input: "some text" })],
  "a program that is not there": [...inBox, fails("exec box -- nonsense", notInPath("nonsense"), { exit: "any" })],
  "an image without any program": [given(pod("empty")), ready("empty"), fails("exec empty -- ls", notInPath("ls"), { exit: "any" })],
  "one of several containers": [...two, run("exec two -c other -- hostname", /^two\n$/)],
  "a container that does not exist": [...inBox, fails("exec box -c nope -- ls", /container nope is not valid for pod box|container not found \("nope"\)/)],
  "a pod of a deployment": [given(deployment("web", {}, box())), replicas("deploy/web", 1), run("exec deploy/web -- hostname", /^web-\w+-\w{5}\n$/)],
  "a pod that does not exist": [fails("exec nope -- ls", /pods "nope" not found/)],
  "a pod that has ended": [given(say("done", "true")), ended("done"), fails("exec done -- ls", /cannot exec into a container in a completed pod; current phase is Succeeded/)],
  "environment, hostname and files": [
    given(
      pod(
        "box",
        box({
          env: [
            { name: "A", value: "1" },
            { name: "B", value: "$(A)2" },
          ],
        }),
      ),
    ),
    ready("box"),
    run("exec box -- sh -c 'echo $B $HOSTNAME; echo text > /tmp/f; cat /tmp/f'", "12 box\ntext"),
  ],
  "variables of services": [...inBox, run("exec box -- printenv KUBERNETES_SERVICE_HOST", /^[\d.a-f:]+\n$/)],
  processes: [...inBox, run("exec box -- ps", /^ +1 root .*sh -c/m)],
  "names of the cluster": [...inBox, run("exec box -- nslookup kubernetes.default.svc.cluster.local", /Name:\s+kubernetes\.default\.svc\.cluster\.local/)],
  "the service account's files": [...inBox, run("exec box -- cat /var/run/secrets/kubernetes.io/serviceaccount/namespace", /^\$NS$/)],
  "the search path of names": [...inBox, run("exec box -- cat /etc/resolv.conf", /^search \$NS\.svc\.cluster\.local svc\.cluster\.local cluster\.local/m)],
  "a file copied in and out": [
    ...inBox,
    {
      run: async ({ target, kubectl }) => {
        const { writeFile, readFile } = await import("node:fs/promises");
        const [from, to] = [`${target.dir}/cp-in.txt`, `${target.dir}/cp-out.txt`];
        await writeFile(from, "copied\n");
        const ran = [await kubectl(["cp", from, "box:/tmp/copy"]), await kubectl(["cp", "box:/tmp/copy", to])];
        if (ran.some(({ exit }) => exit !== 0)) throw new Error(ran.map(({ stderr }) => stderr).join());
        if ((await readFile(to, "utf8")) !== "copied\n") throw new Error("the copy differs");
      },
    },
  ],
  "a large file copied in and out": [
    ...inBox,
    {
      run: async ({ target, kubectl }) => {
        const { randomBytes } = await import("node:crypto");
        const { writeFile, readFile } = await import("node:fs/promises");
        const [from, to] = [`${target.dir}/cp-large-in`, `${target.dir}/cp-large-out`];
        const content = Buffer.concat([randomBytes(5_000_000), Buffer.alloc(3_000_000), randomBytes(1_000_001)]);
        await writeFile(from, content);
        const ran = [await kubectl(["cp", from, "box:/tmp/large"]), await kubectl(["cp", "box:/tmp/large", to])];
        if (ran.some(({ exit }) => exit !== 0)) throw new Error(ran.map(({ stderr }) => stderr).join());
        if (!content.equals(await readFile(to))) throw new Error("the copy differs");
      },
    },
  ],
  "a folder copied in and out": [
    ...inBox,
    {
      run: async ({ target, kubectl }) => {
        const { mkdir, writeFile, readFile } = await import("node:fs/promises");
        const { dirname } = await import("node:path");
        const [from, to] = [`${target.dir}/cp-folder-in`, `${target.dir}/cp-folder-out`];
        const names = ["a.txt", "deep/er/b.txt", `deep/${"long".repeat(30)}`];
        for (const name of names) {
          await mkdir(dirname(`${from}/${name}`), { recursive: true });
          await writeFile(`${from}/${name}`, name);
        }
        const ran = [await kubectl(["cp", from, "box:/tmp/folder"]), await kubectl(["cp", "box:/tmp/folder", to])];
        if (ran.some(({ exit }) => exit !== 0)) throw new Error(ran.map(({ stderr }) => stderr).join());
        for (const name of names) if ((await readFile(`${to}/${name}`, "utf8")) !== name) throw new Error(`${name} differs`);
      },
    },
  ],
  "attached with text on stdin": [
    given(pod("box", box({ command: ["cat"], stdin: true, stdinOnce: true }), { restartPolicy: "Never" })),
    ready("box"),
    run("attach -i box", /^typed$/m, { input: "typed\n" }),
    ended("box"),
    run("logs box", "typed"),
  ],
  "attached to a loop": [given(say("loop", "while true; do echo x; sleep 1; done")), until("pod/loop", { status: { phase: "Running" } }), prints("attach loop", /(x\n){3}/)],
  "debug with a container of its own": [
    given(pod("web")),
    ready("web"),
    run("debug web --image=busybox:1.36 -c debugger -- sleep 3600", undefined),
    until("pod/web", { status: { ephemeralContainerStatuses: [{ name: "debugger", state: { running: {} } }] } }),
    is("pod/web", {
      spec: { ephemeralContainers: [{ imagePullPolicy: "IfNotPresent", terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File", resources: {} }] },
    }),
    run("exec web -c debugger -- echo inside", "inside"),
  ],
  "debug with the processes of another container": [
    ...inBox,
    run("debug box --image=busybox:1.36 -c debugger --target=main -- sleep 3600", undefined),
    until("pod/box", { status: { ephemeralContainerStatuses: [{ name: "debugger", state: { running: {} } }] } }),
    run("exec box -c debugger -- ps", [/^ +1 root .* sh -c trap/m, /^ +\d+ root .* sleep 3600$/m]),
    run("exec box -c main -- ps", /^ +\d+ root .* sleep 3600$/m),
    run("exec box -c debugger -- sh -c 'kill -0 1 && echo there'", "there"),
  ],
  "processes of all containers of a pod": [
    given(pod("two", box({ name: "one" }), { shareProcessNamespace: true, containers: [box({ name: "one" }), box({ name: "other", command: ["sleep", "4321"] })] })),
    ready("two"),
    run("exec two -c one -- ps", [/^ +1 \S+ .* \/pause\b/m, /^ +\d+ root .* sh -c trap/m, /^ +\d+ root .* sleep 4321$/m]),
  ],
  "a script that lists processes is one of them, as is the program that lists them": [
    ...inBox,
    run("exec box -- sh -c 'ps; echo after'", [/^ +\d+ root .* sh -c ps; echo after$/m, /^ +\d+ root .* ps$/m]),
  ],
  "a shell becomes the last program of its script": [...inBox, run("exec box -- sh -c 'echo before; ps'", /^before\n(?![\s\S]*echo before)[\s\S]* ps$/m)],
  "debug a copy": [
    given(pod("web")),
    run("debug web --copy-to=copy --image=busybox:1.36 -c debugger -- sleep 3600", undefined),
    until("pod/copy", { spec: { containers: [{ name: "main" }, { name: "debugger" }] }, status: { phase: "Running" } }),
  ],
  "a copy of what is not there makes no file": [
    ...inBox,
    client(async (_clients, { kubectl, namespace, target }) => {
      // Whether it complains, and its exit code, depend on what kubectl learns of tar before it ends.
      await kubectl(["cp", "box:/tmp/nope", `${namespace}-nope`]);
      if ((await readdir(target.dir)).includes(`${namespace}-nope`)) throw new Error("there is a file");
    }),
  ],
});
