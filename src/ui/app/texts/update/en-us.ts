/** The texts of the page of updates, in English. */
export const UPDATE_ENGLISH = {
  title: "Updates",
  about: "The version that runs, a later one, and how an update goes",
  lead: "A later version is kept only if it works as well as this one. Otherwise this one comes back by itself.",
  ownersOnly: "Only owners update the gateway.",
  versions: "Versions",
  running: "Running",
  unknown: "not known",
  newest: "Later version",
  noneKnown: "none known",
  lookedAt: "Last look",
  notPackage:
    "This gateway was not installed as a Debian package, so it cannot be updated from this page. The person who installed it updates it.",
  check: "Look for a later version",
  install: (version: string) => `Update to ${version}`,
  sure: "The gateway stops for some minutes, and the devices are at their safe settings meanwhile. Update now?",
  automatic: "It is installed by itself at the time in the configuration (update.window).",
  busy: "An update, or a look for one, goes on. Wait until it has ended.",
  progress: "Progress",
  looking: "Asking the repository …",
  leave: "You can leave this page. It goes on by itself.",
  steps: {
    requested: "Fetch the later version",
    prepared: "Stop the gateway, copy its memory, install",
    installed: "Watch the later version until it has proved itself",
  },
  states: { done: "done", now: "now", open: "to come" },
  outcomes: {
    newest: "There is no later version.",
    available: (version: string) => `Version ${version} is available.`,
    kept: (version: string) => `Version ${version} works and stays.`,
    "rolled-back": (from: string, to: string) =>
      `Version ${from} runs again in place of ${to}, with its memory from before.`,
    skipped: "Nothing was installed:",
    failed: "It did not work, and nothing was changed:",
  },
  back: "Go back by hand",
  backAbout:
    "Enter this at the machine of the gateway to return to the version before, with its memory from then. What was set and measured since is put aside.",
  command: "Command that goes back to the version before",
};

export type UpdateTexts = typeof UPDATE_ENGLISH;
