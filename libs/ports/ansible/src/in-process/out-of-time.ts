/** The run's time of the cluster is up: the playbook ends here, whatever it still has to do. */
export class OutOfTime extends Error {}
