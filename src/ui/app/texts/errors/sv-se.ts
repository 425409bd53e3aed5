import type { ERRORS_ENGLISH } from "./en-us.ts";

/** Why something that a person asked for was not done, in Swedish. */
export const ERRORS_SWEDISH: typeof ERRORS_ENGLISH = {
  invalid: "Gatewayen godtar inte detta.",
  gone: "Det finns inte längre. Läs in sidan igen.",
  noAnswer: "Enheten eller tillverkarens tjänst svarar inte.",
  conflict: "Det går inte just nu.",
  others: "Något annat styr enheten just nu.",
  tooMany: "Det var för ofta. Vänta en minut och försök sedan igen.",
  stopping: "Gatewayen startar eller stannar. Försök igen om några sekunder.",
  broken: "Något gick fel i gatewayen; loggen säger vad.",
  nameTaken: "Det finns redan ett konto med detta namn, eller så många konton som det kan finnas.",
  lastOwner: "Huset behöver en ägare: gör först någon annan till ägare.",
  searching: "En sökning pågår redan.",
  known: "Enheten finns redan, läggs till av någon annan eller hittades på två adresser samtidigt.",
  cannotFix: "Gatewayen kan inte åtgärda detta, eller så har någon redan bestämt om det.",
  setElsewhere: "Detta kan inte ändras här nu: konfigurationsfilen eller gatewayens molntjänst bestämmer det.",
  loadCheck: "Kontrollen kan inte börja: den behöver en nätmätare som svarar, och ingen annan kontroll får pågå.",
  stepsOpen: "Steg är ännu öppna, eller så pågår en kontroll eller ett test.",
  backupBusy: "En säkerhetskopia skrivs eller läses. Försök igen när det är klart.",
  recipients: "Det finns så många mottagare som det kan finnas, eller så bestämmer konfigurationsfilen dem.",
  mailNeeded:
    "Mottagare får e-post genom denna e-postserver; ta bort dem först. Om konfigurationsfilen bestämmer den ändras den där.",
  passkeys: "Nycklar kräver https och en adress med namn, såsom hemgate.local, och ett konto har högst 20 av dem.",
  issues: {
    too_small: "för litet eller för kort",
    too_big: "för stort eller för långt",
    invalid_type: "saknas, eller är av fel slag",
    other: "inte giltigt",
  },
};
