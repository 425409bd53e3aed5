import type { UpdateTexts } from "./en-us.ts";

export const UPDATE_FRENCH: UpdateTexts = {
  title: "Mises à jour",
  about: "La version en marche, une plus récente, et où en est une mise à jour",
  lead: "Une version plus récente n’est gardée que si elle marche aussi bien que celle-ci. Sinon, celle-ci revient d’elle-même.",
  ownersOnly: "Seuls les propriétaires mettent la passerelle à jour.",
  versions: "Versions",
  running: "En marche",
  unknown: "inconnue",
  newest: "Version plus récente",
  noneKnown: "aucune connue",
  lookedAt: "Dernière recherche",
  notPackage:
    "Cette passerelle n’a pas été installée comme paquet Debian et ne peut donc pas être mise à jour depuis cette page. C’est à la personne qui l’a installée de le faire.",
  check: "Chercher une version plus récente",
  install: (version) => `Passer à la version ${version}`,
  sure: "La passerelle s’arrête quelques minutes, et les appareils restent à leurs réglages sûrs pendant ce temps. Mettre à jour maintenant ?",
  automatic: "Elle est installée d’elle-même à l’heure indiquée dans la configuration (update.window).",
  busy: "Une mise à jour ou une recherche est en cours. Attendez qu’elle soit terminée.",
  progress: "Avancement",
  looking: "Le dépôt est interrogé …",
  leave: "Vous pouvez quitter cette page. Cela continue tout seul.",
  steps: {
    requested: "Télécharger la version plus récente",
    prepared: "Arrêter la passerelle, copier sa mémoire, installer",
    installed: "Observer la nouvelle version jusqu’à ce qu’elle ait fait ses preuves",
  },
  states: { done: "fait", now: "en cours", open: "à venir" },
  outcomes: {
    newest: "Il n’y a pas de version plus récente.",
    available: (version) => `La version ${version} est disponible.`,
    kept: (version) => `La version ${version} marche et reste.`,
    "rolled-back": (from, to) =>
      `La version ${from} est de nouveau en marche à la place de ${to}, avec sa mémoire d’avant.`,
    skipped: "Rien n’a été installé :",
    failed: "Cela a échoué, et rien n’a été modifié :",
  },
  back: "Revenir à la main",
  backAbout:
    "Entrez ceci sur la machine de la passerelle pour revenir à la version précédente avec sa mémoire d’alors. Ce qui a été réglé et mesuré depuis est mis de côté.",
  command: "Commande qui revient à la version précédente",
};
