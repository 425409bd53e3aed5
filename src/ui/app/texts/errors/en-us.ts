/** Why something that a person asked for was not done, in English. */
export const ERRORS_ENGLISH = {
  invalid: "The gateway does not accept this.",
  gone: "That is not there any more. Load the page again.",
  noAnswer: "The device, or its maker's service, does not answer.",
  conflict: "That is not possible now.",
  others: "Something else is in charge of the device now.",
  tooMany: "That was too often. Wait a minute, then try again.",
  stopping: "The gateway is starting or stopping. Try again in some seconds.",
  broken: "Something went wrong in the gateway; its log says what.",
  nameTaken: "There is an account of this name already, or there are as many accounts as there can be.",
  lastOwner: "The house needs an owner: make somebody else an owner first.",
  searching: "A search is under way already.",
  known: "The device is here already, is being added by somebody else, or is found at two addresses at once.",
  cannotFix: "The gateway cannot fix this, or somebody has decided about it already.",
  setElsewhere: "This cannot be changed here now: the configuration file or the cloud service of the gateway sets it.",
  loadCheck: "The check cannot begin: it needs a grid meter that answers, and no other check may be under way.",
  stepsOpen: "Steps are still open, or a check or a test is under way.",
  backupBusy: "A backup is being made or read. Try again when that is done.",
  recipients: "There are as many recipients as there can be, or the configuration file sets them.",
  mailNeeded:
    "Recipients are sent e-mails over this mail server; remove them first. If the configuration file sets it, it is changed there.",
  passkeys:
    "Passkeys need https and an address with a name, such as hemgate.local, and an account has at most 20 of them.",
  /** By the code of what is wrong with a field. */
  issues: {
    too_small: "too small or too short",
    too_big: "too large or too long",
    invalid_type: "missing, or not of the right kind",
    other: "not valid",
  },
};
