import type { UpdateTexts } from "./en-us.ts";

export const UPDATE_DUTCH: UpdateTexts = {
  title: "Bijwerken",
  about: "Welke versie draait, of er een nieuwere is, en hoe ver een update is",
  lead: "Een nieuwere versie blijft alleen als ze even goed werkt als deze. Anders komt deze vanzelf terug.",
  ownersOnly: "Alleen eigenaren werken de gateway bij.",
  versions: "Versies",
  running: "Draait",
  unknown: "onbekend",
  newest: "Nieuwere versie",
  noneKnown: "geen bekend",
  lookedAt: "Laatst gezocht",
  notPackage:
    "Deze gateway is niet als Debian-pakket geïnstalleerd en kan daarom niet vanaf deze pagina worden bijgewerkt. Dat doet wie hem heeft geïnstalleerd.",
  check: "Naar een nieuwere versie zoeken",
  install: (version) => `Bijwerken naar ${version}`,
  sure: "De gateway stopt enkele minuten, en de apparaten staan zolang op hun veilige instellingen. Nu bijwerken?",
  automatic: "Ze wordt vanzelf geïnstalleerd op het tijdstip in de configuratie (update.window).",
  busy: "Er loopt een update of een zoekactie. Wacht tot die klaar is.",
  progress: "Voortgang",
  looking: "De pakketbron wordt gevraagd …",
  leave: "U kunt deze pagina verlaten. Het gaat vanzelf verder.",
  steps: {
    requested: "De nieuwere versie ophalen",
    prepared: "De gateway stoppen, zijn geheugen kopiëren, installeren",
    installed: "De nieuwere versie volgen tot ze zich heeft bewezen",
  },
  states: { done: "klaar", now: "nu", open: "komt nog" },
  outcomes: {
    newest: "Er is geen nieuwere versie.",
    available: (version) => `Versie ${version} is beschikbaar.`,
    kept: (version) => `Versie ${version} werkt en blijft.`,
    "rolled-back": (from, to) => `Versie ${from} draait weer in plaats van ${to}, met haar geheugen van daarvoor.`,
    skipped: "Er is niets geïnstalleerd:",
    failed: "Het is mislukt, en er is niets gewijzigd:",
  },
  back: "Zelf teruggaan",
  backAbout:
    "Voer dit in op de machine van de gateway om terug te gaan naar de vorige versie met haar geheugen van toen. Wat sindsdien is ingesteld en gemeten, wordt apart gezet.",
  command: "Opdracht die teruggaat naar de vorige versie",
};
