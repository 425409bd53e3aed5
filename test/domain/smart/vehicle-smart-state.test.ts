import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EndedState, ExecutingState, VehicleSmartState } from "../../../src/domain/smart/vehicle-smart-charging.ts";
import {
  type CommandProgress,
  nextPlanStep,
  nextRest,
  type PlanFacts,
  type RestFacts,
} from "../../../src/domain/smart/vehicle-smart-rules.ts";
import {
  isExecuting,
  nextVehicleSmartState,
  type VehicleSmartEvent,
} from "../../../src/domain/smart/vehicle-smart-state.ts";
import { countedExpect } from "../../counted-expect.ts";

const EVENTS: readonly VehicleSmartEvent[] = [
  { type: "rested", as: "CONSIDERING" },
  { type: "planned", isCharging: true, isStartKnown: true },
  { type: "planned", isCharging: false, isStartKnown: false },
  { type: "stop-shown", isStartKnown: true },
  { type: "stop-failed" },
  { type: "stop-due" },
  { type: "replanned", isStartKnown: false },
  { type: "start-due" },
  { type: "start-shown" },
  { type: "start-failed" },
  { type: "interrupted" },
  { type: "overridden" },
  { type: "override-ended", shouldPause: true, isCharging: true, isStartKnown: true },
  { type: "override-ended", shouldPause: true, isCharging: false, isStartKnown: false },
  { type: "override-ended", shouldPause: false, isCharging: true, isStartKnown: true },
  { type: "override-ended", shouldPause: false, isCharging: false, isStartKnown: true },
  { type: "ended", as: "PLAN:ENDED:UNPLUGGED" },
];

const X = "PLAN:EXECUTING:";

/** From each state, where each event leads; events that are not listed change nothing. */
const TRANSITIONS: Readonly<Record<VehicleSmartState, Readonly<Record<string, VehicleSmartState>>>> = {
  DISABLED: rest(),
  CONSIDERING: rest(),
  FULLY_CHARGED: rest(),
  UNKNOWN: rest(),
  "PLAN:EXECUTING:STOPPING": run({
    "stop-shown": `${X}STOPPED`,
    "stop-failed": `${X}STOP_FAILED`,
    "start-due": `${X}STARTING`,
  }),
  "PLAN:EXECUTING:STOP_FAILED": run({
    "stop-shown": `${X}STOPPED`,
    "stop-due": `${X}STOPPING`,
    "start-due": `${X}STARTING`,
  }),
  "PLAN:EXECUTING:STOPPED": run({
    "stop-due": `${X}STOPPING`,
    replanned: `${X}STOPPED:AWAITING_PRICES`,
    "start-due": `${X}STARTING`,
  }),
  "PLAN:EXECUTING:STOPPED:AWAITING_PRICES": run({ "stop-due": `${X}STOPPING`, "start-due": `${X}STARTING` }),
  "PLAN:EXECUTING:STARTING": run({ "start-shown": `${X}STARTED`, "start-failed": `${X}START_FAILED` }),
  "PLAN:EXECUTING:START_FAILED": run({ "start-shown": `${X}STARTED`, "start-due": `${X}STARTING` }),
  "PLAN:EXECUTING:STARTED": run({ interrupted: `${X}CHARGE_INTERRUPTED` }),
  "PLAN:EXECUTING:CHARGE_INTERRUPTED": run({ "start-shown": `${X}STARTED` }),
  "PLAN:EXECUTING:OVERRIDDEN": run({
    "override-ended 12": `${X}STOPPING`,
    "override-ended 13": `${X}STOPPED:AWAITING_PRICES`,
    "override-ended 14": `${X}STARTED`,
    "override-ended 15": `${X}STARTING`,
  }),
  "PLAN:ENDED:FINISHED": rest(),
  "PLAN:ENDED:UNPLUGGED": rest(),
  "PLAN:ENDED:FAILED": rest(),
  "PLAN:ENDED:DISABLED": rest(),
  "PLAN:ENDED:DEADLINE_CHANGED": rest(),
};

function rest(): Readonly<Record<string, VehicleSmartState>> {
  return { rested: "CONSIDERING", "planned 1": `${X}STOPPING`, "planned 2": `${X}STOPPED:AWAITING_PRICES` };
}

function run(more: Readonly<Record<string, VehicleSmartState>>): Readonly<Record<string, VehicleSmartState>> {
  return { overridden: `${X}OVERRIDDEN`, ended: "PLAN:ENDED:UNPLUGGED", ...more };
}

describe("the states", () => {
  it.each(VehicleSmartState.options)("%s goes where it should", (state) => {
    const reached = EVENTS.map((event) => nextVehicleSmartState(state, event));
    const expected = EVENTS.map((event, index) => {
      const to = TRANSITIONS[state];
      return to[event.type] ?? to[`${event.type} ${index}`] ?? state;
    });
    expect(reached).toEqual(expected);
  });
});

