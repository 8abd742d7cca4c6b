"""A range on which agents that operate microservice systems are tried, from Python: problems, sessions, results.

    from microremed import Range

    with Range().session("my-agent@1", suite="easy@1", parallel=3) as suite:
        suite.run(MyAgent, parallel=3)
    print(suite.score())

`Range` asks a gateway of MicroRemed over HTTP. The package uses Python's standard library only.
"""

from .agent import Agent, Solver, solve_by_actions
from .errors import MicroRemedError, NoAnswer, Refused, TurnOver
from .problem import Answer, Problem, Tool
from .range import Range
from .rows import Row, Score, score
from .session import Session

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Answer",
    "MicroRemedError",
    "NoAnswer",
    "Problem",
    "Range",
    "Refused",
    "Row",
    "Score",
    "Session",
    "Solver",
    "Tool",
    "TurnOver",
    "score",
    "solve_by_actions",
]
