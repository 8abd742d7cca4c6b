export { MicroRemedError, NoAnswer, Refused, TurnOver } from "./errors.ts";
export { type Answer, Problem, type Spent, type Tool } from "./problem.ts";
export { Range, type RangeOptions, type SessionOptions } from "./range.ts";
export { type Row, type Score, scoreOf } from "./rows.ts";
export { type Deadlines, Session, type Solver } from "./session.ts";
