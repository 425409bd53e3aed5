import type { UpdateTexts } from "./en-us.ts";

export const UPDATE_SWEDISH: UpdateTexts = {
  title: "Uppdatering",
  about: "Vilken version som körs, om det finns en nyare, och hur långt en uppdatering har kommit",
  lead: "En nyare version behålls bara om den fungerar lika bra som den här. Annars kommer den här tillbaka av sig själv.",
  ownersOnly: "Bara ägare uppdaterar gatewayen.",
  versions: "Versioner",
  running: "Körs",
  unknown: "okänd",
  newest: "Nyare version",
  noneKnown: "ingen känd",
  lookedAt: "Senast sökt",
  notPackage:
    "Den här gatewayen är inte installerad som ett Debianpaket och kan därför inte uppdateras från den här sidan. Det gör den som installerade den.",
  check: "Sök efter en nyare version",
  install: (version) => `Uppdatera till ${version}`,
  sure: "Gatewayen stannar i några minuter, och enheterna står på sina säkra inställningar under tiden. Uppdatera nu?",
  automatic: "Den installeras av sig själv vid tiden i konfigurationen (update.window).",
  busy: "En uppdatering eller en sökning pågår. Vänta tills den är klar.",
  progress: "Förlopp",
  looking: "Paketförrådet tillfrågas …",
  leave: "Du kan lämna sidan. Det fortsätter av sig själv.",
  steps: {
    requested: "Hämta den nyare versionen",
    prepared: "Stanna gatewayen, kopiera dess minne, installera",
    installed: "Följa den nyare versionen tills den har visat att den fungerar",
  },
  states: { done: "klart", now: "nu", open: "återstår" },
  outcomes: {
    newest: "Det finns ingen nyare version.",
    available: (version) => `Version ${version} finns.`,
    kept: (version) => `Version ${version} fungerar och blir kvar.`,
    "rolled-back": (from, to) =>
      `Version ${from} körs igen i stället för ${to}, med sitt minne från före uppdateringen.`,
    skipped: "Inget installerades:",
    failed: "Det misslyckades, och inget ändrades:",
  },
  back: "Gå tillbaka för hand",
  backAbout:
    "Skriv detta vid gatewayens maskin för att gå tillbaka till den förra versionen med dess minne från då. Det som har ställts in och mätts sedan dess läggs åt sidan.",
  command: "Kommando som går tillbaka till den förra versionen",
};