const WAITING: PlanFacts = {
  isCapable: true,
  isPluggedIn: true,
  isCharging: false,
  isUnderWay: false,
  isFull: false,
  isBelowMinimum: false,
  isOverridden: false,
  command: "none",
  isStopPending: false,
  isStartKnown: true,
  isStartDue: false,
  isRetryDue: false,
  attempts: 0,
  stops: 1,
  wasStopped: true,
  isDeadlineOver: false,
  isStartAbandoned: false,
};
const CHARGING = { isCharging: true, isUnderWay: true } as const;

describe("a plan's next step", () => {
  it.each<[ExecutingState, Partial<PlanFacts>, string | null]>([
    ["PLAN:EXECUTING:STOPPING", { ...CHARGING, command: "pending" }, null],
    ["PLAN:EXECUTING:STOPPING", {}, "stop-shown"],
    ["PLAN:EXECUTING:STOPPING", { ...CHARGING, command: "done" }, "stop-shown"],
    ["PLAN:EXECUTING:STOPPING", { ...CHARGING, command: "failed" }, "stop-failed"],
    ["PLAN:EXECUTING:STOPPING", { ...CHARGING, isStartDue: true, wasStopped: false }, "ended STOP_FAILED"],
    ["PLAN:EXECUTING:STOPPING", { ...CHARGING, isStartDue: true }, "start-due"],
    ["PLAN:EXECUTING:STOPPING", { isUnderWay: null, isCharging: null }, null],
    ["PLAN:EXECUTING:STOP_FAILED", { ...CHARGING, attempts: 1 }, null],
    ["PLAN:EXECUTING:STOP_FAILED", { ...CHARGING, attempts: 1, isRetryDue: true }, "stop-due"],
    ["PLAN:EXECUTING:STOP_FAILED", { ...CHARGING, attempts: 5, isRetryDue: true }, "ended STOP_FAILED"],
    ["PLAN:EXECUTING:STOPPED", {}, null],
    ["PLAN:EXECUTING:STOPPED", { isStartDue: true }, "start-due"],
    ["PLAN:EXECUTING:STOPPED", CHARGING, "stop-due"],
    ["PLAN:EXECUTING:STOPPED", { ...CHARGING, stops: 3 }, "ended STOP_FAILED"],
    ["PLAN:EXECUTING:STOPPED", { isStartKnown: false }, "replanned"],
    ["PLAN:EXECUTING:STOPPED", { isBelowMinimum: true }, "start-due"],
    ["PLAN:EXECUTING:STOPPED:AWAITING_PRICES", { isStartKnown: false }, null],
    ["PLAN:EXECUTING:STOPPED:AWAITING_PRICES", {}, "replanned"],
    ["PLAN:EXECUTING:STARTING", { command: "pending" }, null],
    ["PLAN:EXECUTING:STARTING", { ...CHARGING, isStopPending: true }, null],
    ["PLAN:EXECUTING:STARTING", CHARGING, "start-shown"],
    ["PLAN:EXECUTING:STARTING", { command: "failed" }, "start-failed"],
    ["PLAN:EXECUTING:START_FAILED", { isRetryDue: true }, "start-due"],
    ["PLAN:EXECUTING:START_FAILED", { isStartAbandoned: true }, "ended START_FAILED"],
    ["PLAN:EXECUTING:START_FAILED", CHARGING, "start-shown"],
    ["PLAN:EXECUTING:STARTED", CHARGING, null],
    ["PLAN:EXECUTING:STARTED", {}, "interrupted"],
    ["PLAN:EXECUTING:CHARGE_INTERRUPTED", {}, null],
    ["PLAN:EXECUTING:CHARGE_INTERRUPTED", CHARGING, "start-shown"],
    ["PLAN:EXECUTING:CHARGE_INTERRUPTED", { isDeadlineOver: true }, "ended CHARGE_INTERRUPTED"],
    ["PLAN:EXECUTING:OVERRIDDEN", { isOverridden: true }, null],
    ["PLAN:EXECUTING:OVERRIDDEN", {}, "override-ended"],
    ["PLAN:EXECUTING:OVERRIDDEN", { isUnderWay: null }, null],
  ])("%s with %j: %s", (state, facts, expected) => {
    const step = nextPlanStep(state, { ...WAITING, ...facts });
    const name = step === null ? null : [step.event.type, step.failure].filter((part) => part !== null).join(" ");
    expect(name).toBe(expected);
  });

  it.each(ExecutingState.options)("%s ends when the vehicle is full, gone or cannot be switched", (state) => {
    const endOf = (facts: Partial<PlanFacts>) => nextPlanStep(state, { ...WAITING, ...facts });
    expect(endOf({ isFull: true })?.event).toEqual({ type: "ended", as: "PLAN:ENDED:FINISHED" });
    expect(endOf({ isPluggedIn: false })?.event).toEqual({ type: "ended", as: "PLAN:ENDED:UNPLUGGED" });
    expect(endOf({ isCapable: false })).toEqual({
      event: { type: "ended", as: "PLAN:ENDED:FAILED" },
      failure: "UNKNOWN",
    });
  });

  const Facts = fc.record({
    isCapable: fc.boolean(),
    isPluggedIn: fc.constantFrom(true, false, null),
    isCharging: fc.constantFrom(true, false, null),
    isUnderWay: fc.constantFrom(true, false, null),
    isFull: fc.constantFrom(true, false, null),
    isBelowMinimum: fc.boolean(),
    isOverridden: fc.boolean(),
    command: fc.constantFrom<CommandProgress>("none", "pending", "done", "failed"),
    isStopPending: fc.boolean(),
    isStartKnown: fc.boolean(),
    isStartDue: fc.boolean(),
    isRetryDue: fc.boolean(),
    attempts: fc.nat({ max: 7 }),
    stops: fc.nat({ max: 4 }),
    wasStopped: fc.boolean(),
    isDeadlineOver: fc.boolean(),
    isStartAbandoned: fc.boolean(),
  });

  it("always changes the state, so that nothing goes in circles on one event", () => {
    const expectStep = countedExpect();
    fc.assert(
      fc.property(fc.constantFrom(...ExecutingState.options), Facts, (state, facts) => {
        const step = nextPlanStep(state, facts);
        if (step !== null) expectStep(nextVehicleSmartState(state, step.event)).not.toBe(state);
      }),
      { numRuns: 2_000 },
    );
    expectStep.wasCalled();
  });

  it("never stops a vehicle below its minimum, nor moves an overridden one", () => {
    const expectBelow = countedExpect();
    const expectOverridden = countedExpect();
    fc.assert(
      fc.property(fc.constantFrom(...ExecutingState.options), Facts, (state, facts) => {
        const step = nextPlanStep(state, facts);
        const next = step === null ? state : nextVehicleSmartState(state, step.event);
        if (facts.isBelowMinimum && next !== state) expectBelow(next).not.toBe("PLAN:EXECUTING:STOPPING");
        if (facts.isOverridden && isExecuting(next)) expectOverridden(next).toBe("PLAN:EXECUTING:OVERRIDDEN");
      }),
      { numRuns: 2_000 },
    );
    expectBelow.wasCalled();
    expectOverridden.wasCalled();
  });
});

