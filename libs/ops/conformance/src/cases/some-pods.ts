import { box, busybox, pod, shell } from "../manifests.ts";
import { given, ready, until } from "../steps/index.ts";

export const say = (name: string, script: string) => pod(name, { name: "main", image: busybox, ...shell(script) }, { restartPolicy: "Never" });
export const ended = (name: string) => until(`pod/${name}`, { status: { phase: "Succeeded" } });
export const inBox = [given(pod("box", box())), ready("box")];
export const two = [given(pod("two", box({ name: "one" }), { containers: [box({ name: "one" }), box({ name: "other" })] })), ready("two")];

/** What runc and crun say of a program that an image does not have. */
export const notInPath = (program: string): RegExp => new RegExp(`exec: "${program}": executable file not found in \\$PATH|executable file \`${program}\` not found in \\$PATH`);
