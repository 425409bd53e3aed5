/** What the control pilot of IEC 61851 tells of plug and power. */
import type { Condition, Formula, PowerDeliveryState } from "hemgate/sdk";

/** Number 1 behind a letter: the station offers nothing; 2: it offers current. */
const STATES = {
  A: "UNPLUGGED",
  A1: "UNPLUGGED",
  A2: "UNPLUGGED",
  B1: "PLUGGED_IN:STOPPED",
  B2: "PLUGGED_IN:INITIALIZING",
  C1: "PLUGGED_IN:STOPPED",
  C2: "PLUGGED_IN:CHARGING",
  D1: "PLUGGED_IN:STOPPED",
  D2: "PLUGGED_IN:CHARGING",
  E: "PLUGGED_IN:FAULT",
  F: "PLUGGED_IN:FAULT",
} as const satisfies Record<string, PowerDeliveryState>;

export type PilotState = keyof typeof STATES;

/** A charger that tells letter and number; `codes` says how it writes each. */
export function pilotState(raw: Formula, codes: Readonly<Record<number | string, PilotState>>): Formula {
  const values = Object.fromEntries(Object.entries(codes).map(([code, state]) => [code, STATES[state]]));
  return { lookup: raw, values, otherwise: "UNKNOWN" };
}

type PilotLetter = "A" | "B" | "C" | "D" | "E" | "F";

/** A charger that tells the letter only: whether it offers current is known from what it was allowed. */
export function letterState(
  raw: Formula,
  codes: Readonly<Record<number | string, PilotLetter>>,
  isAllowed: Condition,
): Formula {
  const offering = (state: PowerDeliveryState): Formula => ({
    first: [{ when: isAllowed, gives: state, otherwise: "PLUGGED_IN:STOPPED" }, state],
  });
  const states: Readonly<Record<PilotLetter, Formula>> = {
    A: "UNPLUGGED",
    B: offering("PLUGGED_IN:INITIALIZING"),
    C: offering("PLUGGED_IN:CHARGING"),
    D: offering("PLUGGED_IN:CHARGING"),
    E: "PLUGGED_IN:FAULT",
    F: "PLUGGED_IN:FAULT",
  };
  const values = Object.fromEntries(Object.entries(codes).map(([code, letter]) => [code, states[letter]]));
  return { lookup: raw, values, otherwise: "UNKNOWN" };
}

/** The letters as a register holds them: an ASCII character. */
export const ASCII_LETTERS = { 65: "A", 66: "B", 67: "C", 68: "D", 69: "E", 70: "F" } as const;
