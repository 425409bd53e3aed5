import type { Limited, NotificationTexts } from "./notification-texts.ts";

const LIMITED: Readonly<Record<Limited, string>> = {
  import: "husets uttag",
  export: "inmatningen",
  controllable: "laddboxar, värmepumpar och batterier",
};

export const SWEDISH: NotificationTexts = {
  when: (day, time) => (day === null ? `kl. ${time}` : `${day} kl. ${time}`),
  silent: (device, since) => ({
    title: `${device} svarar inte`,
    text: `${since === null ? "Enheten har aldrig svarat." : `Det senaste svaret kom ${since}.`} Kontrollera att den har ström och att nätverkskabeln eller wifi fungerar; sidan Enheter säger vad som är fel.`,
  }),
  answers: (device) => ({ title: `${device} svarar igen`, text: "Det finns inget att göra." }),
  limited: (what, power) => ({
    title: `Nätbolaget begränsar ${LIMITED[what]} till ${power}`,
    text: "Laddning och uppvärmning kan ta längre tid så länge. Det finns inget att göra.",
  }),
  free: (what) => ({
    title: `Nätbolaget begränsar inte längre ${LIMITED[what]}`,
    text: "Det finns inget att göra.",
  }),
  missed: (device, at, short) => ({
    title: `${device} blir inte laddad i tid`,
    text: `${short} kommer att saknas ${at}. Välj ”ladda nu” på sidan Laddning, eller en senare tid.`,
  }),
  reached: (device, at) => ({
    title: `${device} blir laddad i tid ändå`,
    text: `Målet nås ${at}. Det finns inget att göra.`,
  }),
  checks: {
    sign: "en riktning är omvänd",
    phase: "faser är förväxlade",
    role: "mätaren mäter något annat",
    scale: "ett värde har fel storlek",
    duplicate: "enheten finns två gånger",
    frozen: "ett värde står stilla",
    range: "ett värde är omöjligt",
    balance: "huset går inte ihop",
    control: "någon annan styr enheten",
    identity: "en annan enhet svarar på den här adressen",
  },
  found: (device, check) => ({
    title: `${device}: ${check}`,
    text: "Sidan Enheter visar vad som mättes och vad man kan göra. Kablage är ett jobb för en elektriker.",
  }),
  resolved: (device, check) => ({
    title: `${device}: löst (${check})`,
    text: "Värdena stämmer igen. Det finns inget att göra.",
  }),
  backupFailed: {
    title: "Säkerhetskopieringen misslyckades",
    text: "Kontrollera att disken eller servern för säkerhetskopior är ansluten och har plats; loggen säger vad som gick fel. Nytt försök görs vid nästa tid.",
  },
  backupMade: { title: "Säkerhetskopieringen fungerar igen", text: "Det finns inget att göra." },
  updateAvailable: (version, isAutomatic) => ({
    title: `Version ${version} finns`,
    text: isAutomatic
      ? "Den installeras av sig själv vid den inställda tiden. Det finns inget att göra."
      : 'Installera den på gatewayen med "sudo hemgate update" när det passar. Det som inte fungerar tas tillbaka.',
  }),
  updateRolledBack: (version) => ({
    title: `Version ${version} togs tillbaka`,
    text: 'Gatewayen körs med versionen före den, och dess data är som de var. "sudo hemgate update status" på gatewayen säger varför. Det finns inget att göra förrän en senare version finns.',
  }),
  several: (count) => `${count} meddelanden`,
  more: (count) => `Och ${count} till; sidan visar dem.`,
  test: { title: "Ett test", text: "Husets meddelanden kommer hit. Det finns inget att göra." },
};
