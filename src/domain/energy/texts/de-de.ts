import type { ReasonTexts } from "./reason-text.ts";

export const GERMAN: ReasonTexts = {
  "grid-operator": ({ subject, until }) => `Der Netzbetreiber begrenzt die Leistung${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `Die Hauptsicherung lässt nicht mehr Leistung zu${named(subject)}.`,
  circuit: ({ subject }) => `Der Stromkreis${named(subject)} lässt nicht mehr Leistung zu.`,
  contract: () => "Die vereinbarte Bezugsleistung lässt nicht mehr zu.",
  unbalance: ({ subject }) => `Die Last darf sich zwischen den Phasen nicht stärker unterscheiden${named(subject)}.`,
  "feed-in": () => "Es darf nicht mehr Leistung eingespeist werden.",
  "meter-silent": () => "Der Netzzähler antwortet nicht, deshalb hat das Gerät seinen sicheren Wert.",
  "ignores-limit": ({ subject }) => `Das Gerät folgt seiner Begrenzung nicht${named(subject)}.`,
  person: () => "Jemand hat es so eingestellt.",
  schedule: ({ until }) => `Ein Zeitplan hat es so eingestellt${ending(until)}.`,
  "smart-charging": ({ until }) => `Das intelligente Laden hat es so eingestellt${ending(until)}.`,
  "mode-off": () => "Der Modus ist aus.",
  fast: () => "Lädt so schnell wie möglich.",
  plan: ({ until }) => `Lädt nach Plan${ending(until)}.`,
  "plan-waits": ({ until }) => `Wartet auf eine bessere Zeit${ending(until)}.`,
  surplus: () => "Nutzt Solarüberschuss.",
  "no-surplus": () => "Wartet auf Solarüberschuss.",
  minimum: () => "Lädt mit der kleinsten Leistung, weil es nicht mehr Überschuss gibt.",
  "battery-first": () => "Zuerst wird der Hausspeicher geladen.",
  "waits-minimum-time": ({ until }) => `Wartet, bis wieder geschaltet werden darf${ending(until)}.`,
  "switches-phases": ({ until }) => `Schaltet zwischen einer und drei Phasen um${ending(until)}.`,
  "nothing-to-do": () => "Es gibt nichts zu tun.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` bis ${until} Uhr`;
}
