import type { Limited, NotificationTexts } from "./notification-texts.ts";

const LIMITED: Readonly<Record<Limited, string>> = {
  import: "de afname van het huis",
  export: "de teruglevering",
  controllable: "laadpalen, warmtepompen en batterijen",
};

export const DUTCH: NotificationTexts = {
  when: (day, time) => (day === null ? `om ${time}` : `op ${day} om ${time}`),
  silent: (device, since) => ({
    title: `${device} antwoordt niet`,
    text: `${since === null ? "Het apparaat heeft nog nooit geantwoord." : `Het laatste antwoord kwam ${since}.`} Controleer of het stroom heeft en of de netwerkkabel of wifi werkt; de pagina Apparaten zegt wat er mis is.`,
  }),
  answers: (device) => ({ title: `${device} antwoordt weer`, text: "U hoeft niets te doen." }),
  limited: (what, power) => ({
    title: `De netbeheerder begrenst ${LIMITED[what]} tot ${power}`,
    text: "Laden en verwarmen kunnen zolang meer tijd kosten. U hoeft niets te doen.",
  }),
  free: (what) => ({
    title: `De netbeheerder begrenst ${LIMITED[what]} niet meer`,
    text: "U hoeft niets te doen.",
  }),
  missed: (device, at, short) => ({
    title: `${device} wordt niet op tijd geladen`,
    text: `Er zal ${at} ${short} ontbreken. Kies op de pagina Laden "nu laden", of een latere tijd.`,
  }),
  reached: (device, at) => ({
    title: `${device} wordt toch op tijd geladen`,
    text: `Het doel wordt ${at} gehaald. U hoeft niets te doen.`,
  }),
  checks: {
    sign: "een richting is omgekeerd",
    phase: "fasen zijn verwisseld",
    role: "de meter meet iets anders",
    scale: "een waarde heeft de verkeerde grootte",
    duplicate: "het apparaat is er dubbel",
    frozen: "een waarde staat stil",
    range: "een waarde kan niet",
    balance: "het huis komt niet uit",
    control: "iemand anders stuurt het apparaat",
    identity: "een ander apparaat antwoordt op dit adres",
  },
  found: (device, check) => ({
    title: `${device}: ${check}`,
    text: "De pagina Apparaten toont wat er gemeten is en wat u kunt doen. Bedrading is werk voor een elektricien.",
  }),
  resolved: (device, check) => ({
    title: `${device}: opgelost (${check})`,
    text: "De waarden kloppen weer. U hoeft niets te doen.",
  }),
  backupFailed: {
    title: "De back-up is mislukt",
    text: "Controleer of de schijf of de server voor back-ups is aangesloten en ruimte heeft; het logboek zegt wat er misging. Op de volgende tijd wordt het opnieuw geprobeerd.",
  },
  backupMade: { title: "De back-up werkt weer", text: "U hoeft niets te doen." },
  updateAvailable: (version, isAutomatic) => ({
    title: `Versie ${version} is beschikbaar`,
    text: isAutomatic
      ? "Ze wordt op de ingestelde tijd vanzelf geïnstalleerd. U hoeft niets te doen."
      : 'Installeer ze op de gateway met "sudo hemgate update", wanneer het u uitkomt. Wat niet werkt, wordt teruggedraaid.',
  }),
  updateRolledBack: (version) => ({
    title: `Versie ${version} is teruggedraaid`,
    text: 'De gateway draait met de versie daarvoor, en de gegevens zijn zoals ze waren. "sudo hemgate update status" op de gateway zegt waarom. Tot er een nieuwere versie is, hoeft u niets te doen.',
  }),
  several: (count) => `${count} meldingen`,
  more: (count) => `En nog ${count}; de pagina toont ze.`,
  test: { title: "Een test", text: "Meldingen van het huis komen hier aan. U hoeft niets te doen." },
};
