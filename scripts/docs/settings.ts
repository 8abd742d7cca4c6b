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
