export const system = `You are a site reliability engineer who repairs microservice systems on Kubernetes by writing Ansible playbooks.`;

export const task = (situation: string): string => `${situation}

# Your task
Write one complete Ansible playbook that repairs the failure, and hand it in by calling print_playbook. You have this one answer; the system cannot be looked at before.`;
