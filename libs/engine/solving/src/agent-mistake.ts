/** What an agent's code did wrong. It ends the attempt as the agent's own failure, if the code doesn't catch it. */
export class AgentMistake extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AgentMistake";
  }
}
