import type { MeasuredTexts } from "./en-us.ts";

export const MEASURED_FRENCH: MeasuredTexts = {
  apparent:
    "Les puissances des phases font ensemble {power}, mais la tension multipliée par le courant fait {apparent}.",
  balance:
    "La consommation de la maison, calculée à partir de tous les appareils, a varié de {before} en tout ; {why} elle varie de {after}.",
  asBattery: "si cet appareil est lu comme une batterie,",
  otherDirection: "si la puissance compte dans l’autre sens,",
  multiplied: "si la puissance est multipliée par {factor},",
  clampsMoved: "si ses pinces de courant sont sur d’autres phases que ses tensions, à savoir {misplaced},",
  clampsExchanged: "celles de {one} et {other} échangées",
  clampsRotated: "chacune des trois sur une autre phase",
  linesTurned: "si {lines} comptent dans l’autre sens,",
  unmetered: "s’il est branché là où le compteur du réseau ne le mesure pas,",
  asPanels: "si ce compteur est lu comme celui des panneaux solaires,",
  counter: "{counter} a augmenté de {gain} alors que la puissance a donné {spent}.",
  counterTurned: "{counter} a augmenté de {gain} alors que la puissance a donné {spent} dans l’autre sens.",
  frozen: "{power} et toutes les autres valeurs n’ont pas changé pendant {time}, {why}.",
  othersMoved: "alors que les autres appareils ont varié de {power}",
  counterStill: "alors que {counter} aurait dû augmenter de {energy}",
  chargeStill: "alors que {energy} devraient se voir dans l’état de charge",
  voltages: "Ses tensions s’écartent de celles du compteur de {before} en moyenne ; dans l’ordre {order}, de {after}.",
  phases:
    "La puissance de la borne apparaît sur d’autres phases du compteur : {before} sont inexpliqués, mais seulement {after} dans l’ordre {order}.",
  negative:
    "Calculée à partir du réseau, des panneaux, de la batterie et des bornes, la consommation de la maison est de {power} ; elle ne peut pas être négative.",
  role: "Sa puissance a varié de {moved} quand la charge a fait varier celle de la maison de {left}, comme le fait un compteur du réseau et jamais des panneaux.",
  duplicate: "Les deux donnent la même puissance, qui a varié de {moved}, avec une corrélation de {correlation}.",
  darkMeter: "{point} donne {power} dans l’obscurité : c’est peut-être le compteur du réseau, qui manque à la maison.",
  meterOrSign:
    "{point} donne {power} : c’est peut-être le compteur du réseau, qui manque à la maison, ou un onduleur avec le mauvais signe.",
  batteryDark: "{point} donne {power}, dans l’obscurité, comme une batterie.",
  batteryBoth: "{point} donne {power}, et plus de 0 à d’autres moments, comme une batterie.",
  belowZero: "{point} donne {power} ; cela ne peut pas être au-dessous de 0.",
  range: "{point} donne {value} ; dans une maison c’est entre {min} et {max}.",
  charge:
    "L’état de charge a varié de {change} alors que la puissance était de {power}, qui est positive pendant la charge.",
  failsafe:
    "La passerelle a mis {point} à {setpoint}, et c’est {found}, la valeur de secours de l’appareil, avant la fin du délai de la passerelle : une autre commande a peut-être fixé ce délai.",
  reset:
    "La passerelle a mis {point} à {setpoint}, et c’est {found}, la valeur sûre : une autre commande ou une personne l’a remis, ou l’appareil a redémarré.",
  changed:
    "La passerelle a mis {point} à {setpoint}, et c’est {found} : une autre commande ou une personne à l’appareil l’a changé.",
  otherDevice:
    "Un autre appareil répond à {place}, avec le numéro de série {found} ; {expected} est attendu. Il n’est ni lu ni commandé ; l’appareil attendu est cherché à d’autres adresses.",
  loadTurned: "Une charge de {load} a été allumée, et {lines} a baissé de {fell} : le sens est inversé.",
  loadTurnedMeter: "Une charge de {load} a été allumée, et le compteur a baissé de {fell} : le sens est inversé.",
  loadOtherPhase:
    "Une charge de {load} a été allumée sur {line}, et au compteur {lines} a augmenté : les pinces sont sur d’autres phases que leur nom.",
  loadMisplaced:
    "Une charge de {load} a été allumée, et sur {lines} le courant a augmenté plus que la puissance : une pince est sur une autre phase que la tension avec laquelle elle est combinée.",
  noImportLimit:
    "Le raccordement au réseau n’a pas de limite de soutirage : rien ne protège son fusible. Réglez site.connection.fuseA, ou PATCH /local/site.",
  noGridMeter:
    "Le raccordement au réseau a des limites, mais la maison n’a pas de compteur réseau : rien ne les fait respecter. Ajoutez le compteur du raccordement, ou réglez lequel s’y trouve.",
  forecastHigh:
    "Ces deux dernières semaines, les panneaux ont produit {measured} alors que {forecast} étaient prévus. La prévision compte fois {factor}. Vérifiez sous Réglages, Prévision solaire, si la puissance crête, l’inclinaison et la direction des panneaux sont justes. Si oui, cherchez une ombre, ou une partie des panneaux à l’arrêt. Si une limite bride souvent les panneaux, écartez ce constat.",
  forecastLow:
    "Ces deux dernières semaines, les panneaux ont produit {measured} alors que {forecast} étaient prévus. La prévision compte fois {factor}. Vérifiez sous Réglages, Prévision solaire, si tous les panneaux sont saisis, et si leur puissance crête, leur inclinaison et leur direction sont justes. Si oui, vérifiez si un compteur compte les panneaux deux fois.",
  siteImport: "{import} : plus que ce que porte le fusible principal de {fuse} ({limit}) ; c’est lui qui limite",
  sitePeak: "{peak} : plus que les {import} souscrits",
  siteFuse: "Le fusible de {fuse} dépasse les {limit} ({above}), qui limitent ; vérifiez les deux",
  siteCircuitKw: "{power} dépassent les {limit} ({above}), qui limitent ; vérifiez les deux",
  siteNoLimit: "{circuit} n’a ni fusible ni puissance maximale et ne limite donc rien",
  sitePanels:
    "{meter} mesure des panneaux et ne compte pas à côté de l’onduleur {inverters} : la production compterait deux fois. Choisissez « ce qui est déjà compté » s’il mesure les panneaux de cet onduleur, ou « d’autres panneaux que ceux de l’onduleur connecté » s’il en mesure d’autres",
  siteNoMeter: "{device} doit mesurer {place} et n’a pas de compteur ; indiquez un appareil qui en a un",
  siteConnection: "le raccordement",
  storage: "Des données enregistrées étaient endommagées (détails en anglais) : {details}",
  backupFailed:
    "La sauvegarde prévue du {time} n’a pas été faite : {failure}. {newest} Une fois la cause écartée, « Sauvegarder maintenant » sous Réglages, Sauvegardes en fait une aussitôt.",
  backupNotUploaded:
    "La sauvegarde prévue du {time} est dans son dossier, mais n’a pas été envoyée : {failure}. Une fois la cause écartée, « Sauvegarder maintenant » sous Réglages, Sauvegardes en fait une aussitôt et l’envoie.",
  backupStale:
    "Deux sauvegardes étaient prévues jusqu’au {time}, et aucune n’a été faite. {newest} La passerelle doit être allumée à l’heure prévue. Une fois la cause écartée, « Sauvegarder maintenant » sous Réglages, Sauvegardes en fait une aussitôt.",
  proofReads: "indique {value}",
  proofAnswers: "répond",
  proofSends: "envoie ce qu’il mesure",
  proofAnnounced: "s’annonce sous le nom {name}",
  proofSilent: "s’annonce sous le nom {name}, mais ne répond pas en Modbus",
  proofModbus: "parle Modbus sur le port {port}, unité {unit}",
  backupNewest: "La dernière qui a été faite est du {time}.",
  backupNone: "Il n’y en a aucune avant.",
  "backup-passphrase": "le fichier ne s’ouvre pas avec la phrase secrète définie",
  "backup-damaged": "le fichier est tronqué ou a été modifié",
  "backup-full": "il n’y a plus de place, ici ou sur le serveur",
  "backup-no-access": "la passerelle n’a pas le droit d’écrire dans le dossier",
  "backup-not-found": "le dossier ou le fichier n’existe pas",
  "backup-no-such-host": "il n’y a pas de serveur de ce nom",
  "backup-unreachable": "le serveur est injoignable",
  "backup-untrusted": "le certificat du serveur n’est pas valable",
  "backup-timeout": "elle n’était pas prête à temps",
  "backup-unauthorized": "le serveur refuse l’utilisateur ou le mot de passe",
  "backup-address-refused": "aucune sauvegarde n’est envoyée à cette adresse",
  "backup-broken": "la connexion a été coupée, ou autre chose répond à cet endroit",
  "backup-rejected": "le serveur n’a pas pris le fichier",
  "backup-stopped": "la passerelle s’est arrêtée entre-temps",
};
