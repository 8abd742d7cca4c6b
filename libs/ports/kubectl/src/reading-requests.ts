import type { ApiRequest } from "@microremed/sandbox";
import { checkInContainer, noInput } from "./check-probe.ts";

const execOfPod = /^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+\/exec$/;
/** All that a stream to a container may be asked with. */
const execParameters = new Set(["command", "container", "stdin", "stdout", "stderr", "tty"]);
/** A program takes commands from its input that no list of its options shows: `top` on a terminal kills processes. */
const inputs = ["stdin", "tty"];

/** What `kubectl auth` asks: nothing is kept of it. */
const questions =
  /^\/apis\/(authorization\.k8s\.io\/v1\/selfsubject(access|rules)reviews|authentication\.k8s\.io\/(v1|v1beta1|v1alpha1)\/selfsubjectreviews)$/;

/** Parts of an object that lead to what runs in the cluster: a GET of them may do anything. */
const leadsOn =
  /^\/api\/v1\/(namespaces\/[^/]+\/)?(pods|services|nodes)\/[^/]+\/(proxy|exec|attach|portforward|run)(\/|$)/;

/** Why one request of a command that may only read is not sent to the API server, for its author; undefined: it reads. */
export async function reviewReading({
  method,
  path,
  query,
  upgrades,
}: ApiRequest): Promise<string | undefined> {
  if (upgrades) return execOfPod.test(path) ? reviewExec(method, query) : refusal("a stream to", path);
  if (method === "POST" && questions.test(path)) return undefined;
  if (method !== "GET" && method !== "HEAD") return refusal(method, path);
  return leadsOn.test(path) ? refusal(method, path) : undefined;
}

const refusal = (what: string, path: string): string =>
  `Probes only read: ${what} ${path} is not allowed. This was checked at the API server.`;

async function reviewExec(method: string, query: URLSearchParams): Promise<string | undefined> {
  // WebSockets are opened with GET, SPDY with POST.
  if (method !== "GET" && method !== "POST") return refusal(method, "a pod's exec");
  const unknown = [...query.keys()].find((name) => !execParameters.has(name));
  if (unknown !== undefined) return refusal("the parameter", unknown);
  const isOpen = inputs.some((name) => query.getAll(name).some((value) => value !== "false"));
  if (isOpen) return noInput;
  return checkInContainer(query.getAll("command"));
}
