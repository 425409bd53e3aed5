import type { PlanTexts, ReasonTexts } from "./reason-text.ts";

export const SWEDISH: ReasonTexts = {
  "grid-operator": ({ subject, until }) => `Nätägaren begränsar effekten${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `Huvudsäkringen tillåter inte mer effekt${named(subject)}.`,
  circuit: ({ subject }) => `Gruppen${named(subject)} tillåter inte mer effekt.`,
  contract: () => "Den avtalade effekten tillåter inte mer.",
  unbalance: ({ subject }) => `Belastningen får inte skilja sig mer mellan faserna${named(subject)}.`,
  "feed-in": () => "Mer effekt får inte matas in på nätet.",
  "negative-price": () => "Inmatning på nätet kostar pengar just nu.",
  "meter-silent": () =>
    "Elmätaren svarar inte, eller läses för sällan för att hålla gränser, därför har enheten sitt säkra värde.",
  "meter-reversed": () => "Elmätaren är felvänd ansluten, därför har enheten sitt säkra värde tills det är åtgärdat.",
  "ignores-limit": () => "Enheten följer inte sin begränsning.",
  person: () => "Någon har ställt in det så.",
  schedule: ({ until }) => `Ett schema har ställt in det så${ending(until)}.`,
  "smart-charging": ({ until }) => `Smart laddning har ställt in det så${ending(until)}.`,
  "mode-off": () => "Läget är av.",
  fast: () => "Laddar så snabbt som möjligt.",
  plan: ({ until }) => `Tar el enligt planen${ending(until)}.`,
  "plan-waits": ({ until }) => `Väntar på en bättre tid${ending(until)}.`,
  "full-charge": ({ until }) =>
    `Laddas helt en gång${until === null ? "" : ` senast ${until}`}, eftersom det inte har hänt de senaste tio dagarna.`,
  "warm-enough": () => "Är så varm som den får vara.",
  surplus: () => "Använder solöverskott.",
  "hidden-surplus": () => "Provar om panelerna ger mer än vad som får matas in.",
  "no-surplus": () => "Väntar på solöverskott.",
  minimum: () => "Laddar med lägsta effekt, eftersom det inte finns mer överskott.",
  "battery-first": () => "Husets batteri laddas först.",
  "not-into-car": ({ subject }) => `Töms inte i en bil${named(subject)}.`,
  "waits-minimum-time": ({ until }) => `Vilar mellan två omkopplingar${ending(until)}.`,
  "switches-phases": ({ until }) => `Växlar mellan en och tre faser${ending(until)}.`,
  "wakes-car": ({ until }) => `Bilen tar ingen ström: den slås av och på igen för att väckas${ending(until)}.`,
  "car-does-not-charge": () => "Bilen tar inte den ström som erbjuds.",
  "takes-no-command": () =>
    "Enheten tar inte emot några kommandon just nu, eller så ändrar någon annan den hela tiden.",
  "nothing-to-do": () => "Det finns inget att göra.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` till ${until}`;
}

export const SWEDISH_PLAN: PlanTexts = {
  surplus: ({ when }) => `Använder solöverskott${when}.`,
  cheaper: ({ when, difference, alternative }) =>
    difference === null
      ? `Tar el från nätet${when}, eftersom den är billig då.`
      : `Tar el från nätet${when}, eftersom en kWh kostar ${difference} mindre än${alternative}.`,
  "whole-time-needed": ({ when }) => `Laddar${when}: hela tiden till målet behövs.`,
  "out-of-reach": ({ when, short }) => `Laddar${when}; målet kan inte nås, ${short} kWh kommer att saknas.`,
  "before-target": ({ when }) => `Laddar${when}; ingen annan tid före målet vore billigare.`,
  "covers-house": ({ when }) => `Täcker husets förbrukning${when}.`,
  "waits-for-dearer-hours": ({ when, difference, alternative }) =>
    difference === null
      ? `Sparar sin energi${when} till dyrare timmar.`
      : `Sparar sin energi${when}, eftersom en kWh kostar ${difference} mer${alternative}.`,
  sells: ({ when }) => `Matar in på nätet${when}, eftersom det ger mer än energin är värd senare.`,
  "full-charge": ({ when }) =>
    `Laddas helt en gång${when === "" ? ", så snart det går" : when}, eftersom det inte har hänt de senaste tio dagarna.`,
  reserve: ({ when }) => `Tar el från nätet${when}, eftersom laddningen är lägre än reserven.`,
  "heats-cheaper": ({ when, difference, alternative }) =>
    difference === null
      ? `Värmer${when}, eftersom elen är billig då.`
      : `Värmer${when}, eftersom en kWh kostar ${difference} mindre än${alternative}.`,
  comfort: ({ when }) => `Värmer${when}, eftersom det annars blir för kallt.`,
  "unknown-charge": () =>
    "Planeras inte: laddningsnivån, den laddade energin, temperaturen eller effekten är inte känd.",
  "in-other-hands": () => "Planeras inte: någon annan har ställt in den, eller så tar den inte emot kommandon.",
  "nothing-to-do": () => "Det finns inget att göra.",
  "no-prices": () => "Det finns ingen plan: inget pris är känt från och med nu. Ställ in en tariff eller en marknad.",
  "no-solution": () => "Det finns ingen plan: ingen kunde beräknas. Enheterna följer den enkla regeln.",
  "no-history": () => "Det finns ingen plan: husets förbrukning är inte känd än. En timme från elmätaren räcker.",
  "clock-not-set": () => "Det finns ingen plan: tiden är inte känd.",
  "nothing-to-plan": () =>
    "Det finns ingen plan: inget batteri planeras, inget inkopplat fordon har ett mål i läget ”Planerat”, och inget som värmer är i det läget.",
  "not-read-yet": () => "Det finns ingen plan än: elmätaren, eller en enhet som ska planeras, har inte lästs av.",
  "not-made-yet": () => "Planen görs just nu.",
  between: (from, to) => ` från ${from} till ${to}`,
  and: " och",
};
