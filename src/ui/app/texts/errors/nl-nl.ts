import type { ERRORS_ENGLISH } from "./en-us.ts";

/** Why something that a person asked for was not done, in Dutch. */
export const ERRORS_DUTCH: typeof ERRORS_ENGLISH = {
  invalid: "De gateway aanvaardt dit zo niet.",
  gone: "Dit bestaat niet meer. Laad de pagina opnieuw.",
  noAnswer: "Het apparaat of de dienst van de fabrikant antwoordt niet.",
  conflict: "Dat kan nu niet.",
  others: "Iets anders stuurt het apparaat nu.",
  tooMany: "Dat was te vaak. Wacht een minuut en probeer het dan opnieuw.",
  stopping: "De gateway start of stopt net. Probeer het over enkele seconden opnieuw.",
  broken: "Er is iets misgegaan in de gateway; in het logboek staat wat.",
  nameTaken: "Er is al een account met deze naam, of er zijn er zoveel als er kunnen zijn.",
  lastOwner: "Het huis heeft een eigenaar nodig: maak eerst iemand anders eigenaar.",
  searching: "Er wordt al gezocht.",
  known: "Het apparaat is er al, wordt door iemand anders toegevoegd of is op twee adressen tegelijk gevonden.",
  cannotFix: "De gateway kan dit niet herstellen, of iemand heeft er al over beslist.",
  setElsewhere:
    "Dit kan hier nu niet worden gewijzigd: het configuratiebestand of de clouddienst van de gateway bepaalt het.",
  loadCheck:
    "De controle kan niet beginnen: er is een netmeter nodig die antwoordt, en er mag geen andere controle lopen.",
  stepsOpen: "Er staan nog stappen open, of er loopt een controle of een test.",
  backupBusy: "Er wordt een back-up gemaakt of gelezen. Probeer het opnieuw als dat klaar is.",
  recipients: "Er zijn zoveel ontvangers als er kunnen zijn, of het configuratiebestand bepaalt ze.",
  mailNeeded:
    "Ontvangers krijgen e-mail via deze mailserver; verwijder ze eerst. Bepaalt het configuratiebestand hem, dan wordt hij daar gewijzigd.",
  passkeys:
    "Passkeys vragen om https en een adres met een naam, zoals hemgate.local, en een account heeft er hoogstens 20.",
  issues: {
    too_small: "te klein of te kort",
    too_big: "te groot of te lang",
    invalid_type: "ontbreekt, of is van de verkeerde soort",
    other: "niet geldig",
  },
};
