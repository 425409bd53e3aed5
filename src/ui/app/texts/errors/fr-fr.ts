import type { ERRORS_ENGLISH } from "./en-us.ts";

/** Why something that a person asked for was not done, in French. */
export const ERRORS_FRENCH: typeof ERRORS_ENGLISH = {
  invalid: "La passerelle n’accepte pas cela.",
  gone: "Cela n’existe plus. Rechargez la page.",
  noAnswer: "L’appareil, ou le service de son fabricant, ne répond pas.",
  conflict: "Ce n’est pas possible maintenant.",
  others: "Autre chose commande l’appareil en ce moment.",
  tooMany: "C’était trop souvent. Attendez une minute, puis réessayez.",
  stopping: "La passerelle démarre ou s’arrête. Réessayez dans quelques secondes.",
  broken: "Quelque chose a échoué dans la passerelle ; son journal dit quoi.",
  nameTaken: "Il y a déjà un compte de ce nom, ou autant de comptes qu’il peut y en avoir.",
  lastOwner: "La maison a besoin d’un propriétaire : nommez d’abord quelqu’un d’autre.",
  searching: "Une recherche est déjà en cours.",
  known: "L’appareil est déjà là, quelqu’un d’autre l’ajoute, ou il a été trouvé à deux adresses à la fois.",
  cannotFix: "La passerelle ne peut pas corriger cela, ou quelqu’un en a déjà décidé.",
  setElsewhere:
    "Cela ne peut pas être changé ici maintenant : le fichier de configuration ou le service cloud de la passerelle le fixe.",
  loadCheck:
    "Le contrôle ne peut pas commencer : il faut un compteur de réseau qui répond, et aucun autre contrôle en cours.",
  stepsOpen: "Des étapes sont encore ouvertes, ou un contrôle ou un test est en cours.",
  backupBusy: "Une sauvegarde est en cours d’écriture ou de lecture. Réessayez ensuite.",
  recipients: "Il y a autant de destinataires qu’il peut y en avoir, ou le fichier de configuration les fixe.",
  mailNeeded:
    "Des destinataires reçoivent des e-mails par ce serveur ; retirez-les d’abord. S’il est fixé par le fichier de configuration, il se change là.",
  passkeys:
    "Les clés d’accès demandent https et une adresse avec un nom, comme hemgate.local, et un compte en a 20 au plus.",
  issues: {
    too_small: "trop petit ou trop court",
    too_big: "trop grand ou trop long",
    invalid_type: "manque, ou n’est pas du bon type",
    other: "non valable",
  },
};
