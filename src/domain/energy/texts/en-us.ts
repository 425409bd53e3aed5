import type { ReasonTexts } from "./reason-text.ts";

export const ENGLISH: ReasonTexts = {
  "grid-operator": ({ subject, until }) => `The grid operator limits the power${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `The main fuse leaves no more power${named(subject)}.`,
  circuit: ({ subject }) => `The circuit${named(subject)} leaves no more power.`,
  contract: () => "The contracted import power leaves no more.",
  unbalance: ({ subject }) => `The load must not differ more between the phases${named(subject)}.`,
  "feed-in": () => "No more power may be fed into the grid.",
  "meter-silent": () => "The grid meter does not answer, so the device is at its safe value.",
  "ignores-limit": ({ subject }) => `The device does not follow its limit${named(subject)}.`,
  person: () => "Somebody has set it this way.",
  schedule: ({ until }) => `A schedule has set it this way${ending(until)}.`,
  "smart-charging": ({ until }) => `Smart charging has set it this way${ending(until)}.`,
  "mode-off": () => "The mode is off.",
  fast: () => "Charges as fast as possible.",
  plan: ({ until }) => `Charges as planned${ending(until)}.`,
  "plan-waits": ({ until }) => `Waits for a better time${ending(until)}.`,
  surplus: () => "Uses solar surplus.",
  "no-surplus": () => "Waits for solar surplus.",
  minimum: () => "Charges with the lowest power, because there is no more surplus.",
  "battery-first": () => "The house battery is charged first.",
  "waits-minimum-time": ({ until }) => `Waits until it may be switched again${ending(until)}.`,
  "switches-phases": ({ until }) => `Switches between one and three phases${ending(until)}.`,
  "nothing-to-do": () => "There is nothing to do.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` until ${until}`;
}
