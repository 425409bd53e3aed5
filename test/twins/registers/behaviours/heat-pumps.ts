/** Heat pumps: what keeps them from running, and what makes them take more than their own programme wants. */
import type { TwinBehaviour, TwinEffect, TwinRegisters } from "../twin-behaviour.ts";

type Hvac = NonNullable<TwinEffect["hvac"]>;

/** One register whose values are states. */
function byState(id: string, states: Readonly<Record<number, Hvac>>, own: number): TwinBehaviour {
  return {
    initial: { [id]: own },
    effect: (twin) => ({ hvac: states[twin.number(id)] ?? "own-programme" }),
  };
}

/** SG Ready by two inputs: the first asks for more, the second alone blocks. */
function sgInputs(twin: TwinRegisters): TwinEffect {
  const isMore = twin.number("hvac.control.sgInput1") === 1;
  const isOther = twin.number("hvac.control.sgInput2") === 1;
  return { hvac: isMore ? "more" : isOther ? "blocked" : "own-programme" };
}

const NIBE_ORDER = "hvac.control.smartGrid";

/** The state that NIBE shows follows what it is told, once that is switched on. */
const nibe: TwinBehaviour = {
  ...byState(NIBE_ORDER, { 0: "blocked", 2: "more", 3: "more" }, 1),
  initial: { [NIBE_ORDER]: 1, "hvac.control.sgActivate": 1 },
  show: (twin) => twin.set("hvac.smartGridMode", [20, 10, 30, 40][twin.number(NIBE_ORDER)] ?? 10),
};

/** What Stiebel shows: 1 frost protection only, 2 normal, 3 more, 4 at once. */
const stiebel: TwinBehaviour = {
  initial: { "hvac.control.sgActive": 1 },
  show(twin) {
    const isMore = twin.number("hvac.control.sgInput1") === 1;
    const isOther = twin.number("hvac.control.sgInput2") === 1;
    twin.set("hvac.smartGridState", isMore ? (isOther ? 4 : 3) : isOther ? 1 : 2);
  },
  effect: sgInputs,
};

/** Lambda forgets an excess of power that nobody repeats within a minute. */
const lambda: TwinBehaviour = {
  ...byState("hvac.control.mode", { 0: "blocked", 3: "more", 4: "cool" }, 2),
  writeCodes: [16],
  stored: ["hvac.control.mode", "hvac.control.heatSetpoint", "hvac.control.coolSetpoint"],
  reversion: {
    fedBy: ["hvac.control.excessPower"],
    afterMs: () => 60_000,
    fallBack: (twin) => twin.set("hvac.control.excessPower", 0),
  },
};

/** An AC-THOR heats with what it was told within its power timeout, and shows 0 W while the water is hot. */
const myPv: TwinBehaviour = {
  writeCodes: [6],
  initial: {
    "heater.powerTimeout": 10,
    "heater.temperature": 45,
    "heater.maxTemperature": 60,
    "plate.serial": "2001001812060016",
  },
  stored: ["heater.powerTimeout"],
  reversion: {
    fedBy: ["heater.power"],
    afterMs: (twin) => twin.number("heater.powerTimeout") * 1_000,
    fallBack: (twin) => twin.set("heater.power", 0),
  },
  show(twin) {
    const isHot = twin.number("heater.temperature") >= twin.number("heater.maxTemperature");
    if (isHot) twin.set("heater.power", 0);
    twin.set("heater.status", twin.number("heater.power") > 0 ? 9 : 7);
  },
  effect: (twin) => ({ heaterW: twin.number("heater.power") }),
};

export const HEAT_PUMPS: Readonly<Record<string, TwinBehaviour>> = {
  "daikin-homehub": byState("hvac.control.smartGrid", { 1: "blocked", 2: "more", 3: "more" }, 0),
  "glen-dimplex": byState("hvac.control.smartGrid", { 11: "more", 12: "blocked" }, 10),
  // Registers 74 to 86 are volatile; the others are kept in memory that wears.
  "idm-navigator": { ...byState("hvac.operatingMode", { 0: "blocked" }, 1), stored: ["hvac.operatingMode"] },
  "lambda-eul": lambda,
  "luxtronik-shi": byState("hvac.control.lpcMode", { 1: "blocked", 2: "blocked" }, 0),
  "my-pv-ac-thor": myPv,
  "nibe-s": nibe,
  "stiebel-wpm": stiebel,
  "weishaupt-wpm": {
    stored: ["hvac.control."],
    mirrors: { "hvac.sgInput1": "hvac.control.sgInput1", "hvac.sgInput2": "hvac.control.sgInput2" },
    effect: sgInputs,
  },
};
