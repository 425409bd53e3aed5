import type { PlanTexts, ReasonTexts } from "./reason-text.ts";

export const DUTCH: ReasonTexts = {
  "grid-operator": ({ subject, until }) => `De netbeheerder begrenst het vermogen${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `De hoofdzekering laat niet meer vermogen toe${named(subject)}.`,
  circuit: ({ subject }) => `De groep${named(subject)} laat niet meer vermogen toe.`,
  contract: () => "Het gecontracteerde vermogen laat niet meer toe.",
  unbalance: ({ subject }) => `De belasting mag tussen de fasen niet meer verschillen${named(subject)}.`,
  "feed-in": () => "Er mag niet meer vermogen worden teruggeleverd.",
  "negative-price": () => "Terugleveren kost nu geld.",
  "meter-silent": () =>
    "De netmeter antwoordt niet, of wordt te zelden gelezen om grenzen te bewaken, daarom staat het apparaat op zijn veilige waarde.",
  "meter-reversed": () =>
    "De netmeter is verkeerd om aangesloten, daarom staat het apparaat op zijn veilige waarde tot dat is verholpen.",
  "ignores-limit": () => "Het apparaat volgt zijn begrenzing niet.",
  person: () => "Iemand heeft het zo ingesteld.",
  schedule: ({ until }) => `Een schema heeft het zo ingesteld${ending(until)}.`,
  "smart-charging": ({ until }) => `Slim laden heeft het zo ingesteld${ending(until)}.`,
  "mode-off": () => "De modus staat uit.",
  fast: () => "Laadt zo snel mogelijk.",
  plan: ({ until }) => `Neemt stroom volgens plan${ending(until)}.`,
  "plan-waits": ({ until }) => `Wacht op een beter moment${ending(until)}.`,
  "full-charge": ({ until }) =>
    `Wordt${until === null ? "" : ` uiterlijk om ${until}`} één keer helemaal geladen, omdat dat de laatste tien dagen niet is gebeurd.`,
  "warm-enough": () => "Is zo warm als het mag zijn.",
  surplus: () => "Gebruikt zonne-overschot.",
  "hidden-surplus": () => "Probeert of de panelen meer geven dan er mag worden teruggeleverd.",
  "no-surplus": () => "Wacht op zonne-overschot.",
  minimum: () => "Laadt met het laagste vermogen, omdat er niet meer overschot is.",
  "battery-first": () => "Eerst wordt de thuisbatterij geladen.",
  "not-into-car": ({ subject }) => `Wordt niet in een auto geleegd${named(subject)}.`,
  "waits-minimum-time": ({ until }) => `Rust tussen twee schakelingen${ending(until)}.`,
  "switches-phases": ({ until }) => `Schakelt om tussen één en drie fasen${ending(until)}.`,
  "wakes-car": ({ until }) =>
    `De auto neemt geen stroom: hij wordt uit- en weer ingeschakeld om hem te wekken${ending(until)}.`,
  "car-does-not-charge": () => "De auto neemt de aangeboden stroom niet.",
  "takes-no-command": () => "Het apparaat neemt nu geen opdracht aan, of iemand anders verandert het steeds weer.",
  "nothing-to-do": () => "Er is niets te doen.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` tot ${until}`;
}

export const DUTCH_PLAN: PlanTexts = {
  surplus: ({ when }) => `Gebruikt zonne-overschot${when}.`,
  cheaper: ({ when, difference, alternative }) =>
    difference === null
      ? `Neemt stroom van het net${when}, omdat die dan goedkoop is.`
      : `Neemt stroom van het net${when}, omdat een kWh ${difference} minder kost dan${alternative}.`,
  "whole-time-needed": ({ when }) => `Laadt${when}: de hele tijd tot het doel is nodig.`,
  "out-of-reach": ({ when, short }) => `Laadt${when}; het doel is niet haalbaar, er ontbreekt ${short} kWh.`,
  "before-target": ({ when }) => `Laadt${when}; geen andere tijd voor het doel is goedkoper.`,
  "covers-house": ({ when }) => `Dekt het verbruik van het huis${when}.`,
  "waits-for-dearer-hours": ({ when, difference, alternative }) =>
    difference === null
      ? `Bewaart zijn energie${when} voor duurdere uren.`
      : `Bewaart zijn energie${when}, omdat een kWh${alternative} ${difference} meer kost.`,
  sells: ({ when }) => `Levert terug aan het net${when}, omdat dat meer opbrengt dan de energie later waard is.`,
  "full-charge": ({ when }) =>
    when === ""
      ? "Wordt één keer helemaal geladen zodra dat haalbaar is, omdat dat de laatste tien dagen niet is gebeurd."
      : `Wordt${when} één keer helemaal geladen, omdat dat de laatste tien dagen niet is gebeurd.`,
  reserve: ({ when }) => `Neemt stroom van het net${when}, omdat de lading lager is dan de reserve.`,
  "heats-cheaper": ({ when, difference, alternative }) =>
    difference === null
      ? `Verwarmt${when}, omdat stroom dan goedkoop is.`
      : `Verwarmt${when}, omdat een kWh ${difference} minder kost dan${alternative}.`,
  comfort: ({ when }) => `Verwarmt${when}, omdat het anders te koud wordt.`,
  "unknown-charge": () =>
    "Is niet gepland: de laadtoestand, de geladen energie, de temperatuur of het vermogen is niet bekend.",
  "in-other-hands": () => "Is niet gepland: iemand anders heeft het ingesteld, of het neemt geen opdrachten aan.",
  "nothing-to-do": () => "Er is niets te doen.",
  "no-prices": () => "Er is geen plan: vanaf nu is geen prijs bekend. Stel een tarief of een markt in.",
  "no-solution": () => "Er is geen plan: er kon geen worden berekend. De apparaten volgen de eenvoudige regel.",
  "no-history": () =>
    "Er is geen plan: het verbruik van het huis is nog niet bekend. Een uur van de netmeter is genoeg.",
  "clock-not-set": () => "Er is geen plan: de tijd is niet bekend.",
  "nothing-to-plan": () =>
    "Er is geen plan: geen batterij wordt gepland, geen aangesloten voertuig heeft in modus “Gepland” een doel en niets dat verwarmt staat in die modus.",
  "not-read-yet": () =>
    "Er is nog geen plan: de netmeter, of een apparaat dat gepland moet worden, is nog niet uitgelezen.",
  "not-made-yet": () => "Het plan wordt gemaakt.",
  between: (from, to) => ` van ${from} tot ${to}`,
  and: " en",
};
