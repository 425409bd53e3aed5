/** What the walk asks each operation with. `{name}` stands for an id that the house has or an earlier answer gave. */

export interface WalkInput {
  /** The body before a version, where it is another one altogether. */
  readonly olderBody?: { readonly before: string; readonly body: unknown };
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Answer fields that later operations use. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Statuses of refusal that are right here, because the house is as it is. */
  readonly may?: readonly number[];
  /** Earlier ones go first; 0 when absent. What takes things away goes last. */
  readonly order?: number;
}

const LAST = 100;
const MISSING_ID = "00000000-0000-4000-8000-000000000000";
/** The start of an hour before the house began. */
const START = "2026-06-20T00:00:00Z";

/** Made-up devices of a kind. */
function sandboxInputs(kind: string): Record<string, WalkInput> {
  const path = { simulatedId: `{simulated${kind}}` };
  return {
    [`createSimulated${kind}`]: { body: { name: "Made up" }, keep: { [`simulated${kind}`]: "id" }, order: -4 },
    [`getSimulated${kind}`]: { path },
    [`changeSimulated${kind}`]: { path, body: { isReachable: false } },
    [`deleteSimulated${kind}`]: { path, order: LAST },
  };
}

/**
 * By operation id. An operation that is not here is asked with the ids its path names and no more; one that takes a body
 * or a query has to be here.
 */
