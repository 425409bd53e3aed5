import type { PlanTexts, ReasonTexts } from "./reason-text.ts";

export const FRENCH: ReasonTexts = {
  "grid-operator": ({ subject, until }) =>
    `Le gestionnaire du réseau limite la puissance${named(subject)}${ending(until)}.`,
  fuse: ({ subject }) => `Le fusible principal ne permet pas plus de puissance${named(subject)}.`,
  circuit: ({ subject }) => `Le circuit${named(subject)} ne permet pas plus de puissance.`,
  contract: () => "La puissance souscrite ne permet pas plus.",
  unbalance: ({ subject }) => `La charge ne doit pas différer davantage entre les phases${named(subject)}.`,
  "feed-in": () => "Il n’est pas permis d’injecter plus de puissance.",
  "negative-price": () => "Injecter coûte de l’argent en ce moment.",
  "meter-silent": () =>
    "Le compteur du réseau ne répond pas, ou est lu trop rarement pour tenir les limites ; l’appareil est à sa valeur sûre.",
  "meter-reversed": () =>
    "Le compteur du réseau est branché à l’envers ; l’appareil reste à sa valeur sûre jusqu’à ce que ce soit corrigé.",
  "ignores-limit": () => "L’appareil ne suit pas sa limite.",
  person: () => "Quelqu’un l’a réglé ainsi.",
  schedule: ({ until }) => `Un programme l’a réglé ainsi${ending(until)}.`,
  "smart-charging": ({ until }) => `La charge intelligente l’a réglé ainsi${ending(until)}.`,
  "mode-off": () => "Le mode est désactivé.",
  fast: () => "Charge aussi vite que possible.",
  plan: ({ until }) => `Prend du courant selon le plan${ending(until)}.`,
  "plan-waits": ({ until }) => `Attend un meilleur moment${ending(until)}.`,
  "full-charge": ({ until }) =>
    `Se charge une fois complètement${until === null ? "" : ` d’ici ${until}`}, car cela n’est pas arrivé ces dix derniers jours.`,
  "warm-enough": () => "Est aussi chaud que permis.",
  surplus: () => "Utilise le surplus solaire.",
  "hidden-surplus": () => "Essaie si les panneaux donnent plus que ce qui peut être injecté.",
  "no-surplus": () => "Attend un surplus solaire.",
  minimum: () => "Charge à la puissance minimale, faute de surplus.",
  "battery-first": () => "La batterie de la maison est chargée en premier.",
  "not-into-car": ({ subject }) => `N’est pas vidée dans une voiture${named(subject)}.`,
  "waits-minimum-time": ({ until }) => `Pause entre deux commutations${ending(until)}.`,
  "switches-phases": ({ until }) => `Passe d’une phase à trois, ou de trois à une${ending(until)}.`,
  "wakes-car": ({ until }) =>
    `La voiture ne prend pas de courant : elle est arrêtée puis remise en marche pour la réveiller${ending(until)}.`,
  "car-does-not-charge": () => "La voiture ne prend pas le courant proposé.",
  "takes-no-command": () =>
    "L’appareil n’accepte aucune commande pour le moment, ou quelqu’un d’autre le modifie sans cesse.",
  "nothing-to-do": () => "Il n’y a rien à faire.",
};

function named(subject: string | null): string {
  return subject === null ? "" : ` (${subject})`;
}

function ending(until: string | null): string {
  return until === null ? "" : ` jusqu’à ${until}`;
}

export const FRENCH_PLAN: PlanTexts = {
  surplus: ({ when }) => `Utilise le surplus solaire${when}.`,
  cheaper: ({ when, difference, alternative }) =>
    difference === null
      ? `Prend du courant au réseau${when}, car il est bon marché.`
      : `Prend du courant au réseau${when}, car le kWh coûte ${difference} de moins que${alternative}.`,
  "whole-time-needed": ({ when }) => `Charge${when} : tout le temps jusqu’à l’objectif est nécessaire.`,
  "out-of-reach": ({ when, short }) => `Charge${when} ; l’objectif ne peut pas être atteint, il manquera ${short} kWh.`,
  "before-target": ({ when }) => `Charge${when} ; aucun autre moment avant l’objectif ne serait moins cher.`,
  "covers-house": ({ when }) => `Couvre la consommation de la maison${when}.`,
  "waits-for-dearer-hours": ({ when, difference, alternative }) =>
    difference === null
      ? `Garde son énergie${when} pour des heures plus chères.`
      : `Garde son énergie${when}, car le kWh coûte ${difference} de plus${alternative}.`,
  sells: ({ when }) => `Injecte dans le réseau${when}, car cela rapporte plus que l’énergie ne vaudra plus tard.`,
  "full-charge": ({ when }) =>
    `Se charge une fois complètement${when === "" ? ", dès que c’est possible" : when}, car cela n’est pas arrivé ces dix derniers jours.`,
  reserve: ({ when }) => `Prend du courant au réseau${when}, car la charge est inférieure à la réserve.`,
  "heats-cheaper": ({ when, difference, alternative }) =>
    difference === null
      ? `Chauffe${when}, car le courant est alors bon marché.`
      : `Chauffe${when}, car le kWh coûte ${difference} de moins que${alternative}.`,
  comfort: ({ when }) => `Chauffe${when}, car il ferait trop froid.`,
  "unknown-charge": () =>
    "N’est pas planifié : on ne connaît pas son niveau de charge, l’énergie chargée, sa température ou sa puissance.",
  "in-other-hands": () => "N’est pas planifié : quelqu’un d’autre l’a réglé, ou il n’accepte pas de commandes.",
  "nothing-to-do": () => "Il n’y a rien à faire.",
  "no-prices": () =>
    "Il n’y a pas de plan : aucun prix n’est connu à partir de maintenant. Il faut définir un tarif ou un marché.",
  "no-solution": () => "Il n’y a pas de plan : le calcul a échoué. Les appareils suivent la règle simple.",
  "no-history": () =>
    "Il n’y a pas de plan : la consommation de la maison n’est pas encore connue. Une heure du compteur suffit.",
  "clock-not-set": () => "Il n’y a pas de plan : l’heure n’est pas connue.",
  "nothing-to-plan": () =>
    "Il n’y a pas de plan : aucune batterie n’est planifiée, aucun véhicule branché n’a d’objectif en mode « Planifié » et aucun chauffage n’est dans ce mode.",
  "not-read-yet": () => "Il n’y a pas encore de plan : le compteur, ou un appareil à planifier, n’a pas encore été lu.",
  "not-made-yet": () => "Le plan est en cours de calcul.",
  between: (from, to) => ` de ${from} à ${to}`,
  and: " et",
};
