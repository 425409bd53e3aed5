/** The texts about what the checks found, in English. */
export const FINDINGS_ENGLISH = {
  titles: {
    sign: "A direction is turned round",
    phase: "Phases are swapped",
    role: "A meter measures something else",
    scale: "A value has the wrong size",
    duplicate: "One device is here twice",
    frozen: "A value stands still",
    range: "A value cannot be",
    balance: "The house does not add up",
    control: "Somebody else commands a device",
    identity: "Another device answers at this address",
    storage: "Stored data were damaged",
    site: "The fuse of the house is not known",
    forecast: "The panels are far from their forecast",
    backup: "No backup was made",
  },
  noGridMeter: "The house has no grid meter",
  siteAbout: "Without the fuse nothing protects the connection when cars, heat and the house draw at once.",
  backupAbout: "If the storage of the gateway fails now, what happened since the last backup is lost.",
  seen: (time: string) => `first seen ${time}`,
  fix: "Fix",
  fixes: {
    invert: "Fix turns the sign of these readings from now on.",
    scale: "Fix multiplies these readings from now on.",
    phases: "Fix puts the phases in the order of the house.",
    hide: "Fix hides the second one.",
    replace: "Fix takes the new device in place of the old one, with its history.",
  },
  undo: "It can be undone on the page of the device. Wiring is a job for an electrician.",
  noFix: "The device or its settings have to be looked at.",
  dismiss: "It is right, do not ask again",
  setFuse: "Enter the fuse",
  openBackups: "See the backups",
};

export type FindingTexts = typeof FINDINGS_ENGLISH;
