import { Document, isMap, Pair, Scalar, type YAMLMap } from "yaml";
import type { InferredCall } from "./infer/calls.ts";
import type { InferredJob } from "./infer/jobs.ts";
import type { Program } from "./infer/programs.ts";
import type { InferredModel, InferredWorkload } from "./make-model.ts";
import type { Marked } from "./marked.ts";

/** Names and words for the head of a model. */
export interface Head {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly namespace: string;
}

const options = { lineWidth: 110, flowCollectionPadding: false } as const;

/** `model.yaml`, with how well each part is known in a comment beside it. */
export function modelText(head: Head, model: InferredModel): string {
  const document = new Document({});
  document.commentBefore =
    " Imported. A comment says how well a value is known: sure, likely or guess, and from what. Correct what is wrong and\n delete the comment; docs/own-system.md explains the keys.";
  document.set("name", head.name);
  document.set("description", head.description);
  document.set("source", head.source);
  if (head.namespace !== head.name) document.set("namespace", head.namespace);
  document.set("targets", document.createNode(model.targets, { flow: true }));
  const workloads = document.createNode({}) as YAMLMap;
  model.workloads.forEach((one, index) => {
    const pair = workloadNode(document, one);
    pair.key.spaceBefore = index > 0;
    workloads.add(pair);
  });
  document.set("workloads", workloads);
  if (model.jobs.length > 0) {
    const jobs = document.createNode({}) as YAMLMap;
    for (const one of model.jobs) jobs.add(workloadNode(document, one));
    document.set("jobs", jobs);
  }
  return document.toString(options);
}

function workloadNode(
  document: Document,
  { name, programs, calls, dataMount, keepsData }: InferredJob & Partial<InferredWorkload>,
): Pair<Scalar> {
  const node = document.createNode({}) as YAMLMap;
  if (keepsData) node.add(marked(document, "keepsData", keepsData));
  if (dataMount) node.add(marked(document, "dataMount", dataMount));
  const containers = document.createNode({}) as YAMLMap;
  for (const [container, program] of programs) containers.add(programNode(document, container, program));
  node.add(new Pair(new Scalar("containers"), containers));
  if (calls.length > 0) {
    const list = document.createNode(calls.map(({ call }) => withoutDefaults(call)));
    if ("items" in list)
      list.items.forEach((item, index) => {
        const { confidence, why } = calls[index] as InferredCall;
        if (!isMap(item)) return;
        item.flow = true;
        item.comment = ` ${confidence}: ${why}`;
      });
    node.add(new Pair(new Scalar("calls"), list));
  }
  return new Pair(new Scalar(name), node);
}

function withoutDefaults({ required, ...call }: InferredCall["call"]): object {
  return required ? call : { ...call, required };
}

function programNode(document: Document, container: string, program: Program): Pair {
  const node = document.createNode({}) as YAMLMap;
  for (const [key, value] of Object.entries(program) as [string, Marked<unknown>][])
    node.add(marked(document, key, value));
  return new Pair(new Scalar(container), node);
}

function marked(document: Document, key: string, { value, confidence, why }: Marked<unknown>): Pair {
  const node = document.createNode(value, { flow: true });
  node.comment = ` ${confidence}: ${why}`;
  return new Pair(new Scalar(key), node);
}

/** `workload.yaml`; without an entry the place is left to fill in. */
export function workloadText({ entry, requestsPerSecond }: InferredModel): string {
  const document = new Document({});
  document.commentBefore = " What users send. docs/own-system.md explains the keys.";
  const map = document.contents as unknown as YAMLMap;
  if (entry) map.add(marked(document, "entry", entry.address));
  else
    document.comment =
      " entry: <service>:<port>   the Service that receives the requests: nothing in the manifests shows which";
  map.add(marked(document, "requestsPerSecond", requestsPerSecond));
  if (entry?.from) map.add(marked(document, "from", entry.from));
  return document.toString(options);
}
