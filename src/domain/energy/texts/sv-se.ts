import type { ReasonTexts } from "./reason-text.ts";

export const SWEDISH: ReasonTexts = {
  "grid-operator": ({ subject, until }) => `Nätägaren begränsar effekten${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `Huvudsäkringen tillåter inte mer effekt${named(subject)}.`,
  circuit: ({ subject }) => `Gruppen${named(subject)} tillåter inte mer effekt.`,
  contract: () => "Den avtalade effekten tillåter inte mer.",
  unbalance: ({ subject }) => `Belastningen får inte skilja sig mer mellan faserna${named(subject)}.`,
  "feed-in": () => "Mer effekt får inte matas in på nätet.",
  "meter-silent": () => "Elmätaren svarar inte, därför har enheten sitt säkra värde.",
  "ignores-limit": ({ subject }) => `Enheten följer inte sin begränsning${named(subject)}.`,
  person: () => "Någon har ställt in det så.",
  schedule: ({ until }) => `Ett schema har ställt in det så${ending(until)}.`,
  "smart-charging": ({ until }) => `Smart laddning har ställt in det så${ending(until)}.`,
  "mode-off": () => "Läget är av.",
  fast: () => "Laddar så snabbt som möjligt.",
  plan: ({ until }) => `Laddar enligt planen${ending(until)}.`,
  "plan-waits": ({ until }) => `Väntar på en bättre tid${ending(until)}.`,
  surplus: () => "Använder solöverskott.",
  "no-surplus": () => "Väntar på solöverskott.",
  minimum: () => "Laddar med lägsta effekt, eftersom det inte finns mer överskott.",
  "battery-first": () => "Husets batteri laddas först.",
  "waits-minimum-time": ({ until }) => `Väntar tills det får kopplas om igen${ending(until)}.`,
  "switches-phases": ({ until }) => `Växlar mellan en och tre faser${ending(until)}.`,
  "nothing-to-do": () => "Det finns inget att göra.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` till ${until}`;
}
