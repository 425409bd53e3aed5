import type { PlanTexts, ReasonTexts } from "./reason-text.ts";

export const GERMAN: ReasonTexts = {
  "grid-operator": ({ subject, until }) => `Der Netzbetreiber begrenzt die Leistung${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `Die Hauptsicherung lässt nicht mehr Leistung zu${named(subject)}.`,
  circuit: ({ subject }) => `Der Stromkreis${named(subject)} lässt nicht mehr Leistung zu.`,
  contract: () => "Die vereinbarte Bezugsleistung lässt nicht mehr zu.",
  unbalance: ({ subject }) => `Die Last darf sich zwischen den Phasen nicht stärker unterscheiden${named(subject)}.`,
  "feed-in": () => "Es darf nicht mehr Leistung eingespeist werden.",
  "negative-price": () => "Einspeisen kostet gerade Geld.",
  "meter-silent": () =>
    "Der Netzzähler antwortet nicht, oder er wird für Grenzen zu selten gelesen, deshalb hat das Gerät seinen sicheren Wert.",
  "meter-reversed": () =>
    "Der Netzzähler ist falsch herum angeschlossen, deshalb hat das Gerät seinen sicheren Wert, bis das behoben ist.",
  "ignores-limit": () => "Das Gerät folgt seiner Begrenzung nicht.",
  person: () => "Jemand hat es so eingestellt.",
  schedule: ({ until }) => `Ein Zeitplan hat es so eingestellt${ending(until)}.`,
  "smart-charging": ({ until }) => `Das intelligente Laden hat es so eingestellt${ending(until)}.`,
  "mode-off": () => "Der Modus ist aus.",
  fast: () => "Lädt so schnell wie möglich.",
  plan: ({ until }) => `Nimmt Strom nach Plan${ending(until)}.`,
  "plan-waits": ({ until }) => `Wartet auf eine bessere Zeit${ending(until)}.`,
  "full-charge": ({ until }) =>
    `Wird${ending(until)} einmal voll geladen, weil das in den letzten zehn Tagen nicht geschehen ist.`,
  "warm-enough": () => "Ist so warm, wie es sein darf.",
  surplus: () => "Nutzt Solarüberschuss.",
  "hidden-surplus": () => "Probiert, ob die Module mehr liefern, als eingespeist werden darf.",
  "no-surplus": () => "Wartet auf Solarüberschuss.",
  minimum: () => "Lädt mit der kleinsten Leistung, weil es nicht mehr Überschuss gibt.",
  "battery-first": () => "Zuerst wird der Hausspeicher geladen.",
  "not-into-car": ({ subject }) => `Wird nicht in ein Auto entladen${named(subject)}.`,
  "waits-minimum-time": ({ until }) => `Pause zwischen zwei Schaltvorgängen${ending(until)}.`,
  "switches-phases": ({ until }) => `Schaltet zwischen einer und drei Phasen um${ending(until)}.`,
  "wakes-car": ({ until }) =>
    `Das Auto nimmt keinen Strom: Es wird zum Wecken aus- und wieder eingeschaltet${ending(until)}.`,
  "car-does-not-charge": () => "Das Auto nimmt den angebotenen Strom nicht.",
  "takes-no-command": () => "Das Gerät nimmt gerade keinen Befehl an, oder jemand anderes verstellt es immer wieder.",
  "nothing-to-do": () => "Es gibt nichts zu tun.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` bis ${until} Uhr`;
}

export const GERMAN_PLAN: PlanTexts = {
  surplus: ({ when }) => `Nutzt Solarüberschuss${when}.`,
  cheaper: ({ when, difference, alternative }) =>
    difference === null
      ? `Nimmt Strom aus dem Netz${when}, weil er dann günstig ist.`
      : `Nimmt Strom aus dem Netz${when}, weil eine kWh ${difference} weniger kostet als${alternative}.`,
  "whole-time-needed": ({ when }) => `Lädt${when}: Bis zum Ziel wird die ganze Zeit gebraucht.`,
  "out-of-reach": ({ when, short }) => `Lädt${when}; das Ziel ist nicht zu erreichen, es werden ${short} kWh fehlen.`,
  "before-target": ({ when }) => `Lädt${when}; keine andere Zeit vor dem Ziel wäre günstiger.`,
  "covers-house": ({ when }) => `Deckt den Verbrauch des Hauses${when}.`,
  "waits-for-dearer-hours": ({ when, difference, alternative }) =>
    difference === null
      ? `Behält seine Energie${when} für teurere Stunden.`
      : `Behält seine Energie${when}, weil eine kWh${alternative} ${difference} mehr kostet.`,
  sells: ({ when }) => `Speist ins Netz ein${when}, weil das mehr bringt, als die Energie später wert ist.`,
  "full-charge": ({ when }) =>
    when === ""
      ? "Wird einmal voll geladen, sobald das zu erreichen ist, weil das in den letzten zehn Tagen nicht geschehen ist."
      : `Wird${when} einmal voll geladen, weil das in den letzten zehn Tagen nicht geschehen ist.`,
  reserve: ({ when }) => `Nimmt Strom aus dem Netz${when}, weil der Ladestand unter der Reserve ist.`,
  "heats-cheaper": ({ when, difference, alternative }) =>
    difference === null
      ? `Heizt${when}, weil Strom dann günstig ist.`
      : `Heizt${when}, weil eine kWh ${difference} weniger kostet als${alternative}.`,
  comfort: ({ when }) => `Heizt${when}, weil es sonst zu kalt würde.`,
  "unknown-charge": () =>
    "Ist nicht geplant: Sein Ladestand, die geladene Energie, seine Temperatur oder seine Leistung ist nicht bekannt.",
  "in-other-hands": () => "Ist nicht geplant: Jemand anderes hat es eingestellt, oder es nimmt keine Befehle an.",
  "nothing-to-do": () => "Es gibt nichts zu tun.",
  "no-prices": () =>
    "Es gibt keinen Plan: Für die Zeit ab jetzt ist kein Preis bekannt. Ein Tarif oder ein Markt ist einzustellen.",
  "no-solution": () => "Es gibt keinen Plan: Es ließ sich keiner berechnen. Die Geräte folgen der einfachen Regel.",
  "no-history": () =>
    "Es gibt keinen Plan: Der Verbrauch des Hauses ist noch nicht bekannt. Eine Stunde des Netzzählers genügt.",
  "clock-not-set": () => "Es gibt keinen Plan: Die Uhrzeit ist nicht bekannt.",
  "nothing-to-plan": () =>
    "Es gibt keinen Plan: Kein Speicher wird geplant, kein angeschlossenes Fahrzeug hat im Modus „Geplant“ ein Ziel, und nichts, was heizt, ist in diesem Modus.",
  "not-read-yet": () =>
    "Es gibt noch keinen Plan: Der Netzzähler oder ein Gerät, das geplant werden soll, wurde noch nicht gelesen.",
  "not-made-yet": () => "Der Plan wird gerade gemacht.",
  between: (from, to) => ` von ${from} bis ${to} Uhr`,
  and: " und",
};
