import { defaultTask, isPassed, isScored, type RangeEvent, taskOf } from "@microremed/contracts";
import { incidentText, outcomeText } from "@microremed/scoring";
import type { Terminal } from "./terminal.ts";

export interface Progress {
  /** Shows one event. */
  show(event: RangeEvent): void;
  /** Wall-clock tick: keeps the status line moving and says something every ten seconds without a terminal. */
  tick(now: number): void;
}

const quietMs = 10_000;

/** The problem, or else what was injected; and what was asked about it, unless it is a repair of a failure. */
function subjectOf(event: Extract<RangeEvent, { type: "episode-finished" }>): string {
  const task = taskOf(event);
  if (event.problem) return `${event.problem.id} ${task}`;
  return `${incidentText(event)}${task === defaultTask ? "" : ` ${task}`}`;
}

/** Turns the event streams of one or several experiments into lines and a status line for a person. */
export function createProgress(terminal: Terminal, startedAt: number): Progress {
  const total = new Map<string, number>();
  const running = new Map<string, string>();
  let finished = 0;
  let lastSaid = startedAt;

  const summary = (now: number): string => {
    const planned = [...total.values()].reduce((sum, count) => sum + count, 0);
    const states = new Map<string, number>();
    for (const state of running.values()) states.set(state, (states.get(state) ?? 0) + 1);
    const busy = [...states].map(([state, count]) => `${count} ${state}`).join(", ");
    return `[${finished}/${planned}] ${Math.round((now - startedAt) / 1000)} s${busy ? `: ${busy}` : ""}`;
  };

  const finish = (event: Extract<RangeEvent, { type: "episode-finished" }>) => {
    finished += 1;
    running.delete(event.episodeId);
    const colour = isPassed(event.outcome) ? "green" : isScored(event.outcome) ? "yellow" : "red";
    terminal.say(
      [
        `${event.experimentId} #${String(event.index).padEnd(3)}`,
        `${event.model}, ${event.method}`.padEnd(32),
        subjectOf(event).padEnd(39),
        terminal.paint(colour, outcomeText({ ...event, task: taskOf(event) }).padEnd(16)),
        `${event.seconds.toFixed(1)} s wall`.padStart(13),
        terminal.paint("dim", ` ${event.reason}`),
      ].join(" "),
    );
  };

  return {
    show: (event) => {
      if (event.type === "experiment-started") total.set(event.experimentId, event.episodes);
      if (event.type === "episode-advanced" && event.state !== "done")
        running.set(event.episodeId, event.state);
      if (event.type === "episode-advanced" && event.state === "done") running.delete(event.episodeId);
      if (event.type === "episode-finished") finish(event);
      if (event.type === "experiment-waits")
        terminal.say(`${event.experimentId} ${terminal.paint("yellow", "waits")}: ${event.reason}`);
    },
    tick: (now) => {
      if (terminal.interactive) terminal.status(summary(now));
      else if (now - lastSaid >= quietMs) {
        lastSaid = now;
        terminal.say(summary(now));
      }
    },
  };
}
