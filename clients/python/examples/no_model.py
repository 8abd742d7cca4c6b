"""An agent without a model on all of easy@1, three problems at once.

MICROREMED_URL and MICROREMED_TOKEN say where the gateway is. The range's own numbers need a researcher's token."""

from microremed import Problem, Range, Refused


class RemovesChaos:
    """Deletes what injects faults, which in easy@1 can be seen."""

    def solve(self, problem: Problem) -> None:
        problem.call("exec_shell", command="kubectl delete stresschaos,networkchaos,podchaos --all")
        problem.submit()


the_range = Range()
with the_range.session("removes-chaos@1", suite="easy@1", parallel=3) as suite:
    suite.run(RemovesChaos, parallel=3, on_row=lambda row: print(row["problem"], row["outcome"]))
print(suite.score())
print(suite.rows()[0])

try:
    measured = the_range.rows(suite.experiment)
    print(f"the range: {measured[0]['failure']} was recovered in {measured[0]['recoverySeconds']} s of the cluster")
except Refused as refused:
    print(refused)
