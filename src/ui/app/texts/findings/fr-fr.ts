import type { FindingTexts } from "./en-us.ts";

export const FINDINGS_FRENCH: FindingTexts = {
  titles: {
    sign: "Un sens est inversé",
    phase: "Des phases sont permutées",
    role: "Un compteur mesure autre chose",
    scale: "Une valeur a la mauvaise échelle",
    duplicate: "Un appareil est là deux fois",
    frozen: "Une valeur est figée",
    range: "Une valeur est impossible",
    balance: "Le bilan de la maison ne tombe pas juste",
    control: "Quelqu’un d’autre commande un appareil",
    identity: "Un autre appareil répond à cette adresse",
    storage: "Des données enregistrées étaient abîmées",
    site: "Le fusible de la maison n’est pas connu",
    forecast: "Les panneaux sont loin de leur prévision",
    backup: "Aucune sauvegarde n’a été faite",
  },
  noGridMeter: "La maison n’a pas de compteur réseau",
  siteAbout: "Sans le fusible, rien ne protège le raccordement quand voitures, chaleur et maison tirent ensemble.",
  backupAbout:
    "Si le stockage de la passerelle lâche maintenant, ce qui s’est passé depuis la dernière sauvegarde est perdu.",
  seen: (time) => `vu pour la première fois ${time}`,
  fix: "Corriger",
  fixes: {
    invert: "Corriger inverse le signe de ces mesures dès maintenant.",
    scale: "Corriger multiplie ces mesures dès maintenant.",
    phases: "Corriger met les phases dans l’ordre de la maison.",
    hide: "Corriger masque le second.",
    replace: "Corriger met le nouvel appareil à la place de l’ancien, avec son historique.",
  },
  undo: "Cela s’annule sur la page de l’appareil. Le câblage est l’affaire d’un électricien.",
  noFix: "L’appareil ou ses réglages sont à vérifier.",
  dismiss: "C’est juste, ne plus demander",
  setFuse: "Saisir le fusible",
  openBackups: "Voir les sauvegardes",
};
