import type { PlanTexts, ReasonTexts } from "./reason-text.ts";

export const ENGLISH: ReasonTexts = {
  "grid-operator": ({ subject, until }) => `The grid operator limits the power${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `The main fuse leaves no more power${named(subject)}.`,
  circuit: ({ subject }) => `The circuit${named(subject)} leaves no more power.`,
  contract: () => "The contracted import power leaves no more.",
  unbalance: ({ subject }) => `The load must not differ more between the phases${named(subject)}.`,
  "feed-in": () => "No more power may be fed into the grid.",
  "negative-price": () => "Feeding into the grid costs money now.",
  "meter-silent": () =>
    "The grid meter does not answer, or is read too seldom to keep limits, so the device is at its safe value.",
  "meter-reversed": () =>
    "The grid meter is wired the wrong way round, so the device is at its safe value until that is put right.",
  "ignores-limit": () => "The device does not follow its limit.",
  person: () => "Somebody has set it this way.",
  schedule: ({ until }) => `A schedule has set it this way${ending(until)}.`,
  "smart-charging": ({ until }) => `Smart charging has set it this way${ending(until)}.`,
  "mode-off": () => "The mode is off.",
  fast: () => "Charges as fast as possible.",
  plan: ({ until }) => `Takes power as planned${ending(until)}.`,
  "plan-waits": ({ until }) => `Waits for a better time${ending(until)}.`,
  "full-charge": ({ until }) =>
    `Is charged fully once${until === null ? "" : ` by ${until}`}, because it was not full in the last ten days.`,
  "warm-enough": () => "Is as warm as it may be.",
  surplus: () => "Uses solar surplus.",
  "hidden-surplus": () => "Tries whether the panels give more than may be fed in.",
  "no-surplus": () => "Waits for solar surplus.",
  minimum: () => "Charges with the lowest power, because there is no more surplus.",
  "battery-first": () => "The house battery is charged first.",
  "not-into-car": ({ subject }) => `Is not emptied into a car${named(subject)}.`,
  "waits-minimum-time": ({ until }) => `Rests between two switchings${ending(until)}.`,
  "switches-phases": ({ until }) => `Switches between one and three phases${ending(until)}.`,
  "wakes-car": ({ until }) => `The car takes no current: it is switched off and on again to wake it${ending(until)}.`,
  "car-does-not-charge": () => "The car does not take the current that it is offered.",
  "takes-no-command": () => "The device takes no command now, or somebody else keeps changing it.",
  "nothing-to-do": () => "There is nothing to do.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` until ${until}`;
}

export const ENGLISH_PLAN: PlanTexts = {
  surplus: ({ when }) => `Uses solar surplus${when}.`,
  cheaper: ({ when, difference, alternative }) =>
    difference === null
      ? `Takes power from the grid${when}, because it is cheap then.`
      : `Takes power from the grid${when}, because a kWh costs ${difference} less than${alternative}.`,
  "whole-time-needed": ({ when }) => `Charges${when}: the whole time until the target is needed.`,
  "out-of-reach": ({ when, short }) => `Charges${when}; the target cannot be reached, ${short} kWh will be missing.`,
  "before-target": ({ when }) => `Charges${when}; no other time before the target would be cheaper.`,
  "covers-house": ({ when }) => `Covers what the house uses${when}.`,
  "waits-for-dearer-hours": ({ when, difference, alternative }) =>
    difference === null
      ? `Keeps its energy${when} for dearer hours.`
      : `Keeps its energy${when}, because a kWh costs ${difference} more${alternative}.`,
  sells: ({ when }) => `Feeds into the grid${when}, because that pays more than the energy is worth later.`,
  "full-charge": ({ when }) =>
    `Is charged fully once${when === "" ? ", as soon as that is within reach" : when}, because it was not full in the last ten days.`,
  reserve: ({ when }) => `Takes power from the grid${when}, because its charge is below the reserve.`,
  "heats-cheaper": ({ when, difference, alternative }) =>
    difference === null
      ? `Heats${when}, because power is cheap then.`
      : `Heats${when}, because a kWh costs ${difference} less than${alternative}.`,
  comfort: ({ when }) => `Heats${when}, because it would get too cold.`,
  "unknown-charge": () =>
    "Is not planned: its state of charge, the energy that it has charged, or its temperature or power is not known.",
  "in-other-hands": () => "Is not planned: somebody else has set it, or it takes no commands.",
  "nothing-to-do": () => "There is nothing to do.",
  "no-prices": () => "There is no plan: no price is known for the time from now on. Set a tariff or a market.",
  "no-solution": () => "There is no plan: none could be calculated. The devices follow the plain rule.",
  "no-history": () => "There is no plan: what the house uses is not known yet. An hour of the grid meter is enough.",
  "clock-not-set": () => "There is no plan: the time is not known.",
  "nothing-to-plan": () =>
    "There is no plan: no battery is planned, no vehicle that is plugged in has a target in mode “Planned”, and nothing that heats is in that mode.",
  "not-read-yet": () => "There is no plan yet: the grid meter, or a device that is to be planned, has not been read.",
  "not-made-yet": () => "The plan is being made.",
  between: (from, to) => ` from ${from} to ${to}`,
  and: " and",
};
