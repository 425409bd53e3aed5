import type { ReasonTexts } from "./reason-text.ts";

export const DUTCH: ReasonTexts = {
  "grid-operator": ({ subject, until }) => `De netbeheerder begrenst het vermogen${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `De hoofdzekering laat niet meer vermogen toe${named(subject)}.`,
  circuit: ({ subject }) => `De groep${named(subject)} laat niet meer vermogen toe.`,
  contract: () => "Het gecontracteerde vermogen laat niet meer toe.",
  unbalance: ({ subject }) => `De belasting mag tussen de fasen niet meer verschillen${named(subject)}.`,
  "feed-in": () => "Er mag niet meer vermogen worden teruggeleverd.",
  "meter-silent": () => "De netmeter antwoordt niet, daarom staat het apparaat op zijn veilige waarde.",
  "ignores-limit": ({ subject }) => `Het apparaat volgt zijn begrenzing niet${named(subject)}.`,
  person: () => "Iemand heeft het zo ingesteld.",
  schedule: ({ until }) => `Een schema heeft het zo ingesteld${ending(until)}.`,
  "smart-charging": ({ until }) => `Slim laden heeft het zo ingesteld${ending(until)}.`,
  "mode-off": () => "De modus staat uit.",
  fast: () => "Laadt zo snel mogelijk.",
  plan: ({ until }) => `Laadt volgens plan${ending(until)}.`,
  "plan-waits": ({ until }) => `Wacht op een beter moment${ending(until)}.`,
  surplus: () => "Gebruikt zonne-overschot.",
  "no-surplus": () => "Wacht op zonne-overschot.",
  minimum: () => "Laadt met het laagste vermogen, omdat er niet meer overschot is.",
  "battery-first": () => "Eerst wordt de thuisbatterij geladen.",
  "waits-minimum-time": ({ until }) => `Wacht tot er weer geschakeld mag worden${ending(until)}.`,
  "switches-phases": ({ until }) => `Schakelt om tussen één en drie fasen${ending(until)}.`,
  "nothing-to-do": () => "Er is niets te doen.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` tot ${until}`;
}
