/** What checks measured, in English; `{name}` is a place for a value or a clause. */
export const MEASURED_ENGLISH = {
  apparent: "The powers of the phases add up to {power}, but voltage times current is {apparent}.",
  balance:
    "The household's consumption, calculated from all devices, changed by {before} in total; {why} it changes by {after}.",
  asBattery: "with this device read as a battery",
  otherDirection: "with the power counted in the other direction",
  multiplied: "with the power multiplied by {factor}",
  clampsMoved: "if its current clamps are on other phases than its voltages, and {misplaced},",
  clampsExchanged: "those of {one} and {other} are exchanged",
  clampsRotated: "each of the three is on another phase",
  linesTurned: "with {lines} counted in the other direction",
  unmetered: "if it is connected where the grid meter does not measure it,",
  asPanels: "with this meter read as the meter of solar panels",
  counter: "{counter} grew by {gain} while the power added up to {spent}.",
  counterTurned: "{counter} grew by {gain} while the power added up to {spent} in the other direction.",
  frozen: "{power} and all other values have not changed for {time}, {why}.",
  othersMoved: "while the other devices moved by {power}",
  counterStill: "though {counter} should have grown by {energy}",
  chargeStill: "though {energy} should show in its state of charge",
  voltages: "Its voltages differ from the meter's by {before} on average; in the order {order} by {after}.",
  phases:
    "The charger's power appears on other phases of the meter: {before} are unexplained, but only {after} in the order {order}.",
  negative:
    "Calculated from grid, solar panels, battery and chargers, the household consumes {power}; it cannot be negative.",
  role: "Its power changed by {moved} when charging changed the power of the house by {left}, as a grid meter does and solar panels never do.",
  duplicate: "Both report the same power, which changed by {moved}, with a correlation of {correlation}.",
  darkMeter: "{point} reads {power} in the dark: it may be the grid meter, which the house lacks.",
  meterOrSign:
    "{point} reads {power}: it may be the grid meter, which the house lacks, or an inverter with the wrong sign.",
  batteryDark: "{point} reads {power}, in the dark, as a battery does.",
  batteryBoth: "{point} reads {power}, and above 0 at other times, as a battery does.",
  belowZero: "{point} reads {power}; it cannot be below 0.",
  range: "{point} reads {value}; in a house it is between {min} and {max}.",
  charge: "Its state of charge changed by {change} while its power was {power}, which is positive while it charges.",
  failsafe:
    "the gateway set {point} to {setpoint}, and it is {found}, the device's failsafe, before the gateway's timer was over: another controller may have set that timer.",
  reset:
    "the gateway set {point} to {setpoint}, and it is {found}, the safe default: another controller or a person reset it, or the device restarted.",
  changed:
    "the gateway set {point} to {setpoint}, and it is {found}: another controller, or a person at the device, changed it.",
  otherDevice:
    "Another device answers at {place}, with serial number {found}; expected is {expected}. It is neither read nor commanded; the expected device is looked for at other addresses.",
  loadTurned: "A load of {load} was switched on, and {lines} fell by {fell}: the direction is turned round.",
  loadTurnedMeter: "A load of {load} was switched on, and the meter fell by {fell}: the direction is turned round.",
  loadOtherPhase:
    "A load of {load} was switched on on {line}, and {lines} of the meter rose: the clamps are on other phases than their names.",
  loadMisplaced:
    "A load of {load} was switched on, and on {lines} the current rose by more than the power: a clamp is on another phase than the voltage that it is combined with.",
  noImportLimit:
    "The grid connection has no import limit: nothing protects its fuse. Set site.connection.fuseA, or PATCH /local/site.",
  noGridMeter:
    "The grid connection has limits and the house no grid meter: nothing keeps them. Add the meter at the connection, or set which one is there.",
  forecastHigh:
    "In the last two weeks the panels produced {measured} where {forecast} were forecast. The forecast is used times {factor}. Check under Settings, Solar forecast, whether peak power, tilt and direction of the panels are right. If they are, look for shade, and whether a part of the panels is off. If a limit often holds the panels back, dismiss this.",
  forecastLow:
    "In the last two weeks the panels produced {measured} where {forecast} were forecast. The forecast is used times {factor}. Check under Settings, Solar forecast, whether all panels are listed, and whether their peak power, tilt and direction are right. If they are, check whether a meter counts the panels twice.",
  siteImport: "{import} are more than the main fuse of {fuse} carries ({limit}); the fuse limits",
  sitePeak: "{peak} are more than the contracted {import}",
  siteFuse: "the fuse of {fuse} is above the {limit} of {above}, which limits; check both",
  siteCircuitKw: "{power} are above the {limit} of {above}, which limit; check both",
  siteNoLimit: "{circuit} has neither fuseA nor maxKw, so it limits nothing",
  sitePanels:
    "{meter} measures panels and does not count beside the inverter {inverters}: it would count twice. Choose “what is counted already” if it measures panels of that inverter, or “panels beside others with a connected inverter” if it measures others",
  siteNoMeter: "{device} is to measure {place} and has no meter; name a device that has one",
  siteConnection: "the connection",
  storage: "{details}",
  backupFailed:
    'The scheduled backup of {time} was not made: {failure}. {newest} When the cause is gone, "Back up now" under Settings, Backups makes one at once.',
  backupNotUploaded:
    'The scheduled backup of {time} is in its folder, but was not uploaded: {failure}. When the cause is gone, "Back up now" under Settings, Backups makes and uploads one at once.',
  backupStale:
    'Two scheduled backups were due until {time}, and none was made. {newest} The gateway has to run at the time of its schedule. When the cause is gone, "Back up now" under Settings, Backups makes one at once.',
  proofReads: "reads {value}",
  proofAnswers: "answers",
  proofSends: "sends what it measures",
  proofAnnounced: "announces itself as {name}",
  proofSilent: "announces itself as {name}, but does not answer to Modbus",
  proofModbus: "speaks Modbus on port {port}, unit {unit}",
  backupNewest: "The last one that was made is of {time}.",
  backupNone: "There is none before it.",
  "backup-passphrase": "the file does not open with the passphrase that is set",
  "backup-damaged": "the file is cut off or was changed",
  "backup-full": "there is no space left, here or at the server",
  "backup-no-access": "the gateway may not write in the folder",
  "backup-not-found": "the folder, or the file, is not there",
  "backup-no-such-host": "there is no server of this name",
  "backup-unreachable": "the server cannot be reached",
  "backup-untrusted": "the certificate of the server is not valid",
  "backup-timeout": "it was not ready in time",
  "backup-unauthorized": "the server does not accept the user or the password",
  "backup-address-refused": "backups are not sent to this address",
  "backup-broken": "the connection ended, or something else answers there",
  "backup-rejected": "the server did not take the file",
  "backup-stopped": "the gateway stopped meanwhile",
};

export type MeasuredKey = keyof typeof MEASURED_ENGLISH;
export type MeasuredTexts = Readonly<Record<MeasuredKey, string>>;
