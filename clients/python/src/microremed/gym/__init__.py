"""A gym of MicroRemed (`npx microremed gym serve`) from Python: episodes for programs that train models.

    from microremed.gym import Gym

    with Gym().reset(fault="pod-fail", seed=1) as episode:
        print(episode.text)
        episode.call("exec_shell", command="kubectl delete podchaos --all")
        print(episode.call("submit").reward)

This needs Python's standard library only. The modules `gymnasium`, `trl`, `verifiers`, `verl` and `skyrl` beside it
fit it to the packages of these names, each of which must be installed for its module alone.
"""

from .client import Episode, Gym, Result
from .curriculum import Case, Curriculum
from .groups import Group, Groups
from .text_env import TextEnv
from .words import opening

__all__ = ["Case", "Curriculum", "Episode", "Group", "Groups", "Gym", "Result", "TextEnv", "opening"]
