import type { Limited, NotificationTexts } from "./notification-texts.ts";

const LIMITED: Readonly<Record<Limited, string>> = {
  import: "le soutirage de la maison",
  export: "l’injection",
  controllable: "les bornes, les pompes à chaleur et les batteries",
};

export const FRENCH: NotificationTexts = {
  when: (day, time) => (day === null ? `à ${time}` : `le ${day} à ${time}`),
  silent: (device, since) => ({
    title: `${device} ne répond pas`,
    text: `${since === null ? "L’appareil n’a jamais répondu." : `Il a répondu pour la dernière fois ${since}.`} Vérifiez qu’il est alimenté et que son câble réseau ou le Wi-Fi fonctionne ; la page Appareils dit ce qui ne va pas.`,
  }),
  answers: (device) => ({ title: `${device} répond de nouveau`, text: "Il n’y a rien à faire." }),
  limited: (what, power) => ({
    title: `Le gestionnaire de réseau limite ${LIMITED[what]} à ${power}`,
    text: "La recharge et le chauffage peuvent prendre plus de temps d’ici là. Il n’y a rien à faire.",
  }),
  free: (what) => ({
    title: `Le gestionnaire de réseau ne limite plus ${LIMITED[what]}`,
    text: "Il n’y a rien à faire.",
  }),
  missed: (device, at, short) => ({
    title: `${device} ne sera pas chargé à temps`,
    text: `Il manquera ${short} ${at}. Choisissez « charger maintenant » sur la page Recharge, ou une heure plus tardive.`,
  }),
  reached: (device, at) => ({
    title: `${device} sera finalement chargé à temps`,
    text: `L’objectif sera atteint ${at}. Il n’y a rien à faire.`,
  }),
  checks: {
    sign: "un sens est inversé",
    phase: "des phases sont permutées",
    role: "le compteur mesure autre chose",
    scale: "une valeur a la mauvaise échelle",
    duplicate: "l’appareil est là deux fois",
    frozen: "une valeur est figée",
    range: "une valeur est impossible",
    balance: "le bilan de la maison ne tombe pas juste",
    control: "quelqu’un d’autre commande l’appareil",
    identity: "un autre appareil répond à cette adresse",
  },
  found: (device, check) => ({
    title: `${device} : ${check}`,
    text: "La page Appareils montre ce qui a été mesuré et ce qu’on peut faire. Le câblage est l’affaire d’un électricien.",
  }),
  resolved: (device, check) => ({
    title: `${device} : résolu (${check})`,
    text: "Les valeurs concordent de nouveau. Il n’y a rien à faire.",
  }),
  backupFailed: {
    title: "La sauvegarde a échoué",
    text: "Vérifiez que le disque ou le serveur des sauvegardes est branché et a de la place ; le journal dit ce qui n’a pas marché. Un nouvel essai aura lieu à la prochaine heure prévue.",
  },
  backupMade: { title: "La sauvegarde fonctionne de nouveau", text: "Il n’y a rien à faire." },
  updateAvailable: (version, isAutomatic) => ({
    title: `La version ${version} est disponible`,
    text: isAutomatic
      ? "Elle s’installe d’elle-même à l’heure prévue. Il n’y a rien à faire."
      : "Installez-la sur la passerelle avec « sudo hemgate update », quand cela vous convient. Ce qui ne marche pas est annulé.",
  }),
  updateRolledBack: (version) => ({
    title: `La version ${version} a été annulée`,
    text: "La passerelle fonctionne avec la version précédente, et ses données sont comme avant. « sudo hemgate update status » sur la passerelle dit pourquoi. Il n’y a rien à faire jusqu’à une version plus récente.",
  }),
  several: (count) => `${count} messages`,
  more: (count) => `Et ${count} de plus ; la page les montre.`,
  test: { title: "Un essai", text: "Les notifications de la maison arrivent ici. Il n’y a rien à faire." },
};
