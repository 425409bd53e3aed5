import type { ERRORS_ENGLISH } from "./en-us.ts";

/** Why something that a person asked for was not done, in German. */
export const ERRORS_GERMAN: typeof ERRORS_ENGLISH = {
  invalid: "Das Gateway nimmt das so nicht an.",
  gone: "Das gibt es nicht mehr. Laden Sie die Seite neu.",
  noAnswer: "Das Gerät oder der Dienst seines Herstellers antwortet nicht.",
  conflict: "Das geht gerade nicht.",
  others: "Etwas anderes steuert das Gerät gerade.",
  tooMany: "Das war zu oft. Warten Sie eine Minute und versuchen Sie es dann noch einmal.",
  stopping: "Das Gateway startet oder stoppt gerade. Versuchen Sie es in einigen Sekunden noch einmal.",
  broken: "Im Gateway ist etwas schiefgegangen; was, steht in seinem Protokoll.",
  nameTaken: "Es gibt schon ein Konto mit diesem Namen, oder so viele Konten, wie es geben kann.",
  lastOwner: "Das Haus braucht einen Eigentümer: Machen Sie zuerst jemand anderen dazu.",
  searching: "Eine Suche läuft schon.",
  known:
    "Das Gerät ist schon da, wird gerade von jemand anderem hinzugefügt oder wurde unter zwei Adressen zugleich gefunden.",
  cannotFix: "Das Gateway kann das nicht beheben, oder jemand hat schon darüber entschieden.",
  setElsewhere:
    "Das lässt sich hier gerade nicht ändern: Die Konfigurationsdatei oder der Cloud-Dienst des Gateways legt es fest.",
  loadCheck:
    "Die Prüfung kann nicht beginnen: Sie braucht einen Netzzähler, der antwortet, und keine andere Prüfung darf laufen.",
  stepsOpen: "Es sind noch Schritte offen, oder eine Prüfung oder ein Test läuft.",
  backupBusy: "Eine Sicherung wird gerade gemacht oder gelesen. Versuchen Sie es danach noch einmal.",
  recipients: "Es gibt so viele Empfänger, wie es geben kann, oder die Konfigurationsdatei legt sie fest.",
  mailNeeded:
    "Empfänger bekommen E-Mails über diesen Mailserver; entfernen Sie sie zuerst. Legt die Konfigurationsdatei ihn fest, wird er dort geändert.",
  passkeys:
    "Passkeys brauchen https und eine Adresse mit Namen, etwa hemgate.local, und ein Konto hat höchstens 20 davon.",
  issues: {
    too_small: "zu klein oder zu kurz",
    too_big: "zu groß oder zu lang",
    invalid_type: "fehlt, oder ist von der falschen Art",
    other: "nicht gültig",
  },
};
