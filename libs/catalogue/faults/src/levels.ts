/** Short words, so that a sequence can be read. */
const failureOf: Readonly<Record<string, string>> = {
  cpu: "cpu-stress",
  memory: "memory-stress",
  loss: "network-loss",
  delay: "network-delay",
  disk: "disk-io",
  pod: "pod-fail",
  config: "pod-config-error",
  none: "none",
};

function sequence(words: string): readonly string[] {
  return words
    .trim()
    .split(/\s+/)
    .map((word) => failureOf[word] ?? word);
}

/** MicroRemed's sequence for one failure is the failure fifteen times. */
const casesPerFailure = 15;

/** MicroRemed's sequences in its order: three levels and one sequence per failure. Level or failure -> failures. */
export const levels: Readonly<Record<string, readonly string[]>> = {
  easy: sequence(`
    cpu loss delay cpu memory delay loss cpu delay memory cpu loss memory delay cpu loss memory
    delay cpu loss delay loss memory
  `),
  medium: sequence(`
    memory delay disk cpu memory pod delay cpu loss memory cpu memory loss memory loss cpu memory
    pod loss cpu disk memory pod disk memory cpu loss disk memory pod cpu delay cpu memory loss
    disk delay loss cpu delay pod disk cpu memory disk cpu disk memory cpu
  `),
  hard: sequence(`
    delay disk loss config pod delay disk config pod memory delay disk cpu loss config pod memory
    delay disk loss config pod disk loss config pod memory delay disk cpu loss config pod disk cpu
    loss config pod disk cpu loss config pod memory delay disk cpu loss config pod memory delay
    disk cpu loss config pod memory delay disk cpu loss config pod memory delay disk cpu loss
    config pod delay disk config pod memory delay disk config pod
  `),
  ...Object.fromEntries(
    Object.values(failureOf).map((failure) => [failure, Array<string>(casesPerFailure).fill(failure)]),
  ),
};
