import { expect, test } from "vitest";
import { ansibleTasks } from "./ansible-tasks.ts";

test("reads every task's result, with loops, failures and handlers", () => {
  const output = `
PLAY [Repair] ******************************************************************

TASK [Restart it] **************************************************************
changed: [cluster]

TASK [Each] ********************************************************************
ok: [cluster] => (item=a)
failed: [cluster] (item=b) => {"msg": "no"}

TASK [Reach] *******************************************************************
fatal: [cluster]: UNREACHABLE! => {"changed": false}

TASK [Wait] ********************************************************************
fatal: [cluster]: FAILED! => {"changed": true, "msg": "timed out"}

RUNNING HANDLER [Tell] *********************************************************
skipping: [cluster]

PLAY RECAP *********************************************************************
cluster : ok=1 changed=1 unreachable=1 failed=1`;
  expect(ansibleTasks(output).map(({ task, status }) => `${task}: ${status}`)).toEqual([
    "Restart it: changed",
    "Each: ok",
    "Each: failed",
    "Reach: unreachable",
    "Wait: failed",
    "Tell: skipping",
  ]);
});

test("finds nothing in what is no output of ansible-playbook", () => {
  expect(ansibleTasks("ERROR! no such file\nok: fine")).toEqual([]);
});
