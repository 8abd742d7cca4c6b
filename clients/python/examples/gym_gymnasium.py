"""A fixed answer, played in the gym (MICROREMED_GYM_URL) by Gymnasium's interface, after its own check."""

from gymnasium.utils.env_checker import check_env

from microremed.gym import Gym
from microremed.gym.gymnasium import MicroRemedEnv

REPAIR = '<tool_call>{"name": "exec_shell", "arguments": {"command": "kubectl delete podchaos --all"}}</tool_call>'
SUBMIT = '<tool_call>{"name": "submit", "arguments": {}}</tool_call>'

env = MicroRemedEnv(Gym(), {"fault": "pod-fail"})
check_env(env, skip_render_check=True)
for answers in ([REPAIR, SUBMIT], [SUBMIT]):
    observation, info = env.reset(seed=1)
    for answer in answers:
        observation, reward, terminated, truncated, info = env.step(answer)
    print(f"{len(answers)} answers: reward {reward:.2f}, terminated {terminated}, {info['reward_parts']}")
env.close()