export const INPUTS: Readonly<Record<string, WalkInput>> = {
  setBatteryOperationMode: { body: { operationMode: "IMPORT_FOCUS" }, keep: { batteryAction: "id" }, order: -1 },
  getBatteryAction: { path: { actionId: "{batteryAction}" } },
  cancelBatteryAction: { path: { actionId: "{batteryAction}" }, may: [409] },
  setChargerCharging: { body: { action: "START" }, keep: { chargerAction: "id" }, order: -1 },
  setChargerMaxCurrent: { body: { maxCurrent: 10 }, order: 1 },
  // The house's charger has no such limit.
  setChargerChargeRateLimit: { body: { chargeRateLimit: 5 }, may: [400], order: 2 },
  getChargerAction: { path: { actionId: "{chargerAction}" } },
  cancelChargerAction: { path: { actionId: "{chargerAction}" }, may: [409] },
  setVehicleCharging: { body: { action: "START" }, keep: { vehicleAction: "id" }, order: -1 },
  setVehicleMaxCurrent: { body: { maxCurrent: 10 }, order: 1 },
  getVehicleAction: { path: { actionId: "{vehicleAction}" } },
  cancelVehicleAction: { path: { actionId: "{vehicleAction}" }, may: [409] },
  setHvacPermanentHold: { body: { mode: "COOL", coolSetpoint: 24 }, keep: { hvacAction: "id" }, order: -1 },
  setHvacFollowSchedule: { order: 1 },
  getHvacAction: { path: { actionId: "{hvacAction}" } },
  cancelHvacAction: { path: { actionId: "{hvacAction}" }, may: [409] },

  beginNetworkSearch: { body: { isActive: false }, may: [409] },
  // Nothing was found in a house without a network.
  getFoundDeviceSetup: { path: { foundId: "0123456789abcdef" }, may: [404] },
  adoptFoundDevice: { path: { foundId: "0123456789abcdef" }, body: {}, may: [404] },
  cutCloudLink: { may: [404] },
  previewSetupImport: { body: { text: "site: { fuseA: 25 }" } },
  beginSetupImport: { body: { text: "leaveOut: { checks: no sun today }" }, order: 98 },
  // It has ended by then.
  stopSetupImport: { may: [404], order: 99 },
  exportHistory: { query: { from: START } },

  createLocation: {
    body: { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" },
    keep: { location: "id" },
    order: -9,
  },
  updateLocation: { body: { name: "House" } },
  deleteLocation: { order: LAST },
  updateCharger: { body: { locationId: "{location}" } },
  updateHvac: { body: { locationId: "{location}" } },
  putTariff: { path: { tariffId: "tariff-1" }, body: [{ name: "day", cost: "0.30" }], order: -8 },
  getTariff: { path: { tariffId: "tariff-1" } },
  setLocationTariff: {
    body: { tariffId: "tariff-1", tariffIntervals: [{ name: "day", from: "06:00", to: "22:00" }] },
    order: -7,
  },
  deleteLocationTariff: { order: LAST - 1 },

  createVehicleSmartOverride: { order: 10, may: [400] },
  getVehicleSmartOverride: { order: 11, may: [404] },
  endVehicleSmartOverride: { order: 12, may: [404] },
  createVehicleExternalStart: { order: 13, may: [400] },
  endVehicleExternalStart: { order: 14, may: [404] },
  createChargerSmartOverride: { order: 10, may: [400] },
  getChargerSmartOverride: { order: 11, may: [404] },
  endChargerSmartOverride: { order: 12, may: [404] },
  createChargerExternalStart: { order: 13, may: [400] },
  endChargerExternalStart: { order: 14, may: [404] },

  createSchedule: {
    body: {
      targetType: "charger",
      targetId: "{charger}",
      locationId: null,
      isEnabled: false,
      defaultShouldCharge: true,
      rules: [{ shouldCharge: false, hourMinute: { from: "17:00", to: "20:00" }, weekdays: [0, 1] }],
    },
    keep: { schedule: "id" },
    order: -6,
  },
  updateSchedule: { body: { isEnabled: false } },
  deleteSchedule: { order: LAST },

  setVehicleSmartChargingPolicy: { body: { isEnabled: false, deadline: "07:00", minimumChargeLimit: 30 } },
  getVehicleSmartChargingPlan: { path: { planId: "latest" }, may: [404] },

  setChargerSmartChargingPolicy: { body: { isEnabled: false, deadline: "07:00", chargingDuration: "02:00" } },
  setHvacSmartPolicy: { body: { isEnabled: false } },

  getChargingStatistics: { query: { startDate: START, type: "charger", resolution: "HOUR" } },
  getChargingSessions: { query: { startDate: START, type: "charger" } },
  getProductionStatistics: { query: { startDate: START, type: "inverter" } },
  getUserVendorStatistics: { query: { startDate: START, resolution: "HOUR", inverterId: "{inverter}" } },
  getInverterVendorStatistics: { query: { startDate: START, resolution: "HOUR" } },
  getInverterStatistics: { query: { year: 2026, month: 6 }, may: [400] },
  confirmInstallationFinding: { path: { findingId: "no-such" }, query: { language: "de-DE" }, may: [404] },
  dismissInstallationFinding: { path: { findingId: "no-such" }, query: { language: "de-DE" }, may: [404] },
  deleteCorrections: { path: { deviceId: "no-such" }, may: [404] },
  listHemSystems: { keep: { hemSystem: "data.0.id" } },
  getHemStatistics: { query: { interval: "2026-06" }, may: [400, 422] },
  // Older versions list no system.
  getHemYear: { path: { year: 2026 }, may: [400, 404, 422] },

  setEnergyDevice: { path: { deviceId: "{charger}" }, body: { mode: "SURPLUS" }, order: 30 },
  getEnergyDevice: { path: { deviceId: "{charger}" } },
  deleteEnergyDevice: { path: { deviceId: "{charger}" }, order: 31 },
  setEnergyBatteryUse: { body: { supportAbove: 80 } },
  getEnergySavings: { query: { resolution: "MONTH" } },
  // A house that was never measured has no battery whose capacity is known.
  simulateEnergy: { body: { days: 1, mode: "PLAIN_RULE", capacityKwh: 10 } },
  updateSite: { body: { feedInKw: 7 } },
  replaceSite: { body: {} },
  // The client has not the scope of those who set limits.
  setEnergyLimits: { body: { import: { isActive: false } }, may: [403] },
  deleteEnergyLimits: { may: [403, 404] },
  sendLimitHeartbeat: { may: [403, 404, 409] },
  // No event of the grid was announced, because the client may not.
  createFlexEvent: {
    body: { locationId: null, start: "2026-06-21T10:00:00Z", end: "2030-06-21T11:00:00Z", kind: "SHED" },
    may: [400, 403],
  },
  getFlexEvent: { path: { flexEventId: "00000000-0000-4000-8000-000000000000" }, may: [404] },
  cancelFlexEvent: { path: { flexEventId: "00000000-0000-4000-8000-000000000000" }, may: [403, 404] },
  setPowerLimit: { body: { maxImportKw: 11 }, order: 5 },
  getPowerLimit: { order: 6 },
  deletePowerLimit: { order: 7 },
  setChargerSolarPolicy: { body: { isEnabled: false, minCurrent: 6, delaySeconds: 60 }, order: 29 },

  // The client may not manage people, and has no session.
  claim: { body: { code: "0000-0000", name: "Ann", password: "correct horse" }, may: [403] },
  signIn: { body: { name: "Ann", password: "correct horse" }, may: [401] },
  getSession: { may: [401] },
  signOut: { may: [401] },
  getModbusProxy: { may: [403] },
  listPeople: { may: [403] },
  createPerson: { body: { name: "Ann", role: "member" }, may: [403] },
  updatePerson: { path: { personId: MISSING_ID }, body: { name: "Ann" }, may: [403] },
  deletePerson: { path: { personId: MISSING_ID }, may: [403] },
  listPasskeys: { path: { personId: MISSING_ID }, may: [403] },
  beginPasskey: { path: { personId: MISSING_ID }, body: { password: "correct horse" }, may: [403] },
  createPasskey: {
    path: { personId: MISSING_ID },
    body: {
      name: "Phone",
      id: "AAAA",
      response: { clientDataJSON: "AAAA", authenticatorData: "AAAA", publicKey: "AAAA" },
    },
    may: [403],
  },
  deletePasskey: { path: { personId: MISSING_ID, passkeyId: MISSING_ID }, may: [403] },
  beginPasskeySignIn: { may: [403] },
  signInWithPasskey: {
    body: {
      id: "AAAA",
      response: { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA", userHandle: "AAAA" },
    },
    may: [403],
  },
  listSessions: { may: [403] },
  deleteSession: { path: { sessionId: MISSING_ID }, may: [403] },
  listClients: { may: [403] },
  deleteClient: { path: { clientId: MISSING_ID }, may: [403] },
  listAudit: { may: [403] },
  createClient: { body: { name: "App" }, may: [403] },
  updateClient: { path: { clientId: MISSING_ID }, body: { version: "2024-10-01" }, may: [403] },
  listAllWebhooks: { may: [403] },
  listNotificationChannels: { may: [403] },
  testNotificationChannel: { path: { channelId: "phone" }, may: [403] },
  setNotificationChannel: { path: { channelId: "phone" }, body: { type: "ntfy", topic: "our-house" }, may: [403] },
  removeNotificationChannel: { path: { channelId: "phone" }, may: [403] },
  getMailServer: { may: [403] },
  setMailServer: { body: { host: "smtp.example.com", from: "house@example.com" }, may: [403] },
  removeMailServer: { may: [403] },
  getConfiguration: { may: [403] },
  setPricingSettings: { body: { currency: "EUR" }, may: [403] },
  removePricingSettings: { may: [403] },
  setForecastSettings: {
    body: { source: "open-meteo", planes: [{ peakKw: 5, tilt: 30, azimuth: 0 }] },
    may: [400, 403],
  },
  removeForecastSettings: { may: [403] },
  setMqttSettings: { body: { port: 0 }, may: [403] },
  removeMqttSettings: { may: [403] },
  setWebOriginSettings: { body: { corsOrigins: [] }, may: [403] },
  removeWebOriginSettings: { may: [403] },
  setBackupSettings: { body: { keep: 3 }, may: [403] },
  removeBackupSettings: { may: [403] },
  listLogLines: { may: [403] },
  getDiagnostics: { may: [403] },
  downloadAuthority: { may: [404] },
  listBackups: { may: [403] },
  listUploadedBackups: { may: [403, 404] },
  createBackup: { body: { passphrase: "a long passphrase of mine" }, may: [403] },
  verifyBackup: { path: { name: "no-such.hgbackup" }, body: {}, may: [403] },
  downloadBackup: { path: { name: "no-such.hgbackup" }, may: [403] },
  removeBackup: { path: { name: "no-such.hgbackup" }, may: [403] },
  getUpdate: { may: [403] },
  checkForUpdate: { may: [403] },
  installUpdate: { may: [403] },

  listDevices: { keep: { device: "0.deviceId" }, order: -1 },
  getDevice: { path: { deviceId: "{device}" } },
  renameDevice: { path: { deviceId: "no-such" }, body: { name: "Cellar" }, may: [404] },
  removeDevice: { path: { deviceId: "no-such" }, may: [404] },
  skipSetupStep: { path: { step: "prices" }, body: { isSkipped: true } },
  handOverHouse: { body: { isHandedOver: true }, may: [409] },
  // The house's meter says nothing of a load.
  startLoadCheck: { body: { line: null }, may: [404, 409] },
  startControlTest: { path: { assetId: "no-such" }, may: [404] },
  stopControlTest: { path: { assetId: "no-such" }, may: [404] },

  listInterventions: { keep: { intervention: "0.id" } },
  linkUser: {
    body: {
      scopes: ["battery:read:data"],
      vendorType: "battery",
      language: "en-US",
      redirectUri: "https://example.com/back",
    },
    olderBody: {
      before: "2024-01-01",
      body: { vendorType: "inverter", forceLanguage: "de", redirectUri: "https://example.com/back" },
    },
  },
  relinkAsset: {
    path: { assetId: "{battery}" },
    body: { language: "en-US", redirectUri: "https://example.com/back" },
    may: [400],
  },

  createWebhook: {
    body: { url: "https://example.com/hook", secret: "a-secret-of-some-length", events: ["*"] },
    keep: { webhook: "id" },
    order: -5,
  },
  updateWebhook: { body: { events: ["user:battery:updated"] } },
  deleteWebhook: { order: LAST },
  setFirehose: { body: { url: "https://example.com/firehose", secret: "a-secret-of-some-length" }, order: 20 },
  testFirehose: { order: 21 },
  deleteFirehose: { body: { url: "https://example.com/firehose" }, order: 22, may: [404] },

  ...Object.assign({}, ...["Battery", "Charger", "Hvac", "Inverter", "Meter", "Vehicle"].map(sandboxInputs)),
  createAccountVehicle: {
    body: { vendor: "TESLA", username: "ann", password: "secret", name: "Blue", model: "Model 3", year: 2023 },
    keep: { simulatedVehicleOfAccount: "id" },
    order: -4,
  },
  getAccountVehicle: { path: { simulatedVehicleId: "{simulatedVehicleOfAccount}" } },
  changeAccountVehicle: {
    path: { simulatedVehicleId: "{simulatedVehicleOfAccount}" },
    body: { chargeState: { batteryLevel: 42 } },
  },
  deleteAccountVehicle: { path: { simulatedVehicleId: "{simulatedVehicleOfAccount}" }, order: LAST },

  deleteUserAuthorization: { order: LAST + 1 },
  unlinkVendorType: { path: { vendor: "SOLAREDGE", vendorType: "battery" }, order: LAST + 2 },
  unlinkVendor: { path: { vendor: "KEBA" }, order: LAST + 3 },
  deleteUser: { order: LAST + 9 },
};