describe("without a plan", () => {
  const READY: RestFacts = {
    isEnabled: true,
    isCapable: true,
    atLocation: true,
    hasPrices: true,
    isFull: false,
    isPluggedIn: true,
  };

  it.each<[VehicleSmartState, Partial<RestFacts>, VehicleSmartState]>([
    ["DISABLED", {}, "CONSIDERING"],
    ["CONSIDERING", { isEnabled: false }, "DISABLED"],
    ["CONSIDERING", { isCapable: false }, "UNKNOWN"],
    ["CONSIDERING", { hasPrices: false }, "UNKNOWN"],
    ["CONSIDERING", { hasPrices: false, atLocation: false }, "CONSIDERING"],
    ["UNKNOWN", {}, "CONSIDERING"],
    ["CONSIDERING", { isFull: true }, "FULLY_CHARGED"],
    ["FULLY_CHARGED", { isFull: null }, "FULLY_CHARGED"],
    ["FULLY_CHARGED", {}, "CONSIDERING"],
    ["PLAN:ENDED:UNPLUGGED", { isPluggedIn: false }, "PLAN:ENDED:UNPLUGGED"],
    ["PLAN:ENDED:UNPLUGGED", {}, "CONSIDERING"],
    ["PLAN:ENDED:FINISHED", { isFull: true }, "PLAN:ENDED:FINISHED"],
    ["PLAN:ENDED:FINISHED", { isPluggedIn: false, isFull: true }, "FULLY_CHARGED"],
    ["PLAN:ENDED:FAILED", {}, "PLAN:ENDED:FAILED"],
    ["PLAN:ENDED:FAILED", { isPluggedIn: false }, "CONSIDERING"],
    ["PLAN:ENDED:DISABLED", { isEnabled: false }, "PLAN:ENDED:DISABLED"],
    ["PLAN:ENDED:DISABLED", { isEnabled: false, isPluggedIn: false }, "DISABLED"],
    ["PLAN:ENDED:DEADLINE_CHANGED", {}, "CONSIDERING"],
  ])("%s with %j is followed by %s", (state, facts, expected) => {
    const event = nextRest(state, { ...READY, ...facts });
    expect(event === null ? state : nextVehicleSmartState(state, event)).toBe(expected);
  });

  it.each(EndedState.options)("%s gives way when the vehicle is plugged in anew", (state) => {
    const unplugged = nextRest(state, { ...READY, isPluggedIn: false });
    const resting = unplugged === null ? state : nextVehicleSmartState(state, unplugged);
    const event = nextRest(resting, READY);
    expect(event === null ? resting : nextVehicleSmartState(resting, event)).toBe("CONSIDERING");
  });
});
