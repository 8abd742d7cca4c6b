import { type KubeObject, notFound } from "@microremed/sim-objects";
import type { ApiContext, ReadCall } from "../context/context.ts";
import type { Reply } from "../http/respond.ts";
import { selected, tableOptions } from "./read.ts";
import { acceptedForm, render, renderList } from "./representation.ts";

function measured(context: ApiContext, call: ReadCall): KubeObject[] {
  const apiVersion = "metrics.k8s.io/v1beta1";
  const meta = (labels: Readonly<Record<string, string>> | undefined, timestamp: string) => ({
    creationTimestamp: timestamp,
    uid: "",
    resourceVersion: "",
    ...(labels && { labels }),
  });
  if (call.type.resource === "nodes") {
    return context.metrics.nodes().map(({ name, labels, ...rest }) => ({
      kind: "NodeMetrics",
      apiVersion,
      metadata: { name, ...meta(labels, rest.timestamp) },
      ...rest,
    }));
  }
  return context.metrics.pods(call.target.namespace).map(({ name, namespace, labels, ...rest }) => ({
    kind: "PodMetrics",
    apiVersion,
    metadata: { name, namespace, ...meta(labels, rest.timestamp) },
    ...rest,
  }));
}

export function readMetrics(context: ApiContext, call: ReadCall): Reply {
  const found = measured(context, call).filter(selected(call));
  const form = acceptedForm(call.request.headers.accept);
  const options = tableOptions(context, call);
  const { name } = call.target;
  if (name === undefined) return { status: 200, body: renderList(call.type, found, {}, form, options) };
  const [object] = found;
  if (!object) {
    throw notFound(call.type, call.target.namespace ? `${call.target.namespace}/${name}` : name);
  }
  return { status: 200, body: render(call.type, object, form, options) };
}
