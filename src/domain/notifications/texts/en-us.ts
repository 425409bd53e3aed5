import type { Limited, NotificationTexts } from "./notification-texts.ts";

const LIMITED: Readonly<Record<Limited, string>> = {
  import: "what the house draws",
  export: "feed-in",
  controllable: "chargers, heat pumps and batteries",
};

export const ENGLISH: NotificationTexts = {
  when: (day, time) => (day === null ? `at ${time}` : `on ${day} at ${time}`),
  silent: (device, since) => ({
    title: `${device} does not answer`,
    text: `${since === null ? "It has never answered." : `It last answered ${since}.`} Check that it has power and that its network cable or Wi-Fi works; the page Devices says what is wrong.`,
  }),
  answers: (device) => ({ title: `${device} answers again`, text: "There is nothing to do." }),
  limited: (what, power) => ({
    title: `The grid operator limits ${LIMITED[what]} to ${power}`,
    text: "Charging and heating may take longer until it is over. There is nothing to do.",
  }),
  free: (what) => ({
    title: `The grid operator no longer limits ${LIMITED[what]}`,
    text: "There is nothing to do.",
  }),
  missed: (device, at, short) => ({
    title: `${device} will not be charged in time`,
    text: `${short} will be missing ${at}. Choose "charge now" on the page Charging, or a later time.`,
  }),
  reached: (device, at) => ({
    title: `${device} will be charged in time after all`,
    text: `It will be ready ${at}. There is nothing to do.`,
  }),
  checks: {
    sign: "a direction is turned round",
    phase: "phases are swapped",
    role: "the meter measures something else",
    scale: "a value has the wrong size",
    duplicate: "the device is here twice",
    frozen: "a value stands still",
    range: "a value cannot be",
    balance: "the house does not add up",
    control: "somebody else commands the device",
    identity: "another device answers at this address",
  },
  found: (device, check) => ({
    title: `${device}: ${check}`,
    text: "The page Devices shows what was measured and what can be done. Wiring is a job for an electrician.",
  }),
  resolved: (device, check) => ({
    title: `${device}: resolved (${check})`,
    text: "The readings fit again. There is nothing to do.",
  }),
  backupFailed: {
    title: "The backup failed",
    text: "Check that the disk or the server for backups is connected and has space; the log says what went wrong. It is tried again at its next time.",
  },
  backupMade: { title: "The backup works again", text: "There is nothing to do." },
  updateAvailable: (version, isAutomatic) => ({
    title: `Version ${version} is available`,
    text: isAutomatic
      ? "It is installed by itself at the time that is set for it. There is nothing to do."
      : 'Install it with "sudo hemgate update" at the gateway, when it suits you. What does not work is taken back.',
  }),
  updateRolledBack: (version) => ({
    title: `Version ${version} was rolled back`,
    text: 'The gateway runs with the version before it, and its data are as they were. "sudo hemgate update status" at the gateway says why. There is nothing to do until a later version is there.',
  }),
  several: (count) => `${count} notices`,
  more: (count) => `And ${count} more; the page shows them.`,
  test: { title: "A test", text: "Notifications of the house arrive here. There is nothing to do." },
};
