import { defineOracle, judged, symptomOf } from "@microremed/catalogue";

/** A headless Service resolves to its pods, which listen on their own port. */
function addressesOf(name, { environment, namespace }) {
  const { headless, ports } = environment.services[name];
  return ports.map(({ port, targetPort }) => `${name}.${namespace} ${headless ? targetPort : port}`);
}

/** The addresses of the target's Services that accept no connection, and how many were tried. */
async function closedPorts({ context, state, runOutside }) {
  const ports = state.services.flatMap(({ name }) => addressesOf(name, context));
  const script = ports.map((address) => `nc -z -w 3 ${address} </dev/null || echo closed ${address}`);
  const { stdout } = await runOutside(`${script.join("; ")}; true`, 60_000);
  const closed = ports.filter((address) => stdout.includes(`closed ${address}`));
  const measurement = { name: "Services that answer", value: ports.length - closed.length, unit: "ports" };
  return {
    problems: closed.map((address) => `${address} accepts no connection`),
    measurements: [{ ...measurement, threshold: ports.length, at: state.at }],
  };
}

export default defineOracle({
  name: "answers-by-name",
  description: "the Services over the target accept connections by their names",
  cost: 52,
  async measure(round) {
    const { problems, measurements } = await closedPorts(round);
    return judged("answers-by-name", problems, "every Service answers", measurements);
  },
  async symptom(round) {
    const { problems, measurements } = await closedPorts(round);
    return symptomOf("answers-by-name", problems, "every Service answers", measurements);
  },
});
