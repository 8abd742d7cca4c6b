import type { Bus } from "@microremed/bus";
import { subjects, TurnMove } from "@microremed/contracts";
import { createSeat, type Seat, type SeatOptions } from "./create-seat.ts";

/** Opens a seat to the gateways, on the subject of its episode, while `turn` lasts. */
export async function serveSeat<T extends Parameters<Seat["end"]>[0]>(
  bus: Pick<Bus, "serve">,
  options: SeatOptions,
  turn: (seat: Pick<Seat, "chat">) => Promise<T>,
): Promise<T> {
  const seat = createSeat(options);
  const subject = subjects.turn(options.command.episodeId);
  await using _served = await bus.serve(subject, "remediator", TurnMove, (move) => seat.move(move));
  try {
    const solution = await turn(seat);
    seat.end(solution);
    return solution;
  } finally {
    seat.leave();
  }
}
