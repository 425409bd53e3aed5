import { expect, test } from "vitest";
import { SETUP_STEPS, type SetupFacts, setupSteps } from "../../../src/domain/setup/setup-steps.ts";

const EMPTY: SetupFacts = {
  hasImportLimit: false,
  devices: { all: 0, answering: 0 },
  openFindings: 0,
  hasMeter: false,
  isMeterProved: false,
  inverters: { all: 0, seen: 0 },
  batteries: { all: 0, seen: 0 },
  tests: { all: 0, passed: 0, failed: 0 },
  hasPrices: false,
  people: 1,
  isHandedOver: false,
};
const WHOLE: SetupFacts = {
  hasImportLimit: true,
  devices: { all: 4, answering: 4 },
  openFindings: 0,
  hasMeter: true,
  isMeterProved: true,
  inverters: { all: 1, seen: 1 },
  batteries: { all: 1, seen: 1 },
  tests: { all: 2, passed: 2, failed: 0 },
  hasPrices: true,
  people: 2,
  isHandedOver: true,
};

function reasonOf(facts: Partial<SetupFacts>, step: string): string | undefined {
  return setupSteps({ ...WHOLE, ...facts }).find((each) => each.step === step)?.reason;
}

test("Of an empty house every step is open, in the order of the work", () => {
  const steps = setupSteps(EMPTY);
  expect(steps.map(({ step }) => step)).toEqual(SETUP_STEPS);
  expect(steps.filter(({ isDone }) => isDone)).toEqual([]);
});

test("Of a whole house every step is done, however it came about", () => {
  expect(setupSteps(WHOLE).filter(({ isDone }) => !isDone)).toEqual([]);
});

test("An open step says what it waits for", () => {
  expect(reasonOf({ devices: { all: 4, answering: 3 } }, "devices")).toBe("devices-silent");
  expect(reasonOf({ openFindings: 1, isMeterProved: false }, "checks")).toBe("findings-open");
  expect(reasonOf({ isMeterProved: false }, "checks")).toBe("load-check-missing");
  expect(reasonOf({ inverters: { all: 2, seen: 1 } }, "checks")).toBe("waits-for-sun");
  expect(reasonOf({ batteries: { all: 1, seen: 0 } }, "checks")).toBe("waits-for-battery");
  expect(reasonOf({ tests: { all: 2, passed: 1, failed: 0 } }, "control-tests")).toBe("tests-missing");
  expect(reasonOf({ tests: { all: 2, passed: 1, failed: 1 } }, "control-tests")).toBe("tests-failed");
});

test("A house without a meter, or without a device that takes commands, has less to do", () => {
  expect(reasonOf({ hasMeter: false, isMeterProved: false }, "checks")).toBe("checks-passed");
  expect(reasonOf({ tests: { all: 0, passed: 0, failed: 0 } }, "control-tests")).toBe("nothing-to-test");
});
