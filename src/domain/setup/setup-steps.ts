/** The steps of setting up a house. What is done follows from what is there, so that any way of doing it counts. */
export const SETUP_STEPS = ["site", "devices", "checks", "control-tests", "prices", "people", "hand-over"] as const;
export type SetupStepName = (typeof SETUP_STEPS)[number];

/** The steps that can be left out on purpose. */
export const SKIPPABLE_STEPS = ["site", "devices", "checks", "control-tests", "prices", "people"] as const;
export type SkippableStep = (typeof SKIPPABLE_STEPS)[number];

/** Characters of a remark. */
export const LONGEST_NOTE = 500;

export const SETUP_REASONS = [
  "limits-set",
  "no-limits",
  "all-answer",
  "no-devices",
  "devices-silent",
  "checks-passed",
  "findings-open",
  "load-check-missing",
  "waits-for-sun",
  "waits-for-battery",
  "tests-passed",
  "tests-missing",
  "tests-failed",
  "nothing-to-test",
  "prices-known",
  "no-prices",
  "people-added",
  "only-one-person",
  "handed-over",
  "not-handed-over",
] as const;
export type SetupReason = (typeof SETUP_REASONS)[number];

/** What is there. */
export interface SetupFacts {
  readonly hasImportLimit: boolean;
  /** Devices that are connected or should be, and those of them that answer. */
  readonly devices: { readonly all: number; readonly answering: number };
  /** Open findings about devices, and that there is no grid meter. */
  readonly openFindings: number;
  /** The house has a grid meter, and a load check has found it right. */
  readonly hasMeter: boolean;
  readonly isMeterProved: boolean;
  /** Inverters and batteries, and those of them that were seen at work. */
  readonly inverters: { readonly all: number; readonly seen: number };
  readonly batteries: { readonly all: number; readonly seen: number };
  /** Devices that take commands, and the outcomes of their last tests. */
  readonly tests: { readonly all: number; readonly passed: number; readonly failed: number };
  readonly hasPrices: boolean;
  readonly people: number;
  readonly isHandedOver: boolean;
}

/** What a step has come to, with how much of it is done where that can be counted. */
export interface StepResult {
  readonly step: SetupStepName;
  readonly isDone: boolean;
  readonly reason: SetupReason;
  readonly done: number | null;
  readonly all: number | null;
}

/** Returns the steps in their order. */
export function setupSteps(facts: SetupFacts): readonly StepResult[] {
  return [
    facts.hasImportLimit ? done("site", "limits-set") : open("site", "no-limits"),
    devicesStep(facts),
    checksStep(facts),
    testsStep(facts),
    facts.hasPrices ? done("prices", "prices-known") : open("prices", "no-prices"),
    facts.people > 1 ? done("people", "people-added") : open("people", "only-one-person"),
    facts.isHandedOver ? done("hand-over", "handed-over") : open("hand-over", "not-handed-over"),
  ];
}

function devicesStep({ devices: { all, answering } }: SetupFacts): StepResult {
  if (all === 0) return open("devices", "no-devices");
  const isDone = answering === all;
  return { step: "devices", isDone, reason: isDone ? "all-answer" : "devices-silent", done: answering, all };
}

function checksStep(facts: SetupFacts): StepResult {
  const { devices, openFindings, hasMeter, isMeterProved, inverters, batteries } = facts;
  if (devices.all === 0) return open("checks", "no-devices");
  const parts = {
    done: (hasMeter && isMeterProved ? 1 : 0) + inverters.seen + batteries.seen,
    all: (hasMeter ? 1 : 0) + inverters.all + batteries.all,
  };
  const missing = ((): SetupReason | null => {
    if (openFindings > 0) return "findings-open";
    if (hasMeter && !isMeterProved) return "load-check-missing";
    if (inverters.seen < inverters.all) return "waits-for-sun";
    return batteries.seen < batteries.all ? "waits-for-battery" : null;
  })();
  return { step: "checks", isDone: missing === null, reason: missing ?? "checks-passed", ...parts };
}

function testsStep({ devices, tests: { all, passed, failed } }: SetupFacts): StepResult {
  if (devices.all === 0) return open("control-tests", "no-devices");
  if (all === 0) return done("control-tests", "nothing-to-test");
  const parts = { step: "control-tests", done: passed, all } as const;
  if (passed === all) return { ...parts, isDone: true, reason: "tests-passed" };
  return { ...parts, isDone: false, reason: failed > 0 ? "tests-failed" : "tests-missing" };
}

function done(step: SetupStepName, reason: SetupReason): StepResult {
  return { step, isDone: true, reason, done: null, all: null };
}

function open(step: SetupStepName, reason: SetupReason): StepResult {
  return { step, isDone: false, reason, done: null, all: null };
}
