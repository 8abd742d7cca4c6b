/** What a page's commands need around them where they run: servers in place of those that only a reader has. */
export interface Setting {
  /** Runs before the page's first block. `PORT`, `PORT_2` ... are free ports. */
  readonly before?: string;
  /** Runs after its last block, and may fail the test. */
  readonly after?: string;
  /** Texts of the blocks and what they become; each must occur. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Without the installed npm packages, as right after a clone. */
  readonly isBare?: boolean;
}

const awaitPort = (port: string): string =>
  `until node -e "require('net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"; do sleep 0.2; done`;

/** A range of one arena, which other commands find in this directory. */
const aRange = [
  "npx microremed up --arenas 1 > up.log 2>&1 &",
  "until npx microremed clusters list; do sleep 2; done",
];

/** Publishes to the range's NATS what no service can read. */
const aDeadLetter = `node --input-type=module -e "
import { readFileSync } from 'node:fs';
import { connect } from '@nats-io/transport-node';
const { natsUrl, natsPasswords } = JSON.parse(readFileSync('.microremed/stack.json', 'utf8'));
const nats = await connect({ servers: natsUrl, user: 'injector', pass: natsPasswords.injector });
nats.publish('microremed.results.inject', 'no result');
await nats.drain();
"`;

/** By page. A page that is not here runs as it is written. */
export const settings: Readonly<Record<string, Setting>> = {
  "README.md": { isBare: true },
  "docs/first-model.md": {
    before: `npx microremed reference-models --port $PORT &\n${awaitPort("$PORT")}`,
    // An OpenAI-compatible server on this machine, which answers by rules.
    replace: {
      "baseUrl: https://api.openai.com/v1":
        "baseUrl: http://127.0.0.1:PORT_HERE/v1\n    model: reference/runbook",
      "<<'EOF'": "<<EOF",
    },
  },
  "docs/own-agent.md": {
    replace: {
      "npx microremed answer exp-1.0000     ": [
        ...aRange,
        `echo '{ "id": "exp-1", "environment": "simple-micro", "method": "Human", "model": "human", "failures": ["cpu-stress"] }' > human.json`,
        "npx microremed submit -f human.json",
        "until npx microremed answer exp-1.0000; do sleep 2; done",
        "npx microremed answer exp-1.0000     ",
      ].join("\n"),
    },
  },
  "docs/gateway.md": {
    before: [
      "npx microremed up --gateway $PORT --arenas 1 > up.log 2>&1 &",
      "until [ -s .microremed/agent.token ]; do sleep 1; done",
    ].join("\n"),
    replace: { "URL=http://127.0.0.1:7070": "URL=http://127.0.0.1:$PORT" },
  },
  "docs/sessions.md": {
    before: [
      "npx microremed up --gateway $PORT --arenas 2 > up.log 2>&1 &",
      "until [ -s .microremed/agent.token ]; do sleep 1; done",
    ].join("\n"),
    replace: { "MICROREMED_URL=http://127.0.0.1:7070": "MICROREMED_URL=http://127.0.0.1:$PORT" },
  },
  "docs/python.md": {
    before: [
      "npx microremed up --gateway $PORT --arenas 3 > up.log 2>&1 &",
      "until [ -s .microremed/agent.token ]; do sleep 1; done",
    ].join("\n"),
    replace: {
      "MICROREMED_URL=http://127.0.0.1:7070": "MICROREMED_URL=http://127.0.0.1:$PORT",
      "--port 7071": "--port $PORT_2",
      "127.0.0.1:7071": "127.0.0.1:$PORT_2",
    },
  },
  "docs/mcp.md": {
    before: [
      "npx microremed up --gateway $PORT --arenas 2 > up.log 2>&1 &",
      "until [ -s .microremed/agent.token ]; do sleep 1; done",
    ].join("\n"),
    replace: { "MICROREMED_URL=http://127.0.0.1:7070": "MICROREMED_URL=http://127.0.0.1:$PORT" },
  },
  "docs/operations.md": {
    before: [
      ...aRange,
      'microremed() { npx microremed "$@"; }',
      aDeadLetter,
      "until npx microremed deadletters show 1; do sleep 2; done",
    ].join("\n"),
    replace: {
      "clusters release staging": "clusters release embedded-1",
      "show 12": "show 1",
      "retry 12": "retry 1",
      // It cannot be handled again either, and gets the next number.
      "microremed deadletters drop 12": "until microremed deadletters drop 2; do sleep 2; done",
    },
  },
  "docs/embedded-cluster.md": {
    before: [
      "npx microremed cluster --kubeconfig shop.kubeconfig --time-scale 60 &",
      "until [ -s shop.kubeconfig ]; do sleep 0.2; done",
      "export KUBECONFIG=$PWD/shop.kubeconfig",
      "npx microremed manifests online-boutique > shop.yaml",
      "kubectl create namespace online-boutique",
      "kubectl apply -f shop.yaml",
      "kubectl -n online-boutique rollout status deployment/frontend --timeout=300s",
    ].join("\n"),
    replace: { "lookback=1h'": "lookback=1h' | tee traces.json" },
    after: "grep -q data traces.json",
  },
  "docs/observability.md": {
    before: `node -e "require('http').createServer((request, response) => { request.pipe(require('fs').createWriteStream('spans')); request.on('end', () => response.end('{}')); }).listen($PORT, '127.0.0.1')" &`,
    replace: {
      "127.0.0.1:4318": "127.0.0.1:$PORT",
      "microremed demo     ": "microremed demo --failures pod-fail --arenas 2 ",
    },
    after: "test -s spans",
  },
  "docs/first-cluster.md": {
    before: [
      "npx microremed cluster --kubeconfig staging.kubeconfig --time-scale 60 &",
      "until [ -s staging.kubeconfig ]; do sleep 0.2; done",
      // An embedded cluster's time is that of its own clock.
      "server=$(sed -n 's/^ *server: //p' staging.kubeconfig)",
      "cat > clusters.yaml <<EOF",
      "clusters:",
      "  - { name: staging, kubeconfig: ./staging.kubeconfig, arenas: 1, clock: $server/microremed/clock }",
      "EOF",
    ].join("\n"),
    after: "npx microremed watch $(cat id) && npx microremed report $(cat id)",
    replace: {
      "127.0.0.1:4222": "127.0.0.1:$PORT",
      "127.0.0.1:6379": "127.0.0.1:$PORT_2",
      "127.0.0.1:8090": "127.0.0.1:$PORT_3",
      "--port 8090": "--port $PORT_3",
      "nats-server --jetstream": "nats-server --addr 127.0.0.1 --port $PORT --jetstream",
      "redis-server --appendonly yes": "redis-server --bind 127.0.0.1 --port $PORT_2 --appendonly yes",
      "submit -f docs/examples/request.yaml": "submit -f docs/examples/request.yaml > id",
    },
  },
};
