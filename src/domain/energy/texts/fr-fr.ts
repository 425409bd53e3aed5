import type { ReasonTexts } from "./reason-text.ts";

export const FRENCH: ReasonTexts = {
  "grid-operator": ({ subject, until }) =>
    `Le gestionnaire du réseau limite la puissance${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `Le fusible principal ne permet pas plus de puissance${named(subject)}.`,
  circuit: ({ subject }) => `Le circuit${named(subject)} ne permet pas plus de puissance.`,
  contract: () => "La puissance souscrite ne permet pas plus.",
  unbalance: ({ subject }) => `La charge ne doit pas différer davantage entre les phases${named(subject)}.`,
  "feed-in": () => "Il n’est pas permis d’injecter plus de puissance.",
  "meter-silent": () => "Le compteur du réseau ne répond pas ; l’appareil est à sa valeur sûre.",
  "ignores-limit": ({ subject }) => `L’appareil ne suit pas sa limite${named(subject)}.`,
  person: () => "Quelqu’un l’a réglé ainsi.",
  schedule: ({ until }) => `Un programme l’a réglé ainsi${ending(until)}.`,
  "smart-charging": ({ until }) => `La charge intelligente l’a réglé ainsi${ending(until)}.`,
  "mode-off": () => "Le mode est désactivé.",
  fast: () => "Charge aussi vite que possible.",
  plan: ({ until }) => `Charge selon le plan${ending(until)}.`,
  "plan-waits": ({ until }) => `Attend un meilleur moment${ending(until)}.`,
  surplus: () => "Utilise le surplus solaire.",
  "no-surplus": () => "Attend un surplus solaire.",
  minimum: () => "Charge à la puissance minimale, faute de surplus.",
  "battery-first": () => "La batterie de la maison est chargée en premier.",
  "waits-minimum-time": ({ until }) => `Attend de pouvoir commuter à nouveau${ending(until)}.`,
  "switches-phases": ({ until }) => `Passe d’une phase à trois, ou de trois à une${ending(until)}.`,
  "nothing-to-do": () => "Il n’y a rien à faire.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` jusqu’à ${until}`;
}
