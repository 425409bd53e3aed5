import type { Limited, NotificationTexts } from "./notification-texts.ts";

const LIMITED: Readonly<Record<Limited, string>> = {
  import: "den Bezug des Hauses",
  export: "die Einspeisung",
  controllable: "Wallboxen, Wärmepumpen und Batterien",
};

export const GERMAN: NotificationTexts = {
  when: (day, time) => (day === null ? `um ${time} Uhr` : `am ${day} um ${time} Uhr`),
  silent: (device, since) => ({
    title: `${device} antwortet nicht`,
    text: `${since === null ? "Das Gerät hat noch nie geantwortet." : `Die letzte Antwort kam ${since}.`} Bitte prüfen, ob es Strom hat und ob Netzwerkkabel oder WLAN funktionieren; die Seite Geräte sagt, was nicht stimmt.`,
  }),
  answers: (device) => ({ title: `${device} antwortet wieder`, text: "Es ist nichts zu tun." }),
  limited: (what, power) => ({
    title: `Der Netzbetreiber begrenzt ${LIMITED[what]} auf ${power}`,
    text: "Laden und Heizen können so lange mehr Zeit brauchen. Es ist nichts zu tun.",
  }),
  free: (what) => ({
    title: `Der Netzbetreiber begrenzt ${LIMITED[what]} nicht mehr`,
    text: "Es ist nichts zu tun.",
  }),
  missed: (device, at, short) => ({
    title: `${device} wird nicht rechtzeitig geladen`,
    text: `Es werden ${at} ${short} fehlen. Auf der Seite Laden „Jetzt laden“ oder eine spätere Zeit wählen.`,
  }),
  reached: (device, at) => ({
    title: `${device} wird doch rechtzeitig geladen`,
    text: `Das Ziel wird ${at} erreicht. Es ist nichts zu tun.`,
  }),
  checks: {
    sign: "eine Richtung ist verdreht",
    phase: "Phasen sind vertauscht",
    role: "der Zähler misst etwas anderes",
    scale: "ein Wert hat die falsche Größe",
    duplicate: "das Gerät ist doppelt da",
    frozen: "ein Wert steht still",
    range: "ein Wert kann nicht sein",
    balance: "das Haus geht nicht auf",
    control: "jemand anderes steuert das Gerät",
    identity: "ein anderes Gerät antwortet unter dieser Adresse",
  },
  found: (device, check) => ({
    title: `${device}: ${check}`,
    text: "Die Seite Geräte zeigt, was gemessen wurde und was man tun kann. Verdrahten ist Sache des Elektrikers.",
  }),
  resolved: (device, check) => ({
    title: `${device}: behoben (${check})`,
    text: "Die Werte passen wieder. Es ist nichts zu tun.",
  }),
  backupFailed: {
    title: "Die Sicherung ist fehlgeschlagen",
    text: "Bitte prüfen, ob der Datenträger oder der Server für Sicherungen angeschlossen ist und Platz hat; das Protokoll sagt, was nicht ging. Zur nächsten Zeit wird es wieder versucht.",
  },
  backupMade: { title: "Die Sicherung klappt wieder", text: "Es ist nichts zu tun." },
  updateAvailable: (version, isAutomatic) => ({
    title: `Version ${version} ist da`,
    text: isAutomatic
      ? "Sie wird zur eingestellten Zeit von selbst installiert. Es ist nichts zu tun."
      : "Installieren Sie sie am Gateway mit „sudo hemgate update“, wann es Ihnen passt. Was nicht geht, wird zurückgenommen.",
  }),
  updateRolledBack: (version) => ({
    title: `Version ${version} wurde zurückgenommen`,
    text: "Das Gateway läuft mit der Version davor, und seine Daten sind, wie sie waren. „sudo hemgate update status“ am Gateway sagt, warum. Bis es eine neuere Version gibt, ist nichts zu tun.",
  }),
  several: (count) => `${count} Meldungen`,
  more: (count) => `Und ${count} weitere; die Seite zeigt sie.`,
  test: { title: "Ein Test", text: "Meldungen des Hauses kommen hier an. Es ist nichts zu tun." },
};
