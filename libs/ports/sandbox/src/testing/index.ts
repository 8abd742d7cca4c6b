export { type FakeRunnerHost, fakeRunnerHost } from "./fake-runner-host.ts";
export { type LocalRunnerHost, localRunnerHost } from "./local-runner-host.ts";
export { runnerSettings } from "./runner-settings.ts";
export { sandboxesHere } from "./sandboxes-here.ts";
