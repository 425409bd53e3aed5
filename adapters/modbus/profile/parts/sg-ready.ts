/**
 * Heat pumps with the "SG Ready" states of the German heat pump association: blocked, normal, more than normal. They
 * have no setpoint there, so that AUTO is "by itself", HEAT is "take more power", OFF is "blocked".
 */
import type { Formula, ProfileControl, ProfileFormula, Provenance, WriteStep } from "hemgate/sdk";

export interface SgReady extends Provenance {
  readonly normal: readonly [WriteStep, ...WriteStep[]];
  readonly block: readonly WriteStep[];
  /** Absent where the device is only limited. */
  readonly boost?: readonly WriteStep[];
}

const APPROXIMATE =
  "AUTO is the normal state of SG Ready, HEAT asks for more than normal without a setpoint, OFF is a block that hot " +
  "water and frost protection may override and that most pumps end by themselves after two hours.";

/** The mode, and the way back to the pump's own schedule. An orderly stop leaves it to itself; there is no timer. */
export function sgReadyControls({ normal, block, boost, ...provenance }: SgReady): readonly ProfileControl[] {
  return [
    {
      point: "hvac.mode",
      safeDefault: "AUTO",
      write: {
        cases: [
          { value: "OFF", steps: block },
          { value: "AUTO", steps: normal },
          ...(boost === undefined ? [] : [{ value: "HEAT" as const, steps: boost }]),
        ],
      },
      approximate: APPROXIMATE,
      ...provenance,
    },
    {
      point: "hvac.holdType",
      safeDefault: null,
      write: {
        cases: [
          { value: "SCHEDULED", steps: normal },
          // Nothing is sent: the mode that follows is what holds it.
          { value: "PERMANENT", steps: [{ ...normal[0], when: { of: { wish: true }, is: "SCHEDULED" } }] },
        ],
      },
      approximate: "SCHEDULED is the normal state of SG Ready, in which the pump follows its own programme.",
      ...provenance,
    },
  ];
}

/** The mode, and whether somebody holds it, from a formula of the mode. */
export function shownSgReady(mode: Formula): readonly ProfileFormula[] {
  return [
    { point: "hvac.mode", value: mode },
    {
      point: "hvac.holdType",
      value: {
        lookup: mode,
        values: { AUTO: "SCHEDULED", HEAT: "PERMANENT", OFF: "PERMANENT" },
        otherwise: null,
      },
    },
  ];
}
