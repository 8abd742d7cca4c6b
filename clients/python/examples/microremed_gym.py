"""The module by whose name verifiers finds the gym: `eval microremed-gym`. Put this folder on PYTHONPATH."""

from microremed.gym.verifiers import GymEnv, GymTaskset

__all__ = ["GymEnv", "GymTaskset"]
