import { type InterventionTexts, paragraphs } from "./text.ts";

export const FRENCH: InterventionTexts = {
  relink: (brand) => ({
    title: brand === null ? "Associez de nouveau votre compte" : `Associez de nouveau votre compte ${brand}`,
    description: paragraphs(
      `L’accès à ${brand ?? "cet appareil"} n’est plus valable. Cela arrive après un changement de mot de passe ou lorsque l’autorisation a été retirée.`,
      "1. Ouvrez l’application dans laquelle vous avez associé l’appareil.\n2. Choisissez **Associer de nouveau**.\n3. Connectez-vous et confirmez vos appareils.",
      "Vos appareils, leur historique et leurs programmations sont conservés.",
    ),
  }),
  reconnect: (brand) => ({
    title: brand === null ? "Reconnectez l’appareil" : `Reconnectez votre appareil ${brand}`,
    description: paragraphs(
      `La passerelle ne reçoit aucune réponse de ${brand === null ? "l’appareil" : `l’appareil ${brand}`}.`,
      "1. Vérifiez que l’appareil est alimenté et n’affiche aucune erreur.\n2. Vérifiez le câble réseau ou le Wi-Fi, et assurez-vous que l’appareil se trouve sur le même réseau que la passerelle.\n3. Si votre routeur a été remplacé, redonnez à l’appareil son ancienne adresse.\n4. Éteignez l’appareil, attendez une minute, puis rallumez-le.",
      "La passerelle continue d’essayer. Vous n’avez rien à configurer de nouveau.",
    ),
  }),
  "grant-control": (brand) => ({
    title: brand === null ? "Autorisez la commande" : `Autorisez la commande de votre appareil ${brand}`,
    description: paragraphs(
      `${brand === null ? "Cet appareil" : `Votre appareil ${brand}`} peut être lu, mais pas commandé, car cette autorisation n’a pas été donnée lors de l’association.`,
      "Associez l’appareil encore une fois dans votre application et laissez cochée l’autorisation de le **commander**.",
    ),
  }),
  "confirm-control": (brand) => ({
    title: brand === null ? "Faites confirmer la commande" : `Faites confirmer la commande de votre appareil ${brand}`,
    description: paragraphs(
      "La passerelle sait commander ce modèle, mais personne n’a encore confirmé que cela fonctionne sur cet appareil précis. D’ici là, elle se contente de le lire.",
      "Demandez à votre installateur d’essayer la commande en observant l’appareil, puis de la confirmer dans la configuration de la passerelle.",
    ),
  }),
  "check-installation": (brand) => ({
    title:
      brand === null ? "Vérifier l’installation de l’appareil" : `Vérifier l’installation de votre appareil ${brand}`,
    description: paragraphs(
      brand === null
        ? "Ce que cet appareil indique ne correspond pas au reste de la maison."
        : `Ce que votre appareil ${brand} indique ne correspond pas au reste de la maison.`,
      "Un câble ou un capteur est peut-être inversé, des phases sont peut-être mélangées ou un mauvais modèle est réglé. Le contrôle d’installation de la passerelle montre ce qui a été mesuré.",
      "Demandez à votre installateur de comparer les valeurs avec l’appareil et de confirmer la correction que la passerelle propose.",
    ),
  }),
  "other-controller": (brand) => ({
    title:
      brand === null
        ? "Cherchez qui d’autre commande l’appareil"
        : `Cherchez qui d’autre commande votre appareil ${brand}`,
    description: paragraphs(
      `La passerelle avait réglé ${brand === null ? "cet appareil" : `votre appareil ${brand}`}, et quelqu’un l’a modifié : une autre application ou un autre gestionnaire d’énergie, un programme horaire de l’appareil lui-même ou une personne devant l’appareil. La passerelle a cédé.`,
      "1. Si c’était vous, il n’y a rien à faire.\n2. Sinon, cherchez des programmes horaires et des modes automatiques dans l’application du fabricant et dans d’autres gestionnaires d’énergie, et n’en laissez qu’un seul activé.\n3. Donnez ensuite votre commande de nouveau.",
      "Cet avis disparaît lorsque la passerelle commande de nouveau l’appareil ou que celui-ci est revenu à la normale.",
    ),
  }),
  "enable-modbus": (brand) => ({
    title: brand === null ? "Activez Modbus TCP" : `Activez Modbus TCP sur votre appareil ${brand}`,
    description: paragraphs(
      `La passerelle communique avec ${brand === null ? "l’appareil" : `l’appareil ${brand}`} par Modbus TCP, souvent désactivé à la livraison.`,
      "1. Ouvrez les réglages de l’appareil, sur son écran ou sur sa propre page web. Un mot de passe d’installateur peut être nécessaire.\n2. Activez **Modbus TCP** sur le port 502. Pour les équipements solaires, choisissez **SunSpec** s’il est proposé.\n3. Si la commande s’autorise séparément, autorisez-la aussi.",
    ),
  }),
};
