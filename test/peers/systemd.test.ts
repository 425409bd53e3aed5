import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const UNIT = new URL("../../systemd/hemgate.service", import.meta.url).pathname;
/** In tenths, as `--threshold` takes it: 15 is a score of 1.5. */
const MAX_SCORE_TENTHS = 15;

function analyze(...options: readonly string[]) {
  return spawnSync("systemd-analyze", [...options, UNIT], { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
}

function directives(): ReadonlyMap<string, readonly string[]> {
  const lines = readFileSync(UNIT, "utf8").split("\n");
  const pairs = lines.map((line) => /^(\w+)=(.*)$/.exec(line)).filter((match) => match !== null);
  return new Map(
    [...Map.groupBy(pairs, (match) => match[1]!)].map(([key, all]) => [key, all.map((match) => match[2]!)]),
  );
}

test("systemd-analyze scores the unit 1.5 or lower", () => {
  const { status, stdout } = analyze("security", "--offline=true", "--no-pager", `--threshold=${MAX_SCORE_TENTHS}`);
  expect(stdout).toMatch(/Overall exposure level for hemgate\.service: \d+\.\d/);
  expect(status).toBe(0);
});

test("the score is one that a unit can fail", () => {
  expect(analyze("security", "--offline=true", "--no-pager", "--threshold=1").status).not.toBe(0);
});

test("systemd-analyze finds nothing to complain of but keys that it is too old for", () => {
  const { stderr } = analyze("verify");
  const complaints = stderr
    .split("\n")
    .filter((line) => line !== "" && !/Unknown key '(RestartSteps|RestartMaxDelaySec)'/.test(line))
    // The package is not installed where the unit expects it on a machine that only tests it.
    .filter((line) => !/Command \/opt\/hemgate\/.* is not executable/.test(line));
  expect(complaints).toEqual([]);
});

test("the unit is restarted for ever and watched", () => {
  const unit = directives();
  expect(unit.get("StartLimitIntervalSec")).toEqual(["0"]);
  expect(unit.get("Restart")).toEqual(["always"]);
  expect(unit.get("Type")).toEqual(["notify"]);
  expect(unit.get("NotifyAccess")).toEqual(["all"]);
  expect(Number(unit.get("WatchdogSec")?.[0])).toBeGreaterThan(0);
});

test("a key that is missing is for the gateway to tell, not the end of the start", () => {
  const unit = directives();
  expect(unit.get("LoadCredential")).toEqual(["hemgate-key:/etc/hemgate/hemgate.key"]);
  expect(unit.get("SetCredential")).toEqual(["hemgate-key:#"]);
});

test("what Node needs to start is not taken from it by the systemd unit", () => {
  const unit = directives();
  expect(unit.get("SystemCallFilter")?.[0]).toContain("@pkey");
  expect(unit.has("MemoryDenyWriteExecute")).toBe(false);
  expect(unit.get("RestrictAddressFamilies")?.[0]?.split(" ")).toEqual(
    expect.arrayContaining(["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"]),
  );
});
