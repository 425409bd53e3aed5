import { expect, test } from "vitest";
import { sandboxFolder, stateFolder } from "../../src/cli/state-folder.ts";

const PLACE = { home: "/home/a", workingFolder: "/here" };

test.each([
  ["the option", "/s", { STATE_DIRECTORY: "/var/lib/hemgate", HEMGATE_STATE: "/h" }, "/s"],
  ["an option from the working folder", "s", {}, "/here/s"],
  ["systemd's folder", undefined, { STATE_DIRECTORY: "/var/lib/hemgate", HEMGATE_STATE: "/h" }, "/var/lib/hemgate"],
  ["the first of systemd's folders", undefined, { STATE_DIRECTORY: "/a:/b" }, "/a"],
  ["HEMGATE_STATE", undefined, { HEMGATE_STATE: "/h" }, "/h"],
  ["the user's state folder", undefined, { XDG_STATE_HOME: "/x" }, "/x/hemgate"],
  ["the folder below home", undefined, {}, "/home/a/.local/state/hemgate"],
])("state lies in %s", (_name, option, environment, folder) => {
  expect(stateFolder(option, { ...PLACE, environment })).toBe(folder);
});

test("the sandbox keeps apart from a real house, whatever the environment says", () => {
  expect(sandboxFolder(undefined, { ...PLACE, environment: { HEMGATE_STATE: "/h" } })).toBe("/here/state/sandbox");
  expect(sandboxFolder("/t", { ...PLACE, environment: {} })).toBe("/t");
});
