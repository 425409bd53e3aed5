import type { ReachTexts } from "./en-us.ts";

export const REACH_FRENCH: ReachTexts = {
  "connection-refused":
    "Un appareil est à cette adresse, mais il n’accepte aucune connexion sur ce port. Vérifiez le port, et activez l’interface (par exemple Modbus TCP) dans les réglages de l’appareil.",
  "no-such-host":
    "Aucun appareil n’est à cette adresse. Vérifiez l’adresse dans la liste des appareils de votre box, et que l’appareil est allumé.",
  "name-not-found":
    "Le réseau ne connaît aucun appareil de ce nom. Saisissez plutôt son adresse, par exemple 192.168.1.40, sans http:// devant.",
  "outside-house":
    "Cette adresse n’est pas sur votre réseau domestique. Saisissez celle que l’appareil a à la maison, par exemple 192.168.1.40.",
  "no-serial-port":
    "La passerelle ne peut pas ouvrir ce port série. Vérifiez son nom et que l’adaptateur est branché, et fermez les autres programmes qui l’utilisent.",
  "wrong-unit":
    "La connexion fonctionne, mais aucun appareil n’a ce numéro d’unité. Vérifiez le numéro d’unité (identifiant esclave) dans les réglages de l’appareil.",
  "not-answering":
    "L’appareil ne répond pas. Vérifiez son numéro d’unité s’il en a un, fermez les autres programmes qui l’utilisent, et redémarrez-le.",
  "rate-limited": "Trop d’essais en peu de temps. Attendez quelques minutes.",
  unavailable: "Le service du fabricant ne répond pas en ce moment. Réessayez dans quelques minutes.",
};
