import type { Bus } from "@microremed/bus";
import { addUsage, subjects, TurnMove, type Usage } from "@microremed/contracts";
import { createSeat, type Seat, type SeatOptions } from "./create-seat.ts";

/** Opens a seat to the gateways, on the subject of its episode, while `turn` lasts. What it cost is all that the agent has said of it. */
export async function serveSeat<T extends Parameters<Seat["end"]>[0] & { readonly usage: Usage }>(
  bus: Pick<Bus, "serve">,
  options: SeatOptions,
  turn: (seat: Pick<Seat, "chat">) => Promise<T>,
): Promise<T> {
  const seat = createSeat(options);
  const subject = subjects.turn(options.command.episodeId);
  await using _served = await bus.serve(subject, "remediator", TurnMove, (move) => seat.move(move));
  try {
    const solution = await turn(seat);
    // In a turn that goes on, those who wait send their calls again.
    const { usage, goesOn } = solution;
    const whole = goesOn ? solution : { ...solution, usage: addUsage(usage, seat.unanswered()) };
    seat.end(solution);
    return whole;
  } finally {
    seat.leave();
  }
}
