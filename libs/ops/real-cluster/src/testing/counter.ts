/** How the program answers: as users expect, with status 500, or with 200 and nothing. */
export type Answers = "usual" | "errors" | "empty";

const answersOf = {
  usual: { status: 200, text: "done\n" },
  errors: { status: 500, text: "broken\n" },
  empty: { status: 200, text: "" },
} as const;

const mark = "counted ";

/** Logs each request but its probe's. */
const program = (answers: Answers): string => `
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Counter(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        isProbe = self.path == "/ready"
        if not isProbe:
            print("${mark}" + f"{self.command} {self.path} {body}".strip(), flush=True)
        text = b"ready" if isProbe else b${JSON.stringify(answersOf[answers].text)}
        self.send_response(200 if isProbe else ${answersOf[answers].status})
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass

class Server(ThreadingHTTPServer):
    request_queue_size = 128

Server(("", 8080), Counter).serve_forever()
`;

/** The files of an environment of one program that counts requests, by path. The Service and the Deployment have its name. */
export function counterFiles(name: string, answers: Answers): Readonly<Record<string, string>> {
  const labels = { app: name };
  const container = {
    name,
    image: "python:3.9-slim",
    command: ["python", "-u", "-c", program(answers)],
    ports: [{ containerPort: 8080 }],
    readinessProbe: { httpGet: { path: "/ready", port: 8080 }, periodSeconds: 1, timeoutSeconds: 30 },
  };
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { selector: labels, ports: [{ port: 8080 }] },
  };
  const paths = ["/list", "/item", "/order"];
  // Only an embedded cluster reads these figures.
  const figures = { startupCpuSeconds: 0.3, idleCpuMillicores: 1, memoryMi: 14 };
  const behaviour = { runtime: "python", ...figures, listens: [8080], paths };
  const model = {
    name,
    description: "a program that counts requests",
    source: "made for a test",
    targets: [name],
    workloads: { [name]: { containers: { [name]: behaviour } } },
  };
  const workload = {
    entry: `${name}:8080`,
    requestsPerSecond: 10,
    requests: [
      { path: "/list?page=2", share: 6 },
      { path: "/item", share: 3 },
      { method: "POST", path: "/order", body: "item=7&count=1", share: 1 },
    ],
  };
  return {
    "manifests/deployment.json": JSON.stringify(deployment),
    "manifests/service.json": JSON.stringify(service),
    "model.yaml": JSON.stringify(model),
    "workload.yaml": JSON.stringify(workload),
  };
}

/** How often each request is in the program's log: method, path with its query, and body. */
export function countedRequests(log: string): Readonly<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const line of log.split("\n")) {
    if (!line.startsWith(mark)) continue;
    const request = line.slice(mark.length);
    counted[request] = (counted[request] ?? 0) + 1;
  }
  return counted;
}
