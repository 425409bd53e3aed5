import { describe, expect, test } from "vitest";
import { missingIn, runUpdate } from "../../../src/cli/update/update-steps.ts";
import { type Flaw, NEW, OLD, PowerCut, preparedRecord, SimulatedBox } from "./simulated-box.ts";

const FLAWS: readonly Flaw[] = [
  "does not start",
  "does not listen",
  "device is silent",
  "reports a failure",
  "ends again and again",
  "is ready too late",
  "is not installed",
];

/** Runs the update to its end, with power cuts after these numbers of steps. Returns false if one came too late to be noticed. */
async function withCuts(box: SimulatedBox, cuts: readonly number[]): Promise<boolean> {
  for (const cut of cuts) {
    box.stepsLeft = cut;
    const end = await runUpdate(box).catch((error: unknown) => error);
    if (!(end instanceof PowerCut)) return false;
    box.boot();
  }
  await runUpdate(box);
  return true;
}

/** Exactly one version runs, whole, with its own state. */
function expectOneVersion(box: SimulatedBox, allowed: readonly string[]): void {
  expect(box.problems).toEqual([]);
  expect(allowed).toContain(box.running?.version);
  expect(box.program).toEqual({ version: box.running?.version, isWhole: true });
  expect({ isOff: box.isOff, record: box.record }).toEqual({ isOff: false, record: null });
  expect(box.last?.step).toBe(box.running?.version === NEW ? "kept" : "rolled-back");
  expect(box.state[0]).toBe(`written by ${OLD}`);
  expect(box.state.at(-1)).toBe(`written by ${box.running?.version}`);
  expect(box.state.some((entry) => entry.includes(NEW))).toBe(box.running?.version === NEW);
  expect(box.reports.at(-1)).toEqual(box.last);
}

test("a new version that becomes ready is kept, with the state that it goes on with", async () => {
  const box = new SimulatedBox("none");
  const ended = await runUpdate(box);
  expectOneVersion(box, [NEW]);
  expect(ended).toMatchObject({ step: "kept", reason: null, starts: 1 });
});

test.each([
  ["does not start", "the gateway does not answer"],
  ["does not listen", "the API does not listen"],
  ["device is silent", "device battery does not answer, and did before"],
  ["reports a failure", "the database is not writable"],
  ["ends again and again", "its process ended 5 times"],
  ["is ready too late", "it was not ready for long enough"],
  ["is not installed", "dpkg: it depends on libc6 (>= 99)"],
] as const)("a new version that %s is rolled back, and the reason is recorded", async (flaw, reason) => {
  const box = new SimulatedBox(flaw);
  const ended = await runUpdate(box);
  expectOneVersion(box, [OLD]);
  expect(ended).toMatchObject({ step: "rolled-back", reason });
});

describe("a power cut before and after each step", () => {
  test.each<Flaw>(["none", ...FLAWS])(
    "leaves one whole version with its own state if the new one: %s",
    async (flaw) => {
      const allowed = flaw === "none" ? [NEW, OLD] : [OLD];
      let cut = 0;
      for (; ; cut++) {
        const box = new SimulatedBox(flaw);
        if (!(await withCuts(box, [cut]))) break;
        expectOneVersion(box, allowed);
      }
      expect(cut).toBeGreaterThan(15);
    },
  );

  test.each<Flaw>(["none", "does not start"])("and again during the start that goes on, if it: %s", async (flaw) => {
    const allowed = flaw === "none" ? [NEW, OLD] : [OLD];
    const whole = new SimulatedBox(flaw);
    await runUpdate(whole);
    for (let first = 0; first < whole.steps; first++) {
      for (let second = 0; ; second++) {
        const box = new SimulatedBox(flaw);
        if (!(await withCuts(box, [first, second]))) break;
        expectOneVersion(box, allowed);
      }
    }
  });
});

test("a version that never gets through its window because the box is started again is given up at the third time", async () => {
  const box = new SimulatedBox("none");
  // Right in the window: long after the start of the new version, before it is kept.
  const cuts = [16, 5, 5];
  expect(await withCuts(box, cuts)).toBe(true);
  expectOneVersion(box, [OLD]);
  expect(box.last?.reason).toBe("the box was started 3 times before it was ready");
});

test("a shutdown in order during an installation is no verdict: the update goes on at the next start", async () => {
  const box = new SimulatedBox("is not installed");
  const install = box.install.bind(box);
  box.install = async (which) => {
    box.shutDown();
    await install(which);
  };
  await expect(runUpdate(box)).rejects.toThrow("stopped by SIGTERM");
  expect(box.record?.step).toBe("copied");
});

test("if the previous version cannot be brought back now, the update goes on later", async () => {
  const box = new SimulatedBox("does not start");
  const install = box.install.bind(box);
  box.install = async (which) => {
    if (which === "previous") throw new Error("dpkg: another process has its lock");
    await install(which);
  };
  await expect(runUpdate(box)).rejects.toThrow("another process has its lock");
  expect(box.record).toMatchObject({ step: "reverting", reason: "the gateway does not answer" });
  box.install = install;
  await runUpdate(box);
  expectOneVersion(box, [OLD]);
});

test("the old version is not taken for the new one", () => {
  const seen = { version: OLD, isListening: true, failures: [], answering: ["meter", "battery"], process: 1 };
  expect(missingIn(seen, preparedRecord())).toEqual([`version ${OLD} runs in place of ${NEW}`]);
});
