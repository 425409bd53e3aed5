import type { UpdateTexts } from "./en-us.ts";

export const UPDATE_GERMAN: UpdateTexts = {
  title: "Aktualisierung",
  about: "Welche Version läuft, ob es eine neuere gibt, und wie weit eine Aktualisierung ist",
  lead: "Eine neuere Version bleibt nur, wenn sie so gut läuft wie diese. Sonst kommt diese von selbst zurück.",
  ownersOnly: "Nur Eigentümer aktualisieren das Gateway.",
  versions: "Versionen",
  running: "Läuft",
  unknown: "unbekannt",
  newest: "Neuere Version",
  noneKnown: "keine bekannt",
  lookedAt: "Zuletzt gesucht",
  notPackage:
    "Dieses Gateway ist nicht als Debian-Paket installiert und lässt sich deshalb nicht von dieser Seite aktualisieren. Das tut, wer es installiert hat.",
  check: "Nach einer neueren Version suchen",
  install: (version) => `Auf ${version} aktualisieren`,
  sure: "Das Gateway hält für einige Minuten an, die Geräte stehen so lange auf ihren sicheren Werten. Jetzt aktualisieren?",
  automatic: "Sie wird zu der Zeit in der Konfiguration von selbst installiert (update.window).",
  busy: "Eine Aktualisierung oder eine Suche läuft. Bitte warten, bis sie zu Ende ist.",
  progress: "Fortschritt",
  looking: "Die Paketquelle wird gefragt …",
  leave: "Sie können diese Seite verlassen. Es geht von selbst weiter.",
  steps: {
    requested: "Die neuere Version holen",
    prepared: "Gateway anhalten, seinen Speicher kopieren, installieren",
    installed: "Die neuere Version beobachten, bis sie sich bewährt hat",
  },
  states: { done: "erledigt", now: "jetzt", open: "kommt noch" },
  outcomes: {
    newest: "Es gibt keine neuere Version.",
    available: (version) => `Version ${version} ist verfügbar.`,
    kept: (version) => `Version ${version} läuft und bleibt.`,
    "rolled-back": (from, to) => `Statt ${to} läuft wieder Version ${from}, mit ihrem Speicher von vorher.`,
    skipped: "Es wurde nichts installiert:",
    failed: "Es ist fehlgeschlagen, geändert wurde nichts:",
  },
  back: "Von Hand zurück",
  backAbout:
    "Diesen Befehl am Gerät des Gateways eingeben, um zur vorigen Version mit ihrem damaligen Speicher zurückzukehren. Was seitdem eingestellt und gemessen wurde, wird beiseitegelegt.",
  command: "Befehl, der zur vorigen Version zurückkehrt",
};
