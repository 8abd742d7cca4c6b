"""An agent as a graph of LangGraph: `pip install langgraph langchain-openai`.

The model is that of OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL; the range that of MICROREMED_URL and
MICROREMED_TOKEN; the first argument is the suite."""

import os
import sys

from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph

from microremed import Problem, Range

model = ChatOpenAI(model=os.environ.get("OPENAI_MODEL", "gpt-4.1"), timeout=300)


def graph_of(problem: Problem):
    """The model and the tools of a problem's turn, in turns."""
    with_tools = model.bind_tools(problem.openai_tools())

    def think(state: MessagesState) -> dict:
        message = with_tools.invoke(state["messages"])
        used = message.usage_metadata or {}
        problem.spend(prompt_tokens=used.get("input_tokens"), completion_tokens=used.get("output_tokens"))
        return {"messages": [message]}

    def act(state: MessagesState) -> dict:
        calls = state["messages"][-1].tool_calls
        answers = [(call["id"], problem.call_as_said(call["name"], call["args"])) for call in calls]
        return {"messages": [ToolMessage(answer.text, tool_call_id=id) for id, answer in answers]}

    graph = StateGraph(MessagesState).add_node(think).add_node(act).add_edge(START, "think")
    graph.add_conditional_edges("think", lambda state: "act" if state["messages"][-1].tool_calls else END)
    graph.add_conditional_edges("act", lambda _: END if problem.ended else "think")
    return graph.compile()


class GraphAgent:
    def __init__(self) -> None:
        self.messages: list[AnyMessage] = [SystemMessage("You operate a system on Kubernetes. End with submit.")]

    def solve(self, problem: Problem) -> None:
        self.messages.append(HumanMessage(problem.words))
        state = graph_of(problem).invoke({"messages": self.messages}, {"recursion_limit": 100})
        self.messages = state["messages"]


with Range().session("langgraph@1", suite=sys.argv[1], parallel=3) as suite:
    suite.run(GraphAgent, parallel=3, on_row=lambda row: print(row["problem"], row["outcome"], row["calls"]))
print(suite.score())
