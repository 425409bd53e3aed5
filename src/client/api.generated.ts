// Generated from the description e877a477bc49d471 by scripts/update-client-types.mjs.
export interface Routes {
 get: {
  "/.well-known/oauth-authorization-server": operations["getOAuthMetadata"];
  "/batteries": operations["listBatteries"];
  "/batteries/actions/{actionId}": operations["getBatteryAction"];
  "/batteries/{batteryId}": operations["getBattery"];
  "/chargers": operations["listChargers"];
  "/chargers/actions/{actionId}": operations["getChargerAction"];
  "/chargers/{chargerId}": operations["getCharger"];
  "/chargers/{chargerId}/smart-charging-policy": operations["getChargerSmartChargingPolicy"];
  "/chargers/{chargerId}/smart-charging-status": operations["getChargerSmartChargingStatus"];
  "/chargers/{chargerId}/smart-override": operations["getChargerSmartOverride"];
  "/chargers/{chargerId}/solar-policy": operations["getChargerSolarPolicy"];
  "/flex/events": operations["listFlexEvents"];
  "/flex/events/{flexEventId}": operations["getFlexEvent"];
  "/health/batteries": operations["getBatteryHealth"];
  "/health/chargers": operations["getChargerHealth"];
  "/health/energy": operations["getEnergyHealth"];
  "/health/hvacs": operations["getHvacHealth"];
  "/health/inverter": operations["getInverterCategoryHealth"];
  "/health/inverters": operations["getInverterHealth"];
  "/health/meters": operations["getMeterHealth"];
  "/health/ready": operations["getReadiness"];
  "/health/vehicles": operations["getVehicleHealth"];
  "/hem-systems": operations["listHemSystems"];
  "/hem-systems/{hemSystemId}": operations["getHemSystem"];
  "/hem-systems/{hemSystemId}/statistics": operations["getHemStatistics"];
  "/hvacs": operations["listHvacs"];
  "/hvacs/actions/{actionId}": operations["getHvacAction"];
  "/hvacs/{hvacId}": operations["getHvac"];
  "/hvacs/{hvacId}/smart-policy": operations["getHvacSmartPolicy"];
  "/hvacs/{hvacId}/smart-status": operations["getHvacSmartStatus"];
  "/integrations": operations["listIntegrations"];
  "/interventions": operations["listInterventions"];
  "/interventions/{interventionId}": operations["getIntervention"];
  "/inverters": operations["listInverters"];
  "/inverters/{inverterId}": operations["getInverter"];
  "/inverters/{inverterId}/statistics": operations["getInverterStatistics"];
  "/inverters/{inverterId}/vendor-statistics": operations["getInverterVendorStatistics"];
  "/local/audit": operations["listAudit"];
  "/local/backups": operations["listBackups"];
  "/local/backups/uploaded": operations["listUploadedBackups"];
  "/local/backups/{name}": operations["downloadBackup"];
  "/local/checks": operations["listInstallationFindings"];
  "/local/claim": operations["getClaim"];
  "/local/clients": operations["listClients"];
  "/local/cloud": operations["getCloudLink"];
  "/local/configuration": operations["getConfiguration"];
  "/local/devices": operations["listDevices"];
  "/local/devices/{deviceId}": operations["getDevice"];
  "/local/diagnostics": operations["getDiagnostics"];
  "/local/discovery": operations["getNetworkSearch"];
  "/local/discovery/{foundId}/setup": operations["getFoundDeviceSetup"];
  "/local/energy": operations["getEnergy"];
  "/local/energy/battery-use": operations["getEnergyBatteryUse"];
  "/local/energy/devices/{deviceId}": operations["getEnergyDevice"];
  "/local/energy/limitations": operations["listLimitations"];
  "/local/energy/limits": operations["getEnergyLimits"];
  "/local/energy/plan": operations["getEnergyPlan"];
  "/local/energy/savings": operations["getEnergySavings"];
  "/local/events": operations["streamEvents"];
  "/local/export": operations["exportHistory"];
  "/local/forecast": operations["getForecast"];
  "/local/hem-systems/{hemSystemId}/years/{year}": operations["getHemYear"];
  "/local/https": operations["getHttps"];
  "/local/https/authority.crt": operations["downloadAuthority"];
  "/local/logs": operations["listLogLines"];
  "/local/mail-server": operations["getMailServer"];
  "/local/modbus-proxy": operations["getModbusProxy"];
  "/local/notifications": operations["listNotificationChannels"];
  "/local/people": operations["listPeople"];
  "/local/people/{personId}/passkeys": operations["listPasskeys"];
  "/local/prices": operations["getMarketPrices"];
  "/local/session": operations["getSession"];
  "/local/sessions": operations["listSessions"];
  "/local/setup": operations["getSetup"];
  "/local/setup/import": operations["getSetupImport"];
  "/local/setup/load-check": operations["getLoadCheck"];
  "/local/setup/report": operations["getSetupReport"];
  "/local/setup/tests": operations["listControlTests"];
  "/local/site": operations["getSite"];
  "/local/update": operations["getUpdate"];
  "/local/vendors": operations["listVendorAccounts"];
  "/local/webhooks": operations["listAllWebhooks"];
  "/locations": operations["listLocations"];
  "/locations/{locationId}": operations["getLocation"];
  "/locations/{locationId}/power-limit": operations["getPowerLimit"];
  "/locations/{locationId}/tariff": operations["getLocationTariff"];
  "/meters": operations["listMeters"];
  "/meters/{meterId}": operations["getMeter"];
  "/schedules/{scheduleId}": operations["getSchedule"];
  "/schedules/{scheduleId}/status": operations["getScheduleStatus"];
  "/tariffs": operations["listTariffs"];
  "/tariffs/{tariffId}": operations["getTariff"];
  "/users": operations["listUsers"];
  "/users/{userId}": operations["getUser"];
  "/users/{userId}/batteries": operations["listUserBatteries"];
  "/users/{userId}/chargers": operations["listUserChargers"];
  "/users/{userId}/hem-systems": operations["listUserHemSystems"];
  "/users/{userId}/hvacs": operations["listUserHvacs"];
  "/users/{userId}/inverters": operations["listUserInverters"];
  "/users/{userId}/locations": operations["listUserLocations"];
  "/users/{userId}/meters": operations["listUserMeters"];
  "/users/{userId}/schedules": operations["listUserSchedules"];
  "/users/{userId}/statistics/charging": operations["getChargingStatistics"];
  "/users/{userId}/statistics/charging/sessions": operations["getChargingSessions"];
  "/users/{userId}/statistics/production": operations["getProductionStatistics"];
  "/users/{userId}/vehicles": operations["listUserVehicles"];
  "/users/{userId}/vendor-statistics": operations["getUserVendorStatistics"];
  "/vehicles": operations["listVehicles"];
  "/vehicles/actions/{actionId}": operations["getVehicleAction"];
  "/vehicles/{vehicleId}": operations["getVehicle"];
  "/vehicles/{vehicleId}/smart-charging-plans/{planId}": operations["getVehicleSmartChargingPlan"];
  "/vehicles/{vehicleId}/smart-charging-policy": operations["getVehicleSmartChargingPolicy"];
  "/vehicles/{vehicleId}/smart-charging-status": operations["getVehicleSmartChargingStatus"];
  "/vehicles/{vehicleId}/smart-override": operations["getVehicleSmartOverride"];
  "/webhooks": operations["listWebhooks"];
  "/webhooks/{webhookId}": operations["getWebhook"];
 };
 post: {
  "/assets/{assetId}/relink": operations["relinkAsset"];
  "/batteries/actions/{actionId}/cancel": operations["cancelBatteryAction"];
  "/batteries/{batteryId}/operation-mode": operations["setBatteryOperationMode"];
  "/batteries/{batteryId}/refresh-hint": operations["refreshBattery"];
  "/chargers/actions/{actionId}/cancel": operations["cancelChargerAction"];
  "/chargers/{chargerId}/charge-rate-limit": operations["setChargerChargeRateLimit"];
  "/chargers/{chargerId}/charging": operations["setChargerCharging"];
  "/chargers/{chargerId}/external-start": operations["createChargerExternalStart"];
  "/chargers/{chargerId}/max-current": operations["setChargerMaxCurrent"];
  "/chargers/{chargerId}/refresh-hint": operations["refreshCharger"];
  "/chargers/{chargerId}/smart-override": operations["createChargerSmartOverride"];
  "/flex/events": operations["createFlexEvent"];
  "/hvacs/actions/{actionId}/cancel": operations["cancelHvacAction"];
  "/hvacs/{hvacId}/follow-schedule": operations["setHvacFollowSchedule"];
  "/hvacs/{hvacId}/permanent-hold": operations["setHvacPermanentHold"];
  "/hvacs/{hvacId}/refresh-hint": operations["refreshHvac"];
  "/inverters/{inverterId}/refresh-hint": operations["refreshInverter"];
  "/local/backups": operations["createBackup"];
  "/local/backups/{name}/verify": operations["verifyBackup"];
  "/local/checks/{findingId}/confirm": operations["confirmInstallationFinding"];
  "/local/checks/{findingId}/dismiss": operations["dismissInstallationFinding"];
  "/local/claim": operations["claim"];
  "/local/clients": operations["createClient"];
  "/local/discovery": operations["beginNetworkSearch"];
  "/local/discovery/{foundId}/adopt": operations["adoptFoundDevice"];
  "/local/energy/limits/heartbeat": operations["sendLimitHeartbeat"];
  "/local/energy/simulate": operations["simulateEnergy"];
  "/local/notifications/{channelId}/test": operations["testNotificationChannel"];
  "/local/people": operations["createPerson"];
  "/local/people/{personId}/passkeys": operations["createPasskey"];
  "/local/people/{personId}/passkeys/options": operations["beginPasskey"];
  "/local/session": operations["signIn"];
  "/local/session/passkey": operations["signInWithPasskey"];
  "/local/session/passkey/options": operations["beginPasskeySignIn"];
  "/local/setup/import": operations["beginSetupImport"];
  "/local/setup/import/preview": operations["previewSetupImport"];
  "/local/setup/load-check": operations["startLoadCheck"];
  "/local/setup/tests/{assetId}": operations["startControlTest"];
  "/local/update/check": operations["checkForUpdate"];
  "/local/update/install": operations["installUpdate"];
  "/meters/{meterId}/refresh-hint": operations["refreshMeter"];
  "/oauth2/token": operations["createToken"];
  "/users/{userId}/link": operations["linkUser"];
  "/users/{userId}/locations": operations["createLocation"];
  "/users/{userId}/schedules": operations["createSchedule"];
  "/vehicles/actions/{actionId}/cancel": operations["cancelVehicleAction"];
  "/vehicles/{vehicleId}/charging": operations["setVehicleCharging"];
  "/vehicles/{vehicleId}/external-start": operations["createVehicleExternalStart"];
  "/vehicles/{vehicleId}/max-current": operations["setVehicleMaxCurrent"];
  "/vehicles/{vehicleId}/refresh-hint": operations["refreshVehicle"];
  "/vehicles/{vehicleId}/smart-override": operations["createVehicleSmartOverride"];
  "/webhooks": operations["createWebhook"];
  "/webhooks/firehose/test": operations["testFirehose"];
  "/webhooks/{webhookId}/test": operations["testWebhook"];
 };
 put: {
  "/chargers/{chargerId}": operations["updateCharger"];
  "/chargers/{chargerId}/smart-charging-policy": operations["setChargerSmartChargingPolicy"];
  "/chargers/{chargerId}/solar-policy": operations["setChargerSolarPolicy"];
  "/hvacs/{hvacId}": operations["updateHvac"];
  "/hvacs/{hvacId}/smart-policy": operations["setHvacSmartPolicy"];
  "/local/configuration/backup": operations["setBackupSettings"];
  "/local/configuration/forecast": operations["setForecastSettings"];
  "/local/configuration/http": operations["setWebOriginSettings"];
  "/local/configuration/mqtt": operations["setMqttSettings"];
  "/local/configuration/pricing": operations["setPricingSettings"];
  "/local/energy/battery-use": operations["setEnergyBatteryUse"];
  "/local/energy/devices/{deviceId}": operations["setEnergyDevice"];
  "/local/energy/limits": operations["setEnergyLimits"];
  "/local/mail-server": operations["setMailServer"];
  "/local/notifications/{channelId}": operations["setNotificationChannel"];
  "/local/setup/hand-over": operations["handOverHouse"];
  "/local/setup/steps/{step}": operations["skipSetupStep"];
  "/local/site": operations["replaceSite"];
  "/locations/{locationId}": operations["updateLocation"];
  "/locations/{locationId}/power-limit": operations["setPowerLimit"];
  "/locations/{locationId}/tariff": operations["setLocationTariff"];
  "/schedules/{scheduleId}": operations["updateSchedule"];
  "/tariffs/{tariffId}": operations["putTariff"];
  "/vehicles/{vehicleId}/smart-charging-policy": operations["setVehicleSmartChargingPolicy"];
  "/webhooks/firehose": operations["setFirehose"];
 };
 patch: {
  "/local/clients/{clientId}": operations["updateClient"];
  "/local/devices/{deviceId}": operations["renameDevice"];
  "/local/people/{personId}": operations["updatePerson"];
  "/local/site": operations["updateSite"];
  "/webhooks/{webhookId}": operations["updateWebhook"];
 };
 delete: {
  "/chargers/{chargerId}/external-start": operations["endChargerExternalStart"];
  "/chargers/{chargerId}/smart-override": operations["endChargerSmartOverride"];
  "/flex/events/{flexEventId}": operations["cancelFlexEvent"];
  "/local/backups/{name}": operations["removeBackup"];
  "/local/clients/{clientId}": operations["deleteClient"];
  "/local/cloud": operations["cutCloudLink"];
  "/local/configuration/backup": operations["removeBackupSettings"];
  "/local/configuration/forecast": operations["removeForecastSettings"];
  "/local/configuration/http": operations["removeWebOriginSettings"];
  "/local/configuration/mqtt": operations["removeMqttSettings"];
  "/local/configuration/pricing": operations["removePricingSettings"];
  "/local/corrections/{deviceId}": operations["deleteCorrections"];
  "/local/devices/{deviceId}": operations["removeDevice"];
  "/local/energy/devices/{deviceId}": operations["deleteEnergyDevice"];
  "/local/energy/limits": operations["deleteEnergyLimits"];
  "/local/mail-server": operations["removeMailServer"];
  "/local/notifications/{channelId}": operations["removeNotificationChannel"];
  "/local/people/{personId}": operations["deletePerson"];
  "/local/people/{personId}/passkeys/{passkeyId}": operations["deletePasskey"];
  "/local/session": operations["signOut"];
  "/local/sessions/{sessionId}": operations["deleteSession"];
  "/local/setup/import": operations["stopSetupImport"];
  "/local/setup/load-check": operations["stopLoadCheck"];
  "/local/setup/tests/{assetId}": operations["stopControlTest"];
  "/locations/{locationId}": operations["deleteLocation"];
  "/locations/{locationId}/power-limit": operations["deletePowerLimit"];
  "/locations/{locationId}/tariff": operations["deleteLocationTariff"];
  "/schedules/{scheduleId}": operations["deleteSchedule"];
  "/users/{userId}": operations["deleteUser"];
  "/users/{userId}/authorization": operations["deleteUserAuthorization"];
  "/users/{userId}/vendors/{vendor}": operations["unlinkVendor"];
  "/users/{userId}/vendors/{vendor}/{vendorType}": operations["unlinkVendorType"];
  "/vehicles/{vehicleId}/external-start": operations["endVehicleExternalStart"];
  "/vehicles/{vehicleId}/smart-override": operations["endVehicleSmartOverride"];
  "/webhooks/firehose": operations["deleteFirehose"];
  "/webhooks/{webhookId}": operations["deleteWebhook"];
 };
}
export const COMMAND_PATHS = [
 "/batteries/{batteryId}/operation-mode",
 "/chargers/{chargerId}/charge-rate-limit",
 "/chargers/{chargerId}/charging",
 "/chargers/{chargerId}/external-start",
 "/chargers/{chargerId}/max-current",
 "/chargers/{chargerId}/smart-override",
 "/hvacs/{hvacId}/follow-schedule",
 "/hvacs/{hvacId}/permanent-hold",
 "/vehicles/{vehicleId}/charging",
 "/vehicles/{vehicleId}/external-start",
 "/vehicles/{vehicleId}/max-current",
 "/vehicles/{vehicleId}/smart-override",
] as const;
export interface components {
 schemas: {
  AccessToken: {
   access_token: string;
   /** @description Seconds. */
   expires_in: number;
   /** @constant */
   scope: "";
   /** @constant */
   token_type: "bearer";
  };
  /** @description The account that is signed in. */
  Account: {
   /** @description Time at which the account ends; an owner can renew it. `null`: it does not end by itself. */
   expiresAt: string | null;
   /** Format: uuid */
   id: string;
   /** @description Language that the person reads, such as `de` or `en-US`; `null` if none was chosen. */
   language: string | null;
   /** @description Name that the person signs in with; plain text. */
   name: string;
   /**
    * @description `owner`: everything. `installer`: sees, commands and installs, for 30 days at a time. `member`: sees and commands. `guest`: sees.
    * @enum {string}
    */
   role: "owner" | "installer" | "member" | "guest";
  };
  ActiveLimit: {
   /**
    * @description `import`: what is drawn from the grid. `export`: what is fed in.
    * @enum {string}
    */
   direction: "import" | "export";
   /** @description Highest power, kW. */
   limit: number;
   /** @description Id of its record under `/local/energy/limitations`. */
   limitationId: string;
   /**
    * @description `connection`: the whole house. `controllable`: the net import of chargers, heat pumps, cooling and batteries together (§ 14a EnWG).
    * @enum {string}
    */
   scope: "connection" | "controllable";
   sourceId: string;
   /** @description Its end; `null` if none is known. */
   until: string | null;
  };
  AdoptBody: {
   /** @description `true` switches on controls without a failsafe: their commands stay in force if the gateway fails, and the owner accepts that. */
   confirmNoFailsafe?: boolean;
   /** @description Unverified controls that the owner tried on the device and switches on, such as `charger.maxCurrent`; `true` for all of them. */
   confirmUnverified?: boolean | string[];
   /** @description Name of the device. */
   name?: string;
   /**
    * @description Options of the adapter that the search cannot find out, such as `password`.
    * @default {}
    */
   options?: {
    [key: string]: string | number | boolean;
   };
   /** @description `true` adds a device that cannot be read now, such as one that is off. Otherwise a device that was only announced, or that needs a secret, is read once with these options first. */
   saveAnyway?: boolean;
   /** @description Settings that the profile of the device requires, such as `maxChargeW`. */
   settings?: {
    [key: string]: number;
   };
   /** @description User that the device will belong to; by default the user of the house. */
   userId?: string;
  };
  AdoptedDevice: {
   /** @description Id of the device in the gateway. */
   deviceId: string;
   /** @description What the device answered before it was added, such as `reads 2341 W`, in the language that was asked for; `null` if it was not read. */
   proof: string | null;
  };
  /** @description Where the device is. Each field is `null` without the scope to read the location. */
  AssetLocation: {
   /** @description Location that the device is at; `null` if it is at none. */
   id: string | null;
   /** @description Time of the last reading of these values; `null` before the first one. */
   lastUpdated: string | null;
   /** @description Latitude, degrees, −90 to 90, positive north; `null` if not known. */
   latitude: number | null;
   /** @description Longitude, degrees, −180 to 180, positive east; `null` if not known. */
   longitude: number | null;
  };
  AuditActor: {
   id: string | null;
   /**
    * @description `account`: a person. `client`: a program with a token. `mqtt`: a command over MQTT. `program`: a write through the Modbus proxy; `id` is its IP address. `box`: the command line on the gateway's machine. `unknown`: a sign-in or claim that failed.
    * @enum {string}
    */
   kind: "account" | "client" | "mqtt" | "program" | "box" | "unknown";
   /** @description As it was called then; plain text. */
   name: string | null;
  };
  AuditEntry: {
   /**
    * Format: date-time
    * @description Time of the request; of the first one if `count` is above 1.
    */
   at: string;
   /** @description Equal requests of one caller within an hour. */
   count: number;
   id: string;
   /**
    * Format: date-time
    * @description Time of the last request that is counted here.
    */
   lastAt: string;
   /** @description `null` for what is no request of the API. */
   method: string | null;
   /**
    * @description `refused`: not allowed or not possible. `failed`: the gateway's fault.
    * @enum {string}
    */
   outcome: "done" | "refused" | "failed";
   /** @description Path without its query; else the MQTT topic, the write through the Modbus proxy, or the command line. */
   path: string;
   /** @description HTTP status of the answer; `null` for what is no request. */
   status: number | null;
   who: components["schemas"]["AuditActor"];
  };
  AuditPage: {
   data: components["schemas"]["AuditEntry"][];
   pagination: components["schemas"]["Pagination"];
  };
  Backup: {
   /** @description Size of the file, bytes. */
   bytes: number;
   /** @description Name of the file. */
   name: string;
   /** @description How it was when it was last read to its end; `null` if it was not, or was changed since. */
   verified: {
    /** Format: date-time */
    at: string;
    /** @description Why it failed; `null` if it did not. `passphrase`: the file does not open with it. `damaged`: the file is cut or changed. `full`: the disk, here or at the server. `no-access`: the gateway may not write in the folder. `not-found`: no such file, or no WebDAV folder there. `untrusted`: the certificate is not valid. `unauthorized`: the server refuses the account. `stopped`: the gateway stopped meanwhile. */
    cause: ("passphrase" | "damaged" | "full" | "no-access" | "not-found" | "no-such-host" | "unreachable" | "untrusted" | "timeout" | "unauthorized" | "address-refused" | "broken" | "rejected" | "stopped" | "other") | null;
    /** @description What is wrong with the file, in English, with what to do; `null` if it is whole. */
    failure: string | null;
   } | null;
   /**
    * Format: date-time
    * @description When it was written.
    */
   writtenAt: string;
  };
  Backups: {
   /** @description The backups in the folder, newest first. */
   backups: components["schemas"]["Backup"][];
   /** @description Where backups are: `backup.folder` of the configuration, else `backups` in the state folder. */
   folder: string;
   /** @description The configuration has `backup.passphrase`, which counts where a request names none. It is never shown. */
   hasPassphrase: boolean;
   /** @description How many of the backups that it made the gateway keeps there: `backup.keep`. */
   keep: number;
   /** @description `null` if the configuration has no `backup.schedule`. */
   schedule: components["schemas"]["BackupSchedule"] | null;
   /** @description What runs now, else what ran last since the start of the gateway; `null` if nothing did. */
   task: components["schemas"]["BackupTask"] | null;
   /** @description The folder on a WebDAV server that each backup is uploaded to as well, `backup.webdav`; `null` for none. */
   webdav: string | null;
  };
  BackupSchedule: {
   /** @description `backup.schedule` of the configuration. */
   expression: string;
   /** @description The last scheduled one; `null` if none was due yet. */
   last: {
    /** Format: date-time */
    at: string;
    /** @description Why it failed; `null` if it did not. `passphrase`: the file does not open with it. `damaged`: the file is cut or changed. `full`: the disk, here or at the server. `no-access`: the gateway may not write in the folder. `not-found`: no such file, or no WebDAV folder there. `untrusted`: the certificate is not valid. `unauthorized`: the server refuses the account. `stopped`: the gateway stopped meanwhile. */
    cause: ("passphrase" | "damaged" | "full" | "no-access" | "not-found" | "no-such-host" | "unreachable" | "untrusted" | "timeout" | "unauthorized" | "address-refused" | "broken" | "rejected" | "stopped" | "other") | null;
    /** @description Why it was not made or not uploaded, in English; `null` if it was, or if one was since. */
    failure: string | null;
    /** @description `false` if it was not made; `true` after a failed upload too. */
    isStored: boolean;
   } | null;
   /**
    * Format: date-time
    * @description When the next one is made.
    */
   nextAt: string;
   /** @description `site.timezone`, in which it counts. */
   timeZone: string;
  };
  BackupSettings: {
   /** @description Where backups are written, best on another disk; default backups in the state folder. */
   folder?: string;
   /**
    * @description How many are kept, in the folder and on the WebDAV server; the oldest are removed.
    * @default 7
    */
   keep?: number;
   /** @description Encrypts them; who has it and a backup has everything. Keep a copy apart from the gateway. */
   passphrase?: string;
   /** @description When a backup is made: a cron expression (minute, hour, day of month, month, day of week) in site.timezone; never when absent. */
   schedule?: string;
   /** @description A WebDAV server, such as a Nextcloud or a NAS, that each backup is uploaded to as well; none when absent. */
   webdav?: {
    /** @description SHA-256 of the server's certificate, where the server signs it itself. */
    fingerprint?: string;
    /** @description Of the account; best one that was made for this program alone. */
    password?: string;
    /**
     * Format: uri
     * @description The folder for backups of this gateway alone, which is made if it is not there; http only in the house.
     */
    url: string;
    /** @description Account, if the server asks for one. */
    username?: string;
   };
  };
  BackupTask: {
   /** @description Why it failed; `null` if it did not. `passphrase`: the file does not open with it. `damaged`: the file is cut or changed. `full`: the disk, here or at the server. `no-access`: the gateway may not write in the folder. `not-found`: no such file, or no WebDAV folder there. `untrusted`: the certificate is not valid. `unauthorized`: the server refuses the account. `stopped`: the gateway stopped meanwhile. */
   cause: ("passphrase" | "damaged" | "full" | "no-access" | "not-found" | "no-such-host" | "unreachable" | "untrusted" | "timeout" | "unauthorized" | "address-refused" | "broken" | "rejected" | "stopped" | "other") | null;
   /** @description Bytes of the file that are written, read or uploaded in this step. */
   doneBytes: number;
   /** @description `null` while it runs. */
   endedAt: string | null;
   /** @description What `doneBytes` is at the end of the step: exact while reading and uploading; while writing the size of the newest backup, `null` if there is none. */
   expectedBytes: number | null;
   /** @description What went wrong, in English, with what to do; `null` if nothing did. */
   failure: string | null;
   /** @description `false` if a person or a program asked for it. */
   isScheduled: boolean;
   /**
    * @description `create`: a backup is written, then read to its end, then uploaded where a WebDAV server is set. `verify`: one of the list is read to its end.
    * @enum {string}
    */
   kind: "create" | "verify";
   /** @description Name of the file. */
   name: string;
   /** Format: date-time */
   startedAt: string;
   /** @enum {string} */
   state: "running" | "done" | "failed";
   /**
    * @description What is done now, or was done last. From `upload` on the backup is in the folder, whatever follows.
    * @enum {string}
    */
   step: "write" | "read" | "upload";
  };
  /** @description A home battery. */
  Battery: {
   capabilities: {
    exportFocus: components["schemas"]["Capability"];
    idle: components["schemas"]["Capability"];
    importFocus: components["schemas"]["Capability"];
    selfReliance: components["schemas"]["Capability"];
    timeOfUse: components["schemas"]["Capability"];
   };
   chargeState: {
    /** @description Usable energy of the full battery, kWh; `null` if not known. */
    batteryCapacity: number | null;
    /** @description State of charge, %; `null` if not known. */
    batteryLevel: number | null;
    /** @description Power, kW; positive while charging, negative while discharging; `null` if not known. */
    chargeRate: number | null;
    /** @description State of charge that is kept as a reserve, %: the battery is discharged below it only in an emergency; `null` if not known. */
    dischargeLimit: number | null;
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
    /** @description As the device reports it, else by the sign of `chargeRate`; `null` if neither is known. */
    status: ("CHARGING" | "DISCHARGING" | "IDLE" | "FAULT" | "UNKNOWN") | null;
   };
   config: {
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
    /** @description `IMPORT_FOCUS`: charges, also from the grid. `EXPORT_FOCUS`: discharges into the grid. `TIME_OF_USE`: follows the tariff set in the device. `SELF_RELIANCE`: stores surplus solar power for the house. `IDLE`: neither charges nor discharges. `UNKNOWN`: another mode of the device. `null`: the device does not report its mode. */
    operationMode: ("IMPORT_FOCUS" | "EXPORT_FOCUS" | "TIME_OF_USE" | "SELF_RELIANCE" | "IDLE" | "UNKNOWN") | null;
   };
   /** @description Energy system that the device belongs to; `null` if it belongs to none. */
   hemSystemId: string | null;
   /**
    * Format: uuid
    * @description Id of the device in this API.
    */
   id: string;
   information: {
    /** @description Brand of the device; the vendor's name if the device does not report one. */
    brand: string;
    /** @description Serial number or id at the vendor; `null` if not known. */
    id: string | null;
    /**
     * Format: date-time
     * @description Day that the installer entered, else the time at which the gateway first connected to the device.
     */
    installationDate: string;
    /** @description Model of the device; `Unknown` if the device does not report it. */
    model: string;
    /** @description Name that the user gave to the device, else one derived from the name of the site. */
    siteName: string;
   };
   /** @description `false` if the device does not answer now; the values are then those of its last answer. */
   isReachable: boolean;
   /**
    * Format: date-time
    * @description Time of the last successful communication, or of the linking.
    */
   lastSeen: string;
   location: components["schemas"]["AssetLocation"];
   /** @description Permissions that the user granted for this device. */
   scopes: string[];
   /** @description User that the device belongs to. */
   userId: string;
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
  };
  BatteryAction: {
   /** @description Time at which the action ended; `null` while it is PENDING. */
   completedAt: string | null;
   /** Format: date-time */
   createdAt: string;
   /** @description Why the action ended as FAILED or CANCELLED; `null` otherwise. */
   failureReason: {
    /** @description What happened, in English. */
    detail: string;
    /**
     * @description `NO_RESPONSE`: the command was sent and the device did not follow. `FAILED_PRECONDITION`: the command could not be sent, such as to a vehicle that is not plugged in. `UNNECESSARY`: the device already had the setting. `CONFLICT`: a newer action, or somebody at the device, changed the setting. `REQUESTED_CANCELLATION`: the action was cancelled on request. `NOT_FOUND`: the device was removed.
     * @enum {string}
     */
    type: "NO_RESPONSE" | "FAILED_PRECONDITION" | "UNNECESSARY" | "CONFLICT" | "REQUESTED_CANCELLATION" | "NOT_FOUND";
   } | null;
   /** Format: uuid */
   id: string;
   /**
    * @description `PENDING`: the command is being carried out. `CONFIRMED`: a reading shows the setting. `FAILED`: the device did not take the command in time. `CANCELLED`: the action ended without a failure of the device.
    * @enum {string}
    */
   state: "PENDING" | "CONFIRMED" | "FAILED" | "CANCELLED";
   /** @description Device that is commanded. */
   targetId: string;
   targetState: {
    /** @enum {string} */
    operationMode: "IMPORT_FOCUS" | "EXPORT_FOCUS" | "TIME_OF_USE" | "SELF_RELIANCE" | "IDLE";
   };
   /** @constant */
   targetType: "battery";
   /** Format: date-time */
   updatedAt: string;
   /** @description User that the target belongs to. */
   userId: string;
  };
  BatteryPage: {
   data: components["schemas"]["Battery"][];
   pagination: components["schemas"]["Pagination"];
  };
  Capability: {
   /** @description Interventions by which the user can make the device capable. */
   interventionIds: string[];
   /** @description `true` if the device fully provides the data or function. */
   isCapable: boolean;
  };
  ChargeAction: {
   /** @description Time at which the action ended; `null` while it is PENDING. */
   completedAt: string | null;
   /** Format: date-time */
   createdAt: string;
   /** @description Why the action ended as FAILED or CANCELLED; `null` otherwise. */
   failureReason: {
    /** @description What happened, in English. */
    detail: string;
    /**
     * @description `NO_RESPONSE`: the command was sent and the device did not follow. `FAILED_PRECONDITION`: the command could not be sent, such as to a vehicle that is not plugged in. `UNNECESSARY`: the device already had the setting. `CONFLICT`: a newer action, or somebody at the device, changed the setting. `REQUESTED_CANCELLATION`: the action was cancelled on request. `NOT_FOUND`: the device was removed.
     * @enum {string}
     */
    type: "NO_RESPONSE" | "FAILED_PRECONDITION" | "UNNECESSARY" | "CONFLICT" | "REQUESTED_CANCELLATION" | "NOT_FOUND";
   } | null;
   /** Format: uuid */
   id: string;
   /** @enum {string} */
   kind: "START" | "STOP";
   /**
    * @description `PENDING`: the command is being carried out. `CONFIRMED`: a reading shows the setting. `FAILED`: the device did not take the command in time. `CANCELLED`: the action ended without a failure of the device.
    * @enum {string}
    */
   state: "PENDING" | "CONFIRMED" | "FAILED" | "CANCELLED";
   /** @description Device that is commanded. */
   targetId: string;
   /** @enum {string} */
   targetType: "charger" | "vehicle";
   /** Format: date-time */
   updatedAt: string;
   /** @description User that the target belongs to. */
   userId: string;
  };
  /** @description A charging station. */
  Charger: {
   capabilities: {
    chargeState: components["schemas"]["Capability"];
    information: components["schemas"]["Capability"];
    setChargeRateLimit?: components["schemas"]["ChargeRateCapability"];
    setMaxCurrent: components["schemas"]["Capability"];
    startCharging: components["schemas"]["Capability"];
    stopCharging: components["schemas"]["Capability"];
   };
   chargeState: {
    /** @description Charging power, kW; `null` while the charger does not charge, or if not known. */
    chargeRate: number | null;
    /** @description Highest charging power, kW: `maxCurrent` at 230 V on all phases of the charger; `null` without a limit, or if not known. */
    chargeRateLimit?: number | null;
    /** @description `null` if the state is not known. */
    isCharging: boolean | null;
    /** @description `null` if the state is not known. */
    isPluggedIn: boolean | null;
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
    /** @description Highest current that the charger offers, A per phase; `null` if not known. */
    maxCurrent: number | null;
    /** @description Vehicle that is plugged in, as far as the gateway could find out; `null` if there is none; absent if not known. */
    pluggedInVehicleId?: string | null;
    /**
     * @description `UNPLUGGED`: no vehicle is plugged in. `PLUGGED_IN:INITIALIZING`: charging is about to begin. `PLUGGED_IN:CHARGING`: power flows into the vehicle. `PLUGGED_IN:STOPPED`: charging is paused. `PLUGGED_IN:NO_POWER`: the charger has no power to offer. `PLUGGED_IN:FAULT`: an error prevents charging. `PLUGGED_IN:DISCHARGING`: power flows out of the vehicle. `UNKNOWN`: the device does not report its state.
     * @enum {string}
     */
    powerDeliveryState: "UNKNOWN" | "UNPLUGGED" | "PLUGGED_IN:INITIALIZING" | "PLUGGED_IN:CHARGING" | "PLUGGED_IN:STOPPED" | "PLUGGED_IN:NO_POWER" | "PLUGGED_IN:FAULT" | "PLUGGED_IN:DISCHARGING";
   };
   /**
    * @deprecated
    * @description Use `locationId`.
    */
   chargingLocationId: string | null;
   /**
    * Format: uuid
    * @description Id of the device in this API.
    */
   id: string;
   information: {
    /** @description Brand of the device; the vendor's name if the device does not report one. */
    brand: string;
    /** @description Serial number or id at the vendor; `null` if not known. */
    id: string | null;
    /** @description Model of the device; `Unknown` if the device does not report it. */
    model: string;
    /** @description `null` if not known. */
    serialNumber: string | null;
    /** @description Model year; `null` if not known. */
    year: number | null;
   };
   /** @description `false` if the device does not answer now; the values are then those of its last answer. */
   isReachable: boolean;
   /**
    * Format: date-time
    * @description Time of the last successful communication, or of the linking.
    */
   lastSeen: string;
   location: {
    /** @description Location that the device is at; `null` if none. */
    id: string | null;
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
   };
   /** @description Location that the device is at; `null` if none. */
   locationId: string | null;
   /** @description Permissions that the user granted for this device. */
   scopes: string[];
   /** @description User that the device belongs to. */
   userId: string;
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
  };
  ChargerAction: components["schemas"]["ChargeAction"] | components["schemas"]["ChargeRateLimitAction"] | components["schemas"]["MaxCurrentAction"];
  ChargeRateCapability: {
   /** @description Interventions by which the user can make the device capable. */
   interventionIds: string[];
   /** @description `true` if the device fully provides the data or function. */
   isCapable: boolean;
   /** @description Range of the limit, kW, both ends included; absent if no limit can be set. */
   range?: {
    max: number;
    min: number;
   };
  };
  ChargeRateLimitAction: {
   /** @description Time at which the action ended; `null` while it is PENDING. */
   completedAt: string | null;
   /** Format: date-time */
   createdAt: string;
   /** @description Why the action ended as FAILED or CANCELLED; `null` otherwise. */
   failureReason: {
    /** @description What happened, in English. */
    detail: string;
    /**
     * @description `NO_RESPONSE`: the command was sent and the device did not follow. `FAILED_PRECONDITION`: the command could not be sent, such as to a vehicle that is not plugged in. `UNNECESSARY`: the device already had the setting. `CONFLICT`: a newer action, or somebody at the device, changed the setting. `REQUESTED_CANCELLATION`: the action was cancelled on request. `NOT_FOUND`: the device was removed.
     * @enum {string}
     */
    type: "NO_RESPONSE" | "FAILED_PRECONDITION" | "UNNECESSARY" | "CONFLICT" | "REQUESTED_CANCELLATION" | "NOT_FOUND";
   } | null;
   /** Format: uuid */
   id: string;
   /**
    * @description `PENDING`: the command is being carried out. `CONFIRMED`: a reading shows the setting. `FAILED`: the device did not take the command in time. `CANCELLED`: the action ended without a failure of the device.
    * @enum {string}
    */
   state: "PENDING" | "CONFIRMED" | "FAILED" | "CANCELLED";
   /** @description Device that is commanded. */
   targetId: string;
   targetState: {
    /** @description Highest charging power, kW; `null` lifts the limit. */
    chargeRateLimit: number | null;
    /** @description Current by which the limit is kept, A per phase. */
    maxCurrent: number;
   };
   /** @constant */
   targetType: "charger";
   /** Format: date-time */
   updatedAt: string;
   /** @description User that the target belongs to. */
   userId: string;
  };
  ChargeRateLimitRequest: {
   /** @description kW; null lifts the limit. */
   chargeRateLimit: number | null;
  };
  ChargerPage: {
   data: components["schemas"]["Charger"][];
   pagination: components["schemas"]["Pagination"];
  };
  ChargerSmartChargingPolicy: {
   /** @description Charging time in a cycle, HH:MM; `null` if none is set. */
   chargingDuration: string | null;
   /** @description Time of day, HH:MM in the location's time zone, at which a charging cycle ends; `null` if none is set. */
   deadline: string | null;
   /** @description `true` while smart charging is switched on for the charger. */
   isEnabled: boolean;
  };
  ChargerSmartChargingPolicyUpdate: {
   /** @description Charging time in a cycle, HH:MM; `null` removes it. */
   chargingDuration?: string | null;
   /** @description Time of day, HH:MM in the location's time zone, at which a charging cycle ends; `null` removes it. */
   deadline?: string | null;
   /** @description Switches smart charging on or off. */
   isEnabled?: boolean;
  };
  ChargerSmartChargingStatus: {
   /** @description Id of the charger. */
   chargerId: string;
   /** @description Charging intervals of the present cycle, ascending. */
   chargingIntervals: {
    /**
     * Format: date-time
     * @description End of charging.
     */
    endTime: string;
    /**
     * Format: date-time
     * @description Start of charging.
     */
    startTime: string;
    /** @enum {string} */
    status: "IN_PROGRESS" | "COMPLETED" | "PLANNED";
   }[];
   /**
    * @description `DISABLED`: switched off, or `deadline` or `chargingDuration` is missing. `CHARGING`: in a charging interval. `CHARGING_PAUSED`: between intervals. `AWAITING_PRICES`: paused, and prices before the deadline are not known yet.
    * @enum {string}
    */
   state: "DISABLED" | "CHARGER_NOT_REACHABLE" | "VEHICLE_NOT_PLUGGED_IN" | "CHARGING_PAUSED" | "CHARGING" | "AWAITING_PRICES";
   /** @description User that the charger belongs to. */
   userId: string;
  };
  /** @description A rule of a charge schedule. If several rules apply, the last one counts. */
  ChargeRule: {
   /**
    * Format: date-time
    * @description Start of the rule's validity, inclusive.
    */
   fromTimestamp?: string;
   /** @description Time of day in the location's time zone. A time that crosses midnight belongs to the day on which it begins. */
   hourMinute?: {
    /** @description Start, HH:MM, inclusive. */
    from: string;
    /** @description End, HH:MM, exclusive; on the next day unless it is later than `from`. */
    to: string;
   };
   /** @description `true`: charge while the rule applies; `false`: do not charge. */
   shouldCharge: boolean;
   /**
    * Format: date-time
    * @description End of the rule's validity, exclusive.
    */
   toTimestamp?: string;
   /** @description Days of the week, 0 is Monday, 6 is Sunday; by default all days. */
   weekdays?: number[];
  };
  /** @description A schedule that charges a vehicle by rules. */
  ChargeSchedule: {
   /** @description `true`: charge while no rule applies; `false`: do not charge. */
   defaultShouldCharge: boolean;
   /**
    * Format: uuid
    * @description Id of the schedule.
    */
   id: string;
   /** @description `false`: the schedule does not control its target. */
   isEnabled: boolean;
   /** @description Location at which the schedule applies. `null`: it applies to a charger anywhere, and to a vehicle at any of the user's locations. */
   locationId: string | null;
   /** @description Rules of the schedule. If several apply, the last one counts. */
   rules: components["schemas"]["ChargeRule"][];
   /** @description Id of the device that the schedule controls. */
   targetId: string;
   /** @enum {string} */
   targetType: "charger" | "vehicle";
  };
  ChargeScheduleChanges: {
   /** @description `true`: charge while no rule applies; `false`: do not charge. */
   defaultShouldCharge?: boolean;
   /** @description `false`: the schedule does not control its target. */
   isEnabled?: boolean;
   /** @description Location at which the schedule applies. `null`: it applies to a charger anywhere, and to a vehicle at any of the user's locations. */
   locationId?: string | null;
   /** @description Rules of the schedule. If several apply, the last one counts. */
   rules?: components["schemas"]["ChargeRule"][];
   /** @description Id of the device that the schedule controls. */
   targetId?: string;
   /** @enum {string} */
   targetType?: "charger" | "vehicle";
  };
  ChargeScheduleStatus: {
   /**
    * Format: date-time
    * @description Time of the last change of the status.
    */
   changedAt: string;
   /** @description `false` also while it is not known. */
   isCharging: boolean;
   /** @description `true` if the target should charge now. */
   isChargingExpected: boolean;
   /** @description Conditions of `isChargingExpected`; all of them have to be `true`. */
   isChargingExpectedParts: {
    /** @description `false` also while it is not known. */
    isPluggedIn: boolean;
    /** @description `false` if the vehicle is full, or if the charger has no power or a fault. */
    needsCharge: boolean;
    /** @description `true` if the rules require charging now. */
    shouldCharge: boolean;
   };
   /**
    * Format: uuid
    * @description Id of the schedule.
    */
   scheduleId: string;
   /** @constant */
   scheduleType: "CHARGE";
   /** @description The active smart override; `null` if there is none. */
   smartOverride: components["schemas"]["EmbeddedSmartOverride"] | null;
   /**
    * @description `ALIGNED`: the target has the expected setting. `PENDING`: a command for it is on its way. `MISALIGNED`: the target has another setting. `INACTIVE:OVERRIDDEN`: a smart override is active. `INACTIVE:DISABLED`: the schedule is switched off. `INACTIVE:AWAY`: the target is at another location. `INACTIVE:INCAPABLE`: the target cannot be commanded.
    * @enum {string}
    */
   state: "ALIGNED" | "MISALIGNED" | "PENDING" | "INACTIVE:OVERRIDDEN" | "INACTIVE:DISABLED" | "INACTIVE:AWAY" | "INACTIVE:INCAPABLE";
   /** @description The next two changes by the rules, at most eight days ahead. */
   upcomingTransitions: {
    /**
     * Format: date-time
     * @description Time from which the new value applies.
     */
    at: string;
    /** @description `true` if the rules require charging from then on. */
    shouldCharge: boolean;
   }[];
  };
  ChargingRequest: {
   /** @enum {string} */
   action: "START" | "STOP";
  };
  ChargingSession: {
   /** @description Cost of `kwhPriced`, the energy with a known price, in currency units; it may be negative. */
   costSum: number;
   /** @description Cost that smart charging saved, in currency units; negative if it cost more; `null` if it moved no energy with a known price. */
   estimatedSavings: number | null;
   /**
    * Format: date-time
    * @description Start of the session.
    */
   from: string;
   /** @description Id of the asset. */
   id: string;
   /** @description `true` if the price of all the energy is known. Otherwise `price` and the sum of money are only for `kwhPriced`, and mean nothing if that is 0. */
   isCostKnown: boolean;
   /** @description Power while energy flowed. */
   kw: {
    /** @description Highest power, kW. */
    max: number;
    /** @description Mean power, kW. */
    mean: number;
    /** @description Lowest power, kW. */
    min: number;
   };
   /** @description The part of `kwhSum` with a known price, kWh. */
   kwhPriced: number;
   /** @description Energy, kWh. */
   kwhSum: number;
   /** @description Location of the asset during the session; `null` if none. */
   locationId: string | null;
   /** @description Price per kWh without smart charging; all values are `null` if smart charging moved no energy. */
   nonSmartPrice: {
    /** @description Highest price, currency units per kWh. */
    max: number | null;
    /** @description Mean price weighted by energy, currency units per kWh. */
    mean: number | null;
    /** @description Lowest price, currency units per kWh. */
    min: number | null;
   };
   /** @description Price per kWh at the time when the energy flowed; it may be negative. All values are 0 if `kwhPriced` is 0. */
   price: {
    /** @description Highest price, currency units per kWh. */
    max: number;
    /** @description Mean price weighted by energy, currency units per kWh. */
    mean: number;
    /** @description Lowest price, currency units per kWh. */
    min: number;
   };
   /**
    * Format: date-time
    * @description End of the session.
    */
   to: string;
  };
  ChargingStatistics: {
   /** @description Cost of `kwhPriced`, the energy with a known price, in currency units; it may be negative. */
   costSum: number;
   /**
    * Format: date-time
    * @description Start of the bucket.
    */
   date: string;
   /** @description Cost that smart charging saved, in currency units; negative if it cost more; `null` if it moved no energy with a known price. */
   estimatedSavings: number | null;
   /** @description `true` if the price of all the energy is known. Otherwise `price` and the sum of money are only for `kwhPriced`, and mean nothing if that is 0. */
   isCostKnown: boolean;
   /** @description Power while energy flowed. */
   kw: {
    /** @description Highest power, kW. */
    max: number;
    /** @description Mean power, kW. */
    mean: number;
    /** @description Lowest power, kW. */
    min: number;
   };
   /** @description The part of `kwhSum` with a known price, kWh. */
   kwhPriced: number;
   /** @description Energy, kWh. */
   kwhSum: number;
   /** @description Price per kWh without smart charging; all values are `null` if smart charging moved no energy. */
   nonSmartPrice: {
    /** @description Highest price, currency units per kWh. */
    max: number | null;
    /** @description Mean price weighted by energy, currency units per kWh. */
    mean: number | null;
    /** @description Lowest price, currency units per kWh. */
    min: number | null;
   };
   /** @description Price per kWh at the time when the energy flowed; it may be negative. All values are 0 if `kwhPriced` is 0. */
   price: {
    /** @description Highest price, currency units per kWh. */
    max: number;
    /** @description Mean price weighted by energy, currency units per kWh. */
    mean: number;
    /** @description Lowest price, currency units per kWh. */
    min: number;
   };
  };
  Claim: {
   /** @description Such as `K7QM-2FXA`. It counts once. */
   code: string;
   /** @description Language that the person reads. */
   language?: string;
   /** @description Name to sign in with: 1 to 64 characters, no two alike. */
   name: string;
   /** @description 8 to 256 characters. */
   password: string;
  };
  ClaimState: {
   /** @description `false`: nobody has an account yet; the setup code in the gateway's log makes the first owner. */
   isClaimed: boolean;
  };
  ClientCreate: {
   /** @description What people call the program. */
   name: string;
   /**
    * @description What it may do beside what every client may.
    * @default []
    */
   scopes?: ("energy:limits" | "people:manage")[];
   /** @description Version of the API that its requests mean when they name none; default the newest. */
   version?: string;
  };
  ClientEntry: {
   /** Format: date-time */
   createdAt: string;
   id: string;
   /** @description Time at which it last got an access token, which is valid for an hour; `null` if none is known. */
   lastUsedAt: string | null;
   name: string;
   /** @description What it may do beside what every client may. */
   scopes: string[];
   /** @description Version of the API that its requests mean when they name none. */
   version: string;
  };
  ClientUpdate: {
   /** @description Version of the API that its requests mean when they name none. */
   version: string;
  };
  /** @description A command of the cloud service that the gateway answered. */
  CloudCommand: {
   /**
    * Format: date-time
    * @description Time at which the gateway answered.
    */
   at: string;
   /** @description Why the command was not executed, in English. */
   detail: string | null;
   /** @description Id of the command at the cloud service. */
   id: string;
   /** @description `executed`: passed to the API. `expired`: it arrived too late. `refused`: it was not allowed. `interrupted`: the gateway stopped meanwhile. */
   outcome: string;
   /** @description HTTP status of the API's response; `null` if the command was not passed to the API. */
   status: number | null;
  };
  /** @description The part of the configuration that the cloud service set. */
  CloudConfiguration: {
   /** @description Result of the latest configuration that the cloud service sent; `null` if it sent none. */
   last: components["schemas"]["CloudConfigurationOutcome"] | null;
   /** @description Revision in use; `null` if only the configuration file of the gateway is in use. */
   revision: number | null;
   /** @description Sections of the configuration file that the revision replaces. */
   sections: string[];
   /** @description Revision that is being tried; `null` if none is. */
   trialRevision: number | null;
   /** @description Time at which the trial began; `null` if there is none. */
   trialSince: string | null;
  };
  /** @description An invalid setting; its value is not shown. */
  CloudConfigurationError: {
   /** @description What would be valid; `null` if that is not clear. */
   expected: string | null;
   /** @description Path of the setting. */
   path: string;
   /** @description What is wrong, in English. */
   problem: string;
  };
  /** @description Result of a configuration that the cloud service sent. */
  CloudConfigurationOutcome: {
   /**
    * Format: date-time
    * @description Time of the result.
    */
   at: string;
   /** @description The invalid settings. */
   errors: components["schemas"]["CloudConfigurationError"][];
   /** @description `applied`: in use. `refused`: the gateway does not accept it. `rolled-back`: it was tried and the gateway went back to the one before. */
   outcome: string;
   /** @description Why it was rolled back: `not-connected`, `interrupted`, `broken-start`, `local-change` or `invalid`; `null` otherwise. */
   reason: string | null;
   /** @description Revision number of the configuration. */
   revision: number;
  };
  /** @description Name and credentials of the gateway at the cloud service. */
  CloudIdentity: {
   /** @description Time at which the identity expires; `null` if it is valid until it is revoked. */
   expiresAt: string | null;
   /** @description SHA-256 of the public key, hexadecimal; the cloud service shows the same one. `null` if the gateway signs in with a password, or before the key was read. */
   fingerprint: string | null;
   /** @description Name of this gateway at the cloud service. */
   gateway: string;
   /** @description Time at which the identity was issued; `null` if it comes from the configuration. */
   givenAt: string | null;
   /** @description `true` if a renewed key was issued and the gateway has not yet connected with it. */
   isRenewing: boolean;
   /** @description URL of the enrolment service that issued the identity; `null` if it comes from the configuration. */
   service: string | null;
  };
  /** @description The link to the cloud service. */
  CloudLink: {
   /** @description The latest commands of the cloud service, newest first, at most 20. */
   commands: components["schemas"]["CloudCommand"][];
   configuration: components["schemas"]["CloudConfiguration"];
   /** @description Number of destroyed keys that the cloud service has not been informed of. */
   farewells: number;
   /** @description `null` if the gateway is not enrolled. */
   identity: components["schemas"]["CloudIdentity"] | null;
   /** @description `true` if so many events wait that commands of the cloud service are refused. */
   isFull: boolean;
   /** @description Time of the last message from the cloud service in this run; `null` if there was none. */
   lastContactAt: string | null;
   /** @description Time of the oldest record that is not acknowledged; `null` if there is none, or if not known. */
   oldestWaitingAt: string | null;
   /** @description Why the gateway is not connected, in English; `null` while it is connected. */
   reason: string | null;
   /** @description Records acknowledged per second in the last minutes; `null` if there were none. */
   recordsPerSecond: number | null;
   /** @description Records that the cloud service refused because they break the protocol; all others are sent. `null` if there are none. */
   refused: components["schemas"]["CloudRefused"] | null;
   /** @description Time until all records are sent at that rate, s; `null` if it cannot be estimated. */
   remainingSeconds: number | null;
   /** @description What the owner can do about it, in English; `null` if nothing is needed. */
   remedy: string | null;
   /** @description How often records were sent again. */
   replays: number;
   /**
    * @description `NOT_ENROLLED`: the gateway has no identity at a cloud service. `ENROLLED`: it has one and is not connected now. `CONNECTED`: it is connected. `REFUSED`: the cloud service does not accept the gateway. `EXPIRED`: its credentials are no longer valid. `CLONED`: another machine uses the same identity.
    * @enum {string}
    */
   state: "NOT_ENROLLED" | "ENROLLED" | "CONNECTED" | "REFUSED" | "EXPIRED" | "CLONED";
   /** @description Records that wait for the cloud service, by stream; empty while none are collected. */
   streams: components["schemas"]["CloudStream"][];
   /** @description Transport of the present connection, `mqtt` or `https`; `null` if there is none. */
   uplink: string | null;
   /** @description Transports to the cloud service in the order of preference; one is used at a time. */
   ways: components["schemas"]["CloudWay"][];
  };
  /** @description Consecutive records of a stream, both ends included. */
  CloudNumbers: {
   /** @description Number of the first record. */
   from: number;
   /** @description `event`, `state` or `telemetry`. */
   stream: string;
   /** @description Number of the last record. */
   through: number;
  };
  /** @description Records that the cloud service refused. */
  CloudRefused: {
   /**
    * Format: date-time
    * @description Time of the last refusal.
    */
   at: string;
   /** @description Number of refused records and of unreadable messages in this run. */
   count: number;
   /** @description The records that were refused last; `null` if it was a message without records. */
   numbers: components["schemas"]["CloudNumbers"] | null;
   /** @description Why they were refused, in English. */
   reason: string;
  };
  /** @description Records of one kind that are sent to the cloud service in order. */
  CloudStream: {
   /** @description Time of the oldest record that is not acknowledged; `null` if there is none, or if not known. */
   oldestWaitingAt: string | null;
   /** @description Records acknowledged per second in the last minutes; `null` if there were none. */
   recordsPerSecond: number | null;
   /** @description Time until all records of the stream are sent at that rate, s; `null` if it cannot be estimated. */
   remainingSeconds: number | null;
   /** @description Time of the last sending in this run; `null` if there was none. */
   sentAt: string | null;
   /** @description Number of the last record that was sent in this run; `null` if there was none. */
   sentThrough: number | null;
   /** @description `event`, `state` or `telemetry`. */
   stream: string;
   /** @description Number of records that the cloud service has not acknowledged. Of states only the newest is sent, so fewer may be left to send. */
   waiting: number;
  };
  /** @description A transport to the cloud service. */
  CloudWay: {
   /** @description Time of the last failure; `null` if there was none in this run since the last successful connection. */
   failedAt: string | null;
   /** @description Why the last connection ended or could not be made, in English; `null` without a failure. */
   failure: string | null;
   /** @description `true` if the gateway is connected by this transport. */
   isInUse: boolean;
   /** @description Addresses of the servers, tried one after the other. */
   servers: string[];
   /** @description Transport: `mqtt` or `https`. */
   uplink: string;
  };
  /** @description The configuration in use, without secrets. */
  Configuration: {
   /** @description The versions of the API that are served, newest first. */
   apiVersions: string[];
   sections: components["schemas"]["ConfigurationSection"][];
   /** @description The ids that `pricing.market.source` and `forecast.source` can have. */
   sources: {
    forecasts: string[];
    prices: string[];
   };
  };
  /** @description Stored; the gateway restarts with it now. */
  ConfigurationAccepted: {
   /** @constant */
   isRestarting: true;
  };
  ConfigurationSection: {
   /** @description `true` if PUT and DELETE can change the section. */
   isSettable: boolean;
   /** @description Key in the configuration file, such as `pricing`. */
   name: string;
   /**
    * @description `file`: the configuration file has the section (of `http`: its `corsOrigins`), and it is changed only there. `fleet`: the cloud service set it. `api`: set here. `default`: set nowhere.
    * @enum {string}
    */
   origin: "file" | "fleet" | "api" | "default";
   /** @description The section in use, with defaults; secrets are `[redacted]`. */
   value: unknown;
   /** @description Environment variables that set values of this section; they win over everything else. */
   variables: string[];
  };
  ControlTest: {
   /** @description The value that was sent. */
   asked: number | boolean | string;
   /** Format: uuid */
   assetId: string;
   /** @enum {string} */
   assetType: "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";
   /**
    * Format: date-time
    * @description Time at which it was done.
    */
   at: string;
   /** @description The value before, which is given back. */
   before: number | boolean | string;
   by: components["schemas"]["SetupActor"];
   /** @description Why it failed. `not-followed`: no reading showed the value. `taken-over`: somebody else, or a limit of the house, changed it. `not-restored`: no reading showed the value before again. `stopped`: a person ended it. `grid-operator`: a limit of the grid operator began. */
   cause: ("not-followed" | "taken-over" | "not-restored" | "stopped" | "grid-operator") | null;
   deviceId: string;
   /** @description `null` while it runs. */
   endedAt: string | null;
   isRestored: boolean;
   /**
    * @description What was commanded.
    * @enum {string}
    */
   point: "charger.maxCurrent" | "charger.enabled" | "battery.mode" | "inverter.powerLimit" | "hvac.heatSetpoint";
   /** @description What the device showed then; `null` if nothing. */
   shown: number | boolean | string | null;
   /**
    * @description `passed`: a reading showed the value, and later the one before again. `interrupted`: the gateway stopped meanwhile; the value before is given back all the same.
    * @enum {string}
    */
   state: "running" | "passed" | "failed" | "interrupted";
   /** @description Time until a reading showed the value, s; `null` if none did. */
   tookSeconds: number | null;
  };
  Device: {
   assets: {
    /** Format: uuid */
    assetId: string;
    /** @enum {string} */
    assetType: "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";
   }[];
   deviceId: string;
   /** @description As the device says it; `null` if it does not. */
   firmware: string | null;
   /** @description True if the configuration file has the device; then it is renamed and removed there only. */
   isConfigured: boolean;
   isReachable: boolean;
   /** @description When it answered last; `null` before the first answer. It moves while nothing changes, and the live stream reports changes only. */
   lastSeen: string | null;
   /** @description As a person called it, in the configuration file or here; `null` if nobody did. */
   name: string | null;
  };
  DeviceChange: {
   name: string;
  };
  DeviceDetails: {
   assets: {
    /** Format: uuid */
    assetId: string;
    /** @enum {string} */
    assetType: "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";
   }[];
   deviceId: string;
   /** @description As the device says it; `null` if it does not. */
   firmware: string | null;
   /** @description True if the configuration file has the device; then it is renamed and removed there only. */
   isConfigured: boolean;
   isReachable: boolean;
   /** @description Why it does not answer, in English; `null` while it does. */
   lastError: string | null;
   /** @description When it answered last; `null` before the first answer. It moves while nothing changes, and the live stream reports changes only. */
   lastSeen: string | null;
   /** @description True if another program may hold the only connection of the device: it refuses or ends Modbus TCP connections, or answers nothing on them. The program can read it through the Modbus proxy instead. */
   mayBeInUse: boolean;
   /** @description As a person called it, in the configuration file or here; `null` if nobody did. */
   name: string | null;
   /** @description The latest value of each point, by name. */
   readings: components["schemas"]["DeviceReading"][];
   /** @description Values that something else changed although the gateway controls them. */
   takenOver: components["schemas"]["ForeignValue"][];
  };
  DeviceReading: {
   /**
    * Format: date-time
    * @description When it was read.
    */
   at: string;
   /** @description What is read, such as `grid.voltage.l1`. */
   point: string;
   /** @description Unit of the value; empty for a state. */
   unit: string;
   /** @description `null` if the device cannot say. */
   value: number | string | boolean | null;
  };
  DiagnosticCheck: {
   check: string;
   deviceId: string | null;
   /** Format: date-time */
   firstSeenAt: string;
   id: string;
   /** Format: date-time */
   lastSeenAt: string;
   measured: string;
   state: string;
  };
  DiagnosticDevice: {
   adapter: string;
   assets: {
    id: string;
    kind: string;
   }[];
   firmware: string | null;
   /** @description As the configuration names it. */
   id: string;
   isReachable: boolean;
   /** @description Why it is not reachable, in English. */
   lastError: string | null;
   /** @description Time of its last answer; `null` before the first. */
   lastSeenAt: string | null;
   model: string | null;
   points: {
    /** Format: date-time */
    at: string;
    point: string;
    value: number | string | boolean | null;
   }[];
   vendor: string | null;
  };
  /** @description What helps to find a fault, without secrets. */
  Diagnostics: {
   /** @description The findings about the installation. */
   checks: components["schemas"]["DiagnosticCheck"][];
   cloud: components["schemas"]["CloudLink"];
   /** @description The configuration in use without secrets, names of people, places and serial numbers. */
   configuration: {
    [key: string]: unknown;
   };
   devices: components["schemas"]["DiagnosticDevice"][];
   health: {
    failures: string[];
    isReady: boolean;
   };
   /** @description The last lines of the log, oldest first. */
   log: components["schemas"]["LogLine"][];
   /** Format: date-time */
   madeAt: string;
   vendors: components["schemas"]["VendorAccount"][];
   versions: {
    /** @description Newest version of the API. */
    api: string;
    /** @description Version of the gateway; `null` if it is embedded. */
    gateway: string | null;
   };
  };
  EmbeddedSmartOverride: {
   /**
    * Format: date-time
    * @description Start of the override.
    */
   createdAt: string;
   /** @description End of the override; `null` while it is active. */
   endedAt: string | null;
   /** @description Id of the charger or vehicle. */
   targetId: string;
   /** @enum {string} */
   targetType: "charger" | "vehicle";
   /** @description Action that starts charging; `null` if the target was already charging. */
   vendorActionId: string | null;
  };
  EnergyAlarm: {
   /**
    * @description `meter-silent`: the grid meter does not answer, or is read less often than each 30 s (each minute where nothing limits the import); chargers are at their safe current. `meter-reversed`: a check found that the grid meter is wired the wrong way round; until its finding is confirmed or dismissed, or the house shows the opposite, chargers are at their safe current and batteries wait. `ignores-limit`: a device draws more than it may. `limit-not-reached`: a limit is exceeded and nothing is left to reduce. `control-failed`: the control cycle failed; devices are at their safe values.
    * @enum {string}
    */
   code: "meter-silent" | "meter-reversed" | "ignores-limit" | "limit-not-reached" | "control-failed";
   /** Format: date-time */
   since: string;
   /** @description Id of the device, or name of the limit. */
   subject: string;
  };
  EnergyBatteryUse: {
   /** @description The battery is not discharged while a car charges faster than from surplus. */
   holdWhileFast: boolean;
   /** @description The plan by price may set the mode of batteries. `false`: they do what they do without the energy manager. */
   isPlanned: boolean;
   /** @description The plan charges a battery no higher than to this state of charge, %, neither from the grid nor from surplus; 100: as full as it gets, and fully once if it was not full for ten days: from the sun, or from the cheapest hours of the grid where `mayChargeFromGrid` lets it. */
   maxSoc: number;
   /** @description A planned battery may charge from the grid. */
   mayChargeFromGrid: boolean;
   /** @description A planned battery may feed into the grid. */
   mayDischargeToGrid: boolean;
   /** @description The plan discharges a battery no further than to this state of charge, %; 0: to the battery's own reserve, which goes before where it is higher. */
   minSoc: number;
   /** @description Below this state of charge, %, the battery is charged before cars get surplus. */
   priorityBelow: number;
   /** @description Above this state of charge, %, the battery may support cars in surplus mode; 100: never. */
   supportAbove: number;
  };
  EnergyBatteryUseUpdate: {
   /** @description The battery is not discharged while a car charges faster than from surplus. */
   holdWhileFast?: boolean;
   /** @description The plan by price may set the mode of batteries. `false`: they do what they do without the energy manager. */
   isPlanned?: boolean;
   /** @description The plan charges a battery no higher than to this state of charge, %, neither from the grid nor from surplus; 100: as full as it gets, and fully once if it was not full for ten days: from the sun, or from the cheapest hours of the grid where `mayChargeFromGrid` lets it. */
   maxSoc?: number;
   /** @description A planned battery may charge from the grid. */
   mayChargeFromGrid?: boolean;
   /** @description A planned battery may feed into the grid. */
   mayDischargeToGrid?: boolean;
   /** @description The plan discharges a battery no further than to this state of charge, %; 0: to the battery's own reserve, which goes before where it is higher. */
   minSoc?: number;
   /** @description Below this state of charge, %, the battery is charged before cars get surplus. */
   priorityBelow?: number;
   /** @description Above this state of charge, %, the battery may support cars in surplus mode; 100: never. */
   supportAbove?: number;
  };
  EnergyDeviceState: {
   /** @description `true` for a charger with a mode that the energy manager may switch between one and three phases. */
   canSwitchPhases: boolean;
   /** @enum {string} */
   deviceType: "battery" | "charger" | "hvac" | "inverter" | "vehicle";
   /** @description Power into the device; for an inverter its production. */
   flow: components["schemas"]["EnergyFlow"];
   /**
    * Format: uuid
    * @description Id of the charger, vehicle, heat pump, battery or inverter.
    */
   id: string;
   /**
    * @description Who decides within the limits. `person`: a command of a client or a smart override. `device`: the device itself, or its maker's app.
    * @enum {string}
    */
   inCharge: "energy" | "person" | "schedule" | "smart-charging" | "device";
   /** @description `false`: the device takes no command, or somebody else keeps changing it. It counts as a plain load. */
   isControlled: boolean;
   name: string;
   /** @description Settings of the energy manager; `null` if it has no mode. */
   policy: components["schemas"]["EnergyPolicy"] | null;
   /** @description What decides about the device; `null` before the first cycle. */
   reason: components["schemas"]["EnergyReason"] | null;
   /** @description Power with which the energy manager makes a battery charge (positive) or discharge, kW; `null` while it does neither, or the battery is commanded by mode only. */
   setpointKw: number | null;
  };
  EnergyFlow: {
   /** @description Age of the measurement, s; `null` if there is none. */
   ageSeconds: number | null;
   /** @description Power, kW; `null` if it is not known. */
   powerKw: number | null;
  };
  EnergyHealth: {
   /** @description `false` if nothing limits what the house imports. */
   isLimited: boolean;
   /** @description What is missing, in English. */
   notes: string[];
  };
  EnergyHeatStore: {
   /** @description Heat per electrical energy. Heater: 1. Heat pump: 3. `null`: the default of its kind. */
   heatPerPower: number | null;
   /** @description Heat that warms it by one kelvin, kWh. Tank: 0.35, that of 300 l (a litre has 0.00116). Building: 10. `null`: the default of its kind. */
   kwhPerK: number | null;
   /** @description Heat that it loses per kelvin above its surroundings, kW. Tank: 0.002. Building: 0.2. `null`: the default of its kind. */
   lossKwPerK: number | null;
   /** @description Temperature up to which it may be heated, °C. Tank: 60. Building: 22. `null`: the default of its kind. */
   maxC: number | null;
   /** @description Temperature to keep, °C. Tank: 45. Building: 20. `null`: the default of its kind. */
   minC: number | null;
   /** @description Temperature around it, °C; for a building that of outdoors in the heating season. Tank: 18. Building: 5. `null`: the default of its kind. */
   surroundingsC: number | null;
   /** @description Hot water that is drawn, kWh a day. Tank: 6. Building: 0. `null`: the default of its kind. */
   usedKwhPerDay: number | null;
  };
  EnergyHeatStoreUpdate: {
   /** @description Heat per electrical energy. Heater: 1. Heat pump: 3. `null`: the default of its kind. */
   heatPerPower?: number | null;
   /** @description Heat that warms it by one kelvin, kWh. Tank: 0.35, that of 300 l (a litre has 0.00116). Building: 10. `null`: the default of its kind. */
   kwhPerK?: number | null;
   /** @description Heat that it loses per kelvin above its surroundings, kW. Tank: 0.002. Building: 0.2. `null`: the default of its kind. */
   lossKwPerK?: number | null;
   /** @description Temperature up to which it may be heated, °C. Tank: 60. Building: 22. `null`: the default of its kind. */
   maxC?: number | null;
   /** @description Temperature to keep, °C. Tank: 45. Building: 20. `null`: the default of its kind. */
   minC?: number | null;
   /** @description Temperature around it, °C; for a building that of outdoors in the heating season. Tank: 18. Building: 5. `null`: the default of its kind. */
   surroundingsC?: number | null;
   /** @description Hot water that is drawn, kWh a day. Tank: 6. Building: 0. `null`: the default of its kind. */
   usedKwhPerDay?: number | null;
  };
  EnergyLimits: {
   /** @description Of each direction and scope the lowest limit. */
   active: components["schemas"]["ActiveLimit"][];
   /** @description Who sets limits, and in which state each is. */
   sources: components["schemas"]["LimitSource"][];
  };
  EnergyPlan: {
   /** @description A plan that is not renewed until then is not acted on any more; `null` without one. */
   actedOnUntil: string | null;
   /** @description Cost of all slots, with the wear of batteries; `null` without a plan. */
   cost: number | null;
   /** @description ISO 4217 code of all prices and costs. */
   currency: string;
   devices: components["schemas"]["EnergyPlanDevice"][];
   /** @description The quarter hours of today that are over, in the time zone of the house; unplanned ones are left out. */
   earlier: components["schemas"]["EnergyPlanEarlierSlot"][];
   /** @description What the plan was made from; `null` without one. */
   forecasts: components["schemas"]["EnergyPlanForecasts"] | null;
   /** @description `true` while there is a plan that is acted on. */
   isPlanned: boolean;
   /** @description Devices that are not planned, and why. */
   leftOut: {
    /** @enum {string} */
    code: "surplus" | "cheaper" | "whole-time-needed" | "out-of-reach" | "before-target" | "covers-house" | "waits-for-dearer-hours" | "sells" | "full-charge" | "reserve" | "comfort" | "heats-cheaper" | "unknown-charge" | "in-other-hands" | "no-solution" | "nothing-to-do";
    id: string;
    /** @description The reason as a sentence, in the language that was asked for. */
    text: string;
   }[];
   /** @description When the plan was made; `null` without one. */
   madeAt: string | null;
   /** @description `dynamic-program`: the solver failed, and one battery was planned without it. `null` without a plan. */
   method: ("linear-program" | "dynamic-program") | null;
   slots: components["schemas"]["EnergyPlanSlot"][];
   /** @description Why there is no plan; `null` if there is one. */
   whyNot: {
    /** @enum {string} */
    code: "unknown-charge" | "no-prices" | "no-solution" | "no-history" | "clock-not-set" | "nothing-to-plan" | "not-read-yet" | "not-made-yet";
    /** @description The reason as a sentence, in the language that was asked for. */
    text: string;
   } | null;
  };
  EnergyPlanDevice: {
   /**
    * @description `vehicle`: a charger or a vehicle with a target.
    * @enum {string}
    */
   deviceType: "battery" | "vehicle" | "heat";
   id: string;
   /** @description By slot, kW; positive into the device. */
   power: number[];
   /** @description Why it does what it does; what it does first comes first. */
   reasons: components["schemas"]["EnergyPlanReason"][];
   /** @description By slot, at its end: energy in a battery, or what a vehicle was charged with since the plan was made, kWh. Empty for heat. */
   stored: number[];
   targets: {
    /** Format: date-time */
    at: string;
    /** @description Energy to charge until then, kWh. */
    energy: number;
    /** @description What will be missing, kWh; 0: it is reached. */
    short: number;
   }[];
   /** @description By slot, at its end, °C. Empty for all but heat. */
   temperature: number[];
   /** @description By slot, what one more kWh in the device is worth; the device acts by it. Empty for heat. */
   value: number[];
  };
  EnergyPlanEarlierSlot: {
   /** @description Use of everything that is not planned, as the last plan before this time expected it, kW. */
   expectedLoad: number;
   /** Format: date-time */
   from: string;
   /** @description What it was, kW; `null` if it was not measured, or not yet. */
   load: number | null;
   /** Format: date-time */
   to: string;
  };
  EnergyPlanForecasts: {
   load: {
    /** @description How many days of this house the load was learned from. */
    days: number;
   };
   prices: {
    /** @description `false`: `pricing.feedIn` is not configured; the plan counts on nothing for it. */
    isFeedInKnown: boolean;
    /** @description End of the known prices; `null` if none are. */
    knownUntil: string | null;
   };
   production: {
    /** @description When the forecast was fetched; `null` without one. */
    fetchedAt: string | null;
    /**
     * @description `forecast`: of the configured service, corrected by what the panels gave; earlier days where it ends. `earlier-days`: of this house. `none`: no panels are known.
     * @enum {string}
     */
    source: "forecast" | "earlier-days" | "none";
   };
  };
  EnergyPlanReason: {
   /** @enum {string} */
   code: "surplus" | "cheaper" | "whole-time-needed" | "out-of-reach" | "before-target" | "covers-house" | "waits-for-dearer-hours" | "sells" | "full-charge" | "reserve" | "comfort" | "heats-cheaper" | "unknown-charge" | "in-other-hands" | "no-solution" | "nothing-to-do";
   /** @description The reason as a sentence, in the language that was asked for. */
   text: string;
   /** @description The times that it is about, in order. */
   when: {
    /** Format: date-time */
    from: string;
    /** Format: date-time */
    to: string;
   }[];
  };
  EnergyPlanSlot: {
   /** @description Cost of the import less what the feed-in brings; negative is earned. */
   cost: number;
   /** @description Planned feed-in, kW. */
   export: number;
   /** @description What a kWh that is fed in brings. */
   exportPrice: number;
   /** Format: date-time */
   from: string;
   /** @description Planned import, kW. */
   import: number;
   /** @description Price of a kWh from the grid. */
   importPrice: number;
   /** @description `false`: a price is not known yet. The highest or lowest known one stands for it. */
   isPriceKnown: boolean;
   /** @description Expected use of everything that is not planned, kW. */
   load: number;
   /** @description Part of the import that is above the limit, because the load alone is, kW. */
   overLimit: number;
   /** @description Expected production of the panels, kW. */
   production: number;
   /** Format: date-time */
   to: string;
  };
  EnergyPolicy: {
   /** @description Share of the grid in the power with which surplus charging may start, 0 to 1. */
   gridShare: number;
   /** @description What a heat pump or heater in mode `PLANNED` warms; `null`: the defaults. */
   heat: components["schemas"]["EnergyHeatStore"] | null;
   /**
    * @description `OFF`: no charging. `SURPLUS`: only from what would be fed into the grid. `MIN_SURPLUS`: with the lowest current, and more from surplus. `PLANNED`: from surplus, and what is missing for the target in the cheapest hours; without prices as late as it can be reached. `FAST`: as fast as the limits of the site allow. A heat pump that is SG Ready, or whose setpoint can be raised (by 2 K, never above `heat.maxC`), has `OFF`: left to itself, `SURPLUS` and `FAST`: asked to take more power, `PLANNED`: the same in the cheapest hours and from surplus, between the temperatures of `heat`. A heater whose power can be set has the same four; `OFF`: no power.
    * @enum {string}
    */
   mode: "OFF" | "SURPLUS" | "MIN_SURPLUS" | "PLANNED" | "FAST";
   /** @description On how many phases a charger that can switch them charges its car; `null`: as the power needs it. Set it for a car that must not have its phases changed: the charger is then switched at most once, after the car is plugged in and before it charges. A charger that cannot be switched, or switches by itself, is not changed by it. */
   phases: (1 | 3) | null;
   /** @description Power of a device that is only switched, such as a plug or a heat pump, kW; `null`: 2 kW for a heat pump, and for others what a charger of 16 A takes. For a heater whose power can be set, the highest power; `null`: what it can. */
   powerKw: number | null;
   /** @description The lower the number, the earlier the device gets power. */
   priority: number;
   /** @description What has to be reached by when; `null` if nothing has to. */
   target: components["schemas"]["EnergyTarget"] | null;
  };
  EnergyPolicyUpdate: {
   /** @description Share of the grid in the power with which surplus charging may start, 0 to 1. */
   gridShare?: number;
   /** @description What a heat pump or heater in mode `PLANNED` warms; `null`: the defaults again. */
   heat?: components["schemas"]["EnergyHeatStoreUpdate"] | null;
   /**
    * @description `OFF`: no charging. `SURPLUS`: only from what would be fed into the grid. `MIN_SURPLUS`: with the lowest current, and more from surplus. `PLANNED`: from surplus, and what is missing for the target in the cheapest hours; without prices as late as it can be reached. `FAST`: as fast as the limits of the site allow. A heat pump that is SG Ready, or whose setpoint can be raised (by 2 K, never above `heat.maxC`), has `OFF`: left to itself, `SURPLUS` and `FAST`: asked to take more power, `PLANNED`: the same in the cheapest hours and from surplus, between the temperatures of `heat`. A heater whose power can be set has the same four; `OFF`: no power.
    * @enum {string}
    */
   mode?: "OFF" | "SURPLUS" | "MIN_SURPLUS" | "PLANNED" | "FAST";
   /** @description On how many phases a charger that can switch them charges its car; `null`: as the power needs it. Set it for a car that must not have its phases changed: the charger is then switched at most once, after the car is plugged in and before it charges. A charger that cannot be switched, or switches by itself, is not changed by it. */
   phases?: (1 | 3) | null;
   /** @description Power of a device that is only switched, such as a plug or a heat pump, kW; `null`: 2 kW for a heat pump, and for others what a charger of 16 A takes. For a heater whose power can be set, the highest power; `null`: what it can. */
   powerKw?: number | null;
   /** @description The lower the number, the earlier the device gets power. */
   priority?: number;
   /** @description What has to be reached by when; `null` if nothing has to. */
   target?: components["schemas"]["EnergyTarget"] | null;
  };
  EnergyReason: {
   /**
    * @description What decides about the device now.
    * @enum {string}
    */
   code: "grid-operator" | "fuse" | "circuit" | "contract" | "unbalance" | "feed-in" | "negative-price" | "meter-silent" | "meter-reversed" | "ignores-limit" | "person" | "schedule" | "smart-charging" | "mode-off" | "fast" | "plan" | "plan-waits" | "full-charge" | "warm-enough" | "surplus" | "hidden-surplus" | "no-surplus" | "minimum" | "battery-first" | "not-into-car" | "waits-minimum-time" | "switches-phases" | "wakes-car" | "car-does-not-charge" | "takes-no-command" | "nothing-to-do";
   /** @description The circuit, phase, source or device that binds; `null` if there is nothing to name. */
   subject: string | null;
   /** @description The reason as a sentence, in the language that was asked for. */
   text: string;
   /** @description The next change that is known; `null` if none is. */
   until: string | null;
  };
  EnergySavings: {
   /** @description ISO 4217 code of all money. */
   currency: string;
   /** @description How it was calculated, in English. */
   method: string;
   periods: components["schemas"]["EnergySavingsPeriod"][];
  };
  EnergySavingsPeriod: {
   /** @description What energy from the grid cost, less what the feed-in brought; `null` if it is not known. */
   cost: number | null;
   /** @description What it would have cost if the batteries had followed the meter; `null` if it is not known. */
   costByPlainRule: number | null;
   /** @description What it would have cost without the batteries; `null` if it is not known. */
   costWithoutBattery: number | null;
   /** Format: date-time */
   from: string;
   /** @description Hours in which the grid meter was read. */
   measuredHours: number;
   /** @description Hours of them whose prices are known; only they count. */
   pricedHours: number;
   /** @description What the batteries saved; negative: they cost more; `null` if it is not known. */
   savedByBattery: number | null;
   /** @description What planning saved against the plain rule; negative: it cost more; `null` if it is not known. */
   savedByPlan: number | null;
   /** Format: date-time */
   to: string;
  };
  EnergySimulation: {
   asItWas: components["schemas"]["EnergySimulationCosts"];
   /** @description ISO 4217 code of all money. */
   currency: string;
   /** Format: date-time */
   from: string;
   measuredHours: number;
   /** @description How it was calculated, in English. */
   method: string;
   /** @description Hours whose prices are known in both cases; only they count. */
   pricedHours: number;
   /** @description What the settings would have saved; negative: they would have cost more; `null` if it is not known. */
   saved: number | null;
   simulated: components["schemas"]["EnergySimulationCosts"];
   /** Format: date-time */
   to: string;
  };
  EnergySimulationCosts: {
   /** @description Cost of energy from the grid, less what the feed-in brings; `null` if it is not known. */
   cost: number | null;
   /** @description Energy that is fed in, kWh. */
   export: number;
   /** @description Energy from the grid, kWh. */
   import: number;
  };
  EnergySimulationRequest: {
   /** @description Usable capacity of the battery, kWh; default that of the batteries of the house. */
   capacityKwh?: number;
   /**
    * @description How many of the last whole days.
    * @default 7
    */
   days?: number;
   /** @description One price for each kWh that is fed in; default as it was. */
   feedInPrice?: number;
   /** @description One price for each kWh from the grid; default as it was. */
   importPrice?: number;
   /** @description Highest power of the battery, kW; default half of the capacity in an hour. */
   maxKw?: number;
   /** @default true */
   mayChargeFromGrid?: boolean;
   /** @default false */
   mayDischargeToGrid?: boolean;
   /**
    * @description What the battery does. `NONE`: there is none. `PLAIN_RULE`: it follows the meter. `PLANNED`: by price, with forecasts made of what was known at each time.
    * @enum {string}
    */
   mode: "NONE" | "PLAIN_RULE" | "PLANNED";
  };
  EnergyState: {
   alarms: components["schemas"]["EnergyAlarm"][];
   /** @description Positive is charging. */
   battery: components["schemas"]["EnergyFlow"];
   batteryUse: components["schemas"]["EnergyBatteryUse"];
   /** @description Power into all vehicles. */
   chargers: components["schemas"]["EnergyFlow"];
   /** @description Time of the last control cycle; `null` before the first. */
   decidedAt: string | null;
   devices: components["schemas"]["EnergyDeviceState"][];
   /** @description Positive is import from the grid. */
   grid: components["schemas"]["EnergyFlow"];
   /** @description `false`: no fuse, contract or feed-in limit is set, so none is enforced. */
   hasLimits: boolean;
   /** @description `true` while a mode or a limit of the site is set. */
   isActive: boolean;
   /** @description Production of the inverters. */
   production: components["schemas"]["EnergyFlow"];
  };
  EnergyTarget: {
   /**
    * Format: date-time
    * @description Time to be ready.
    */
   by: string;
   /** @description Energy to charge, kWh; `null` if a state of charge is given. */
   energyKwh: number | null;
   /** @constant */
   kind: "ONCE";
   /** @description State of charge to reach, %; `null` if energy is given. */
   soc: number | null;
  } | {
   /** @description Energy to charge, kWh; `null` if a state of charge is given. */
   energyKwh: number | null;
   /** @constant */
   kind: "WEEKLY";
   /** @description State of charge to reach, %; `null` if energy is given. */
   soc: number | null;
   /** @description Time of day to be ready, in the time zone of the site. */
   time: string;
   /** @description Days of the week, 0 is Monday, 6 is Sunday. */
   weekdays: number[];
  };
  FirehoseAddress: {
   /**
    * Format: uri
    * @description URL to which events are posted; https.
    */
   url: string;
  };
  FirehoseTarget: {
   /** @description Secret with which deliveries are signed. The client generates it, with 128 random bits or more; responses never contain it. */
   secret: string;
   /**
    * Format: uri
    * @description URL to which events are posted; https.
    */
   url: string;
  };
  FlexEvent: {
   /** Format: date-time */
   createdAt: string;
   /** Format: date-time */
   end: string;
   /** Format: uuid */
   id: string;
   /**
    * @description `LIMIT_IMPORT`: the house imports at most `limitKw`. `LIMIT_EXPORT`: it feeds in at most that. `SHED`: chargers, heat pumps, cooling and batteries together import at most that, by default nothing. `ABSORB`: batteries charge from the grid, and vehicles in mode PLANNED charge now, each with at most `limitKw`; a battery whose power cannot be set takes no part then, and a vehicle takes its lowest current at least.
    * @enum {string}
    */
   kind: "LIMIT_IMPORT" | "LIMIT_EXPORT" | "SHED" | "ABSORB";
   /**
    * @description kW. LIMIT_IMPORT and LIMIT_EXPORT need it; `null` is 0 for SHED, and no limit for ABSORB.
    * @default null
    */
   limitKw: number | null;
   /** @description Location that it is about; `null` for the connection of the gateway, wherever that is. */
   locationId: string | null;
   /** @description Devices that the energy manager controls for it; of an event that is over those at its end. */
   participants: {
    /** Format: uuid */
    assetId: string;
    /** @enum {string} */
    assetType: "battery" | "charger" | "hvac" | "inverter" | "vehicle";
    /**
     * @description The state of the event; `UNAVAILABLE` for a device that takes no command.
     * @enum {string}
     */
    state: "SCHEDULED" | "ACTIVE" | "COMPLETED" | "CANCELLED" | "UNAVAILABLE";
   }[];
   /**
    * @description Price that the event has, per kWh in the currency of the gateway; it is kept and shown only.
    * @default null
    */
   price: number | null;
   /**
    * @description Of several ABSORB events at a time, that with the lowest number counts. Of limits the lowest applies.
    * @default 0
    */
   priority: number;
   /** Format: date-time */
   start: string;
   /**
    * @description `COMPLETED` when its end has passed; `CANCELLED` if it was taken back before.
    * @enum {string}
    */
   state: "SCHEDULED" | "ACTIVE" | "COMPLETED" | "CANCELLED";
  };
  FlexEventPage: {
   data: components["schemas"]["FlexEvent"][];
   pagination: components["schemas"]["Pagination"];
  };
  /** @description The power that the solar panels of the house are expected to produce. */
  Forecast: {
   /** @description Comparison of the last days' forecasts with the measured production. */
   adjustment: {
    /** @description Measured energy divided by forecast energy; `null` until enough hours were compared. */
    factor: number | null;
    /** @description Forecast energy of these hours, kWh; `null` if there are none. */
    forecast: number | null;
    /** @description Number of hours with daylight that were compared. */
    hours: number;
    /** @description Measured energy of these hours, kWh; `null` if there are none. */
    measured: number | null;
   };
   /** @description End of the last interval; `null` if there is none. */
   knownUntil: string | null;
   /** @description Time of the source's last answer; `null` if it never answered. */
   lastFetchedAt: string | null;
   /** @description Time of the next request to the source, if its quota allows it; `null` if there is none until the configuration changes. */
   nextFetchAt: string | null;
   /** @description Why the forecast cannot be renewed; the intervals known before stay. `null` if there is no problem. */
   problem: components["schemas"]["SourceProblem"] | null;
   /** @description Intervals from the start of today in the time zone of the house, ascending; unknown ones are left out. */
   slots: components["schemas"]["ForecastSlot"][];
   /** @description `null` if no forecast is configured. */
   source: {
    /** @description Author and licence to show wherever the forecast is shown. */
    attribution: string;
    /** @description Name of the source for users. */
    displayName: string;
    /** @description Name of the source in the configuration. */
    id: string;
   } | null;
  };
  ForecastSettings: {
   /**
    * @description The most that the inverters give together, kW; no forecast is above it.
    * @default null
    */
   inverterKw?: number | null;
   /**
    * @description The key of your account; solcast needs one.
    * @default null
    */
   key?: string | null;
   /**
    * @description Where the panels are; default site.place, else the owner's first location.
    * @default null
    */
   place?: {
    /** @description Degrees north. */
    latitude: number;
    /** @description Degrees east. */
    longitude: number;
   } | null;
   /**
    * @description The panels, as planes that look the same way. Not with solcast, which knows them from your account.
    * @default []
    */
   planes?: {
    /** @description Where the plane looks, in degrees as on a compass: 0 is north, 90 east, 180 south, 270 west. */
    azimuth: number;
    /** @description Share that is lost between modules and house, where the gateway calculates the power; default 0.14. */
    lossesFraction?: number;
    /** @description Name shown to people. */
    name?: string;
    /** @description Nominal operating cell temperature, °C, where the gateway calculates the power; default 45. */
    noct?: number;
    /** @description Power of its modules on their data sheet, kW. */
    peakKw: number;
    /** @description Of the power, % per kelvin, below 0, where the gateway calculates the power; default -0.35. */
    temperatureCoefficient?: number;
    /** @description Degrees from the horizontal: 0 lies flat, 90 stands. */
    tilt: number;
   }[];
   /**
    * @description With solcast: the resource ids of your rooftop sites there.
    * @default []
    */
   sites?: string[];
   /** @description Who is asked: forecast-solar, open-meteo or solcast. */
   source: string;
  };
  ForecastSlot: {
   /** @description `power` multiplied by `adjustment.factor`, kW; `null` while there is no factor. */
   adjustedPower: number | null;
   /**
    * Format: date-time
    * @description Start of the interval.
    */
   from: string;
   /** @description Mean power of the interval as the source forecasts it, kW. */
   power: number;
   /** @description Power that is exceeded with a probability of 90 %, kW; `null` if the source does not forecast it. */
   power10: number | null;
   /** @description Power that is exceeded with a probability of 10 %, kW; `null` if the source does not forecast it. */
   power90: number | null;
   /**
    * Format: date-time
    * @description End of the interval, exclusive.
    */
   to: string;
  };
  ForeignValue: {
   /**
    * Format: date-time
    * @description When it was noticed.
    */
   at: string;
   /** @description What the gateway had set. */
   expected: number | string | boolean;
   /** @description What was read instead. */
   found: number | string | boolean;
   point: string;
  };
  /** @description What the owner decides when a found device is added. */
  FoundDeviceSetup: {
   fields: ({
    /** @description What to know before answering, in that language; `null` if nothing. */
    hint: string | null;
    /** @description Default value; `null` if there is none. */
    initial: string | null;
    /** @description `true` if the device cannot be added without it; otherwise what depends on it stays off. */
    isRequired: boolean;
    /** @constant */
    kind: "number";
    /** @description Label for the user, in the language that was asked for; `null` if `name` is enough. */
    label: string | null;
    /** @description Highest value, in `unit`. */
    max: number;
    /** @description Lowest value, in `unit`. */
    min: number;
    /** @description Field of `AdoptBody`: `settings.` and the name of a setting, `confirmUnverified`, `confirmNoFailsafe`, or one of its `options`. */
    name: string;
    /** @description Unit to show to the user; empty for a number without unit. */
    unit: string;
   } | {
    /** @description What to know before answering, in that language; `null` if nothing. */
    hint: string | null;
    /** @description Default value; `null` if there is none. */
    initial: string | null;
    /** @description `true` if the device cannot be added without it; otherwise what depends on it stays off. */
    isRequired: boolean;
    /** @constant */
    kind: "text";
    /** @description Label for the user, in the language that was asked for; `null` if `name` is enough. */
    label: string | null;
    /** @description Field of `AdoptBody`: `settings.` and the name of a setting, `confirmUnverified`, `confirmNoFailsafe`, or one of its `options`. */
    name: string;
   } | {
    /** @description Controls that the confirmation switches on. */
    details: {
     /** @description How reliable the source is. */
     confidence: string;
     /** @description `true` if the device's reversion timer ends the control. */
     isTimer: boolean;
     /** @description Control, such as `battery.mode`. */
     point: string;
     /** @description Document or project that describes how the control is written. */
     source: string;
     /** @description Values of the control that need the confirmation; `null` for all of them. */
     values: string[] | null;
    }[];
    /** @description What to know before answering, in that language; `null` if nothing. */
    hint: string | null;
    /** @description Default value; `null` if there is none. */
    initial: string | null;
    /** @description `true` if single controls of `details` can be confirmed, not only all of them. */
    isPerControl: boolean;
    /** @description `true` if the device cannot be added without it; otherwise what depends on it stays off. */
    isRequired: boolean;
    /** @constant */
    kind: "confirm";
    /** @description Label for the user, in the language that was asked for; `null` if `name` is enough. */
    label: string | null;
    /** @description Field of `AdoptBody`: `settings.` and the name of a setting, `confirmUnverified`, `confirmNoFailsafe`, or one of its `options`. */
    name: string;
   })[];
   /** @description Required options, as in `FoundOnNetwork`. */
   needs: string[];
  };
  /** @description A device that a search found, or that announced itself. */
  FoundOnNetwork: {
   /** @description Adapter by which the device would be connected. */
   adapter: string;
   /** @description IPv4 address; `null` if not known. */
   address: string | null;
   /** @description Probability that the device was recognized correctly, 0 to 1. Below 0.8, ask the user to confirm it. */
   confidence: number;
   /** @description Firmware version; `null` if not known. */
   firmware: string | null;
   /** @description Id of the found device; it stays the same when its address changes. */
   id: string;
   /** @description `false` if no profile fits the device, or if two devices have the same identity. */
   isAddable: boolean;
   /** @description Kinds of asset that the device has or may have. */
   kinds: ("battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle")[];
   /** @description Id of the device if the gateway already has it; `null` otherwise. */
   knownAs: string | null;
   /**
    * Format: date-time
    * @description Time at which the device was found last.
    */
   lastSeen: string;
   /** @description `null` if not known. */
   manufacturer: string | null;
   /** @description `null` if not known. */
   model: string | null;
   /** @description Name that the owner gave to the device; `null` if not known. */
   name: string | null;
   /** @description Options that are required to add the device, such as `token`. */
   needs: string[];
   /** @description Addresses at which another device reports the same identity; the device cannot be added then. */
   otherAddresses: string[];
   /** @description Profile of the adapter for this device; `null` if none fits. */
   profile: string | null;
   /** @description Evidence for the recognition, such as `reads 2341 W`, in the language that was asked for; `null` if there is none. */
   proof: string | null;
   /** @description Serial number; `null` if not known. */
   serial: string | null;
   /**
    * @description Protocol by which the device was found.
    * @enum {string}
    */
   source: "http" | "mdns" | "modbus" | "mqtt" | "multicast" | "ssdp";
  };
  HandOver: {
   /**
    * Format: date-time
    * @description Time at which it was done.
    */
   at: string;
   by: components["schemas"]["SetupActor"];
   note: string | null;
  };
  HandOverChange: {
   isHandedOver: boolean;
   /** @description A remark for the report; `null` or absent for none. */
   note?: string | null;
  };
  HemSeries: {
   data: {
    /**
     * Format: date-time
     * @description Start of the bucket, RFC 3339 with offset.
     */
    t: string;
    /** @description Value of the bucket in `unit`: mean power, energy, or state of charge; `null` if not known. */
    v: number | null;
   }[];
   /** @constant */
   isAvailable: true;
   sampling: {
    /** @constant */
    mode: "bucketed";
    /**
     * @description Length of a bucket, ISO 8601 duration.
     * @enum {string}
     */
    resolution: "PT5M" | "PT10M" | "PT15M" | "PT30M" | "PT1H" | "P1D";
   };
   /** @description IANA time zone of the buckets. */
   timezone: string;
   /** @enum {string} */
   unit: "kW" | "kWh" | "%";
   /** @enum {string} */
   unitType: "Power" | "Energy" | "SoC";
  } | {
   /** @constant */
   isAvailable: false;
   /** @description Why there is no series, in English. */
   reason: string;
  };
  HemStatistics: {
   timeseries: {
    batteryLevel: components["schemas"]["HemSeries"];
    charge: components["schemas"]["HemSeries"];
    consumption: components["schemas"]["HemSeries"];
    discharge: components["schemas"]["HemSeries"];
    export: components["schemas"]["HemSeries"];
    generation: components["schemas"]["HemSeries"];
    import: components["schemas"]["HemSeries"];
   };
  };
  /** @description The batteries, inverters and meters of a house as one system. */
  HemSystem: {
   /**
    * Format: uuid
    * @description Id of the system.
    */
   id: string;
   information: {
    /** @description Postal address; `null` if not known. */
    address: string | null;
    /**
     * Format: date-time
     * @description Time since which the gateway knows the system.
     */
    installationDate: string;
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
    /** @description Latitude, degrees, positive north; `null` if not known. */
    latitude: number | null;
    /** @description Longitude, degrees, positive east; `null` if not known. */
    longitude: number | null;
    /** @description Name of the location, else of the vendor. */
    name: string;
    /** @description IANA time zone, such as `Europe/Berlin`. */
    timezone: string | null;
    /** @description Vendor code of the devices. */
    vendor: string;
   };
   /** @description Location that the device is at; `null` if none. */
   locationId: string | null;
   status: {
    energy: {
     today: {
      /** @description Energy charged into batteries since local midnight, kWh; `null` if not known. */
      charge: number | null;
      /** @description Energy consumed by the house since local midnight, kWh; `null` if not known. */
      consumption: number | null;
      /** @description Energy discharged from batteries since local midnight, kWh; `null` if not known. */
      discharge: number | null;
      /** @description Energy exported to the grid since local midnight, kWh; `null` if not known. */
      export: number | null;
      /** @description Energy produced since local midnight, kWh; `null` if not known. */
      generation: number | null;
      /** @description Energy imported from the grid since local midnight, kWh; `null` if not known. */
      import: number | null;
      /** @description Time of the last reading of these values; `null` before the first one. */
      lastUpdated: string | null;
      /** @constant */
      unit: "kWh";
     };
    };
    /** @description Time of the last successful communication with one of the devices; `null` if there was none. */
    lastSeen: string | null;
   };
   /** @description User that the system belongs to. */
   userId: string;
  };
  HemSystemPage: {
   data: components["schemas"]["HemSystem"][];
   pagination: components["schemas"]["Pagination"];
  };
  HemYear: {
   months: {
    /** @description kWh; `null` if not known, or not measured. */
    charge: number | null;
    /** @description kWh; `null` if not known, or not measured. */
    consumption: number | null;
    /** @description kWh; `null` if not known, or not measured. */
    discharge: number | null;
    /** @description kWh; `null` if not known, or not measured. */
    export: number | null;
    /** @description kWh; `null` if not known, or not measured. */
    generation: number | null;
    /** @description kWh; `null` if not known, or not measured. */
    import: number | null;
    /**
     * Format: date-time
     * @description Start of the month, RFC 3339 with offset.
     */
    t: string;
   }[];
   /** @description IANA time zone of the months. */
   timezone: string;
   year: number;
  };
  /** @description The authority that was made on this gateway. */
  HttpsAuthority: {
   /** @description The only domains that it can issue certificates for. */
   domains: string[];
   /** @description SHA-256 of the authority's certificate, 32 bytes as hexadecimal digits with colons. The log and `hemgate claim` show the same. */
   fingerprint: string;
   /** @description Where its certificate is downloaded. */
   path: string;
   /** Format: date-time */
   validUntil: string;
  };
  /** @description A certificate that the gateway shows to browsers. */
  HttpsCertificate: {
   /** @description SHA-256 of the certificate, 32 bytes as hexadecimal digits with colons. */
   fingerprint: string;
   /** @description Host names and IP addresses that it is for. */
   names: string[];
   /** Format: date-time */
   validFrom: string;
   /** Format: date-time */
   validUntil: string;
  };
  /** @description https of the gateway. http is answered beside it, and is not encrypted. */
  HttpsView: {
   /** @description `null` unless the source is `authority`. */
   authority: components["schemas"]["HttpsAuthority"] | null;
   certificate: components["schemas"]["HttpsCertificate"] | null;
   /** @description `true` while https is answered. */
   isListening: boolean;
   /** @description `true` if this request came over the gateway's https; behind a proxy, over the proxy's. */
   isThisEncrypted: boolean;
   /** @description TCP port; `null` while it does not listen. */
   port: number | null;
   /** @description What is wrong with the certificate and what to do, for people; `null` if nothing is. */
   problem: string | null;
   /**
    * @description `off`: the configuration has no section `https`. `files`: a certificate from files of the owner. `authority`: one of the authority that was made on this gateway.
    * @enum {string}
    */
   source: "off" | "files" | "authority";
  };
  /** @description A thermostat, heat pump or air conditioner. */
  Hvac: {
   capabilities: {
    /** @description Hold types that can be set; `null` if no mode can be set. */
    capableHoldTypes: ("PERMANENT" | "SCHEDULED")[] | null;
    /** @description Modes that can be set; `null` if no mode can be set. */
    capableModes: ("OFF" | "AUTO" | "COOL" | "HEAT")[] | null;
    /** @description Range of `coolSetpoint`, °C; `null` if it cannot be set. */
    coolSetpointRange: {
     /** @description °C; `null` without a limit. */
     max: number | null;
     /** @description °C; `null` without a limit. */
     min: number | null;
    } | null;
    /** @description Range of `heatSetpoint`, °C; `null` if it cannot be set. */
    heatSetpointRange: {
     /** @description °C; `null` without a limit. */
     max: number | null;
     /** @description °C; `null` without a limit. */
     min: number | null;
    } | null;
    setFollowSchedule: components["schemas"]["Capability"];
    setPermanentHold: components["schemas"]["Capability"];
    /** @description Range of `coolSetpoint` minus `heatSetpoint` in the mode AUTO, °C; `null` if not both setpoints can be set. */
    setpointDifferenceRange: {
     /** @description °C; `null` without a limit. */
     max: number | null;
     /** @description °C; `null` without a limit. */
     min: number | null;
    } | null;
   };
   /** @description Power consumption, kW; 0 while the unit is idle; `null` if not known. */
   consumptionRate: number | null;
   /**
    * @deprecated
    * @description °C. Use `thermostatState.coolSetpoint`.
    */
   coolSetpoint: number | null;
   /**
    * @deprecated
    * @description °C. Use `temperatureState.currentTemperature`.
    */
   currentTemperature: number | null;
   /**
    * @deprecated
    * @description °C. Use `thermostatState.heatSetpoint`.
    */
   heatSetpoint: number | null;
   /**
    * @deprecated
    * @description Use `thermostatState.holdType`.
    */
   holdType: ("PERMANENT" | "SCHEDULED") | null;
   /**
    * Format: uuid
    * @description Id of the device in this API.
    */
   id: string;
   information: {
    /** @description Brand of the device; the vendor's name if the device does not report one. */
    brand: string;
    /**
     * @description As the unit reports it, else derived from its modes and setpoints.
     * @enum {string}
     */
    category: "HEATING" | "COOLING" | "HEAT_PUMP" | "AGGREGATOR";
    /** @description Name that the user gave to the device, else one derived from the name of the site. */
    displayName: string;
    /** @description Name of the group that the unit belongs to at the vendor; `null` if it has none. */
    groupName: string | null;
    /** @description Model of the device; `Unknown` if the device does not report it. */
    model: string;
   };
   /**
    * @deprecated
    * @description Use `temperatureState.isActive`.
    */
   isActive: boolean | null;
   /** @description `false` if the device does not answer now; the values are then those of its last answer. */
   isReachable: boolean;
   /**
    * Format: date-time
    * @description Time of the last successful communication, or of the linking.
    */
   lastSeen: string;
   location: {
    /** @description Location that the device is at; `null` if none. */
    id: string | null;
   };
   /** @description Location that the device is at; `null` if none. */
   locationId: string | null;
   /**
    * @deprecated
    * @description Use `thermostatState.mode`.
    * @enum {string}
    */
   mode: "OFF" | "AUTO" | "COOL" | "HEAT" | "UNKNOWN";
   /** @description Permissions that the user granted for this device. */
   scopes: string[];
   temperatureState: {
    /** @description Measured temperature, °C; `null` if not known. */
    currentTemperature: number | null;
    /** @description `true` while the unit heats or cools; `null` if not known. */
    isActive: boolean | null;
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
   };
   thermostatState: {
    /** @description Temperature above which the unit cools, °C; `null` if not known. */
    coolSetpoint: number | null;
    /** @description Temperature below which the unit heats, °C; `null` if not known. */
    heatSetpoint: number | null;
    /** @description `PERMANENT`: the setpoints stay until they are changed. `SCHEDULED`: the unit follows its own schedule. `null` if not known. */
    holdType: ("PERMANENT" | "SCHEDULED") | null;
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
    /**
     * @description `AUTO` heats and cools as needed; `UNKNOWN` if the unit does not report its mode.
     * @enum {string}
     */
    mode: "OFF" | "AUTO" | "COOL" | "HEAT" | "UNKNOWN";
   };
   /** @description User that the device belongs to. */
   userId: string;
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
  };
  HvacAction: {
   /** @description Time at which the action ended; `null` while it is PENDING. */
   completedAt: string | null;
   /** Format: date-time */
   createdAt: string;
   /** @description Why the action ended as FAILED or CANCELLED; `null` otherwise. */
   failureReason: {
    /** @description What happened, in English. */
    detail: string;
    /**
     * @description `NO_RESPONSE`: the command was sent and the device did not follow. `FAILED_PRECONDITION`: the command could not be sent, such as to a vehicle that is not plugged in. `UNNECESSARY`: the device already had the setting. `CONFLICT`: a newer action, or somebody at the device, changed the setting. `REQUESTED_CANCELLATION`: the action was cancelled on request. `NOT_FOUND`: the device was removed.
     * @enum {string}
     */
    type: "NO_RESPONSE" | "FAILED_PRECONDITION" | "UNNECESSARY" | "CONFLICT" | "REQUESTED_CANCELLATION" | "NOT_FOUND";
   } | null;
   /** Format: uuid */
   id: string;
   /**
    * @description `PENDING`: the command is being carried out. `CONFIRMED`: a reading shows the setting. `FAILED`: the device did not take the command in time. `CANCELLED`: the action ended without a failure of the device.
    * @enum {string}
    */
   state: "PENDING" | "CONFIRMED" | "FAILED" | "CANCELLED";
   target: {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "COOL";
   } | {
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "HEAT";
   } | {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "AUTO";
   } | {
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "OFF";
   } | {
    /** @constant */
    holdType: "SCHEDULED";
   };
   /** @description Device that is commanded. */
   targetId: string;
   /** @constant */
   targetType: "hvac";
   /** Format: date-time */
   updatedAt: string;
   /** @description User that the target belongs to. */
   userId: string;
  };
  HvacPage: {
   data: components["schemas"]["Hvac"][];
   pagination: components["schemas"]["Pagination"];
  };
  /** @description The unit heats 1 °C more while energy is cheap and 1 °C less while it is expensive. */
  HvacSmartPolicy: {
   /** @description `true` while the policy is switched on for the unit. */
   isEnabled: boolean;
  };
  HvacSmartPolicyUpdate: {
   /** @description Switches the policy on or off. */
   isEnabled?: boolean;
  };
  HvacSmartStatus: {
   /** @description Id of the HVAC unit. */
   hvacId: string;
   /** @description Setpoints of the present day; empty without an enabled policy, a heat setpoint or prices. */
   intervals: {
    /** @description Start, HH:MM in the location's time zone, inclusive. */
    from: string;
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @description End, HH:MM in the location's time zone, exclusive; `24:00` is the end of the day. */
    to: string;
   }[];
   /** @description User that the unit belongs to. */
   userId: string;
  };
  InstallationFinding: {
   /** @description The device that it was seen against. */
   againstDeviceId: string | null;
   assetId: string | null;
   /** @description `null` for `storage`, `site`, `forecast` and `backup`. */
   assetType: ("battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle") | null;
   /**
    * @description `control`: another controller, or a person at the device, changed what the gateway held there. `identity`: a device with another serial number answers at the device's address, so it is neither read nor commanded. `storage`: stored data were found damaged or lost; no device is concerned. `site`: the connection to the grid has no limit. `forecast`: for two weeks the panels have produced far more or far less than their forecast. `backup`: the last scheduled backup was not made, or two were due since the last one was.
    * @enum {string}
    */
   check: "sign" | "phase" | "role" | "scale" | "duplicate" | "frozen" | "range" | "balance" | "control" | "identity" | "storage" | "site" | "forecast" | "backup";
   /** @description As the configuration names it. `null` for `storage`, `site`, `forecast` and `backup`. */
   deviceId: string | null;
   /** Format: date-time */
   firstSeenAt: string;
   /** @description Null: the device or its configuration has to be looked at. */
   fix: components["schemas"]["InstallationFix"] | null;
   id: string;
   /** Format: date-time */
   lastSeenAt: string;
   /** @description What was measured, with figures; in English unless another language is asked for. For `storage`: what was damaged, where the original is kept, and what was restored. For `forecast` and `backup`: with what to do. What a device, a disk or a service said stays in English. */
   measured: string;
   /** @enum {string} */
   state: "OPEN" | "CONFIRMED" | "DISMISSED";
  };
  InstallationFix: {
   /** @description What they are multiplied with. */
   factor: number | null;
   /**
    * @description What would be done to the readings. `replace`: the device that answers is taken in the place of the expected one, which keeps its assets and their history.
    * @enum {string}
    */
   kind: "invert" | "scale" | "phases" | "hide" | "replace";
   /** @description Which phases of the house the device's L1, L2 and L3 are. */
   order: number[] | null;
   /** @description The points that it changes. */
   points: string[] | null;
  };
  /** @description A vendor with its kinds of device, permissions and health. */
  Integration: {
   /** @description Kinds of device that can be linked. */
   assetTypes: ("battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle")[];
   /** @description Name of the brand. */
   displayName: string;
   /**
    * @description `READY`: linking works. `ELEVATED_ERROR_RATE`: linking may take several attempts. `OUTAGE`: linking is blocked.
    * @enum {string}
    */
   linkingStatus: "READY" | "ELEVATED_ERROR_RATE" | "OUTAGE";
   /** @description Name of the vendor's app or service that users sign in to. */
   portalName: string;
   /** @description Permissions that can be requested. */
   scopes: string[];
   /**
    * @description `READY`: devices answer. `ELEVATED_ERROR_RATE`: half of the devices or more do not answer. `OUTAGE`: no device answers.
    * @enum {string}
    */
   status: "READY" | "ELEVATED_ERROR_RATE" | "OUTAGE";
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
  };
  /** @description An instruction to a person that makes a capability available. */
  Intervention: {
   /** @description Name of the vendor for users; `null` if the intervention is for all vendors. */
   brand: string | null;
   /**
    * @description `Account`: concerns the account at the vendor. `Device`: concerns the device.
    * @enum {string}
    */
   domain: "Account" | "Device";
   /**
    * Format: uuid
    * @description Id of the intervention; it never changes.
    */
   id: string;
   /**
    * Format: date-time
    * @description Time at which the intervention was added to the catalogue.
    */
   introducedAt: string;
   resolution: {
    /**
     * @description `Physical` if somebody has to be at the device.
     * @enum {string}
     */
    access: "Remote" | "Physical";
    /** @description `Link`: link the account again. `null` if no request of this API solves the problem. */
    action: "Link" | null;
    /**
     * @description Who can do it: the user, or a third party such as the installer.
     * @enum {string}
     */
    agent: "User" | "ThirdParty";
    /** @description What to do, as Markdown, in the requested language. */
    description: string;
    /** @description Title in the requested language. */
    title: string;
   };
   /** @description Vendor code; `null` if the intervention is for all vendors. */
   vendor: string | null;
   /** @description Kind of device; `null` if the intervention is for all kinds. */
   vendorType: ("battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle") | null;
  };
  /** @description A solar inverter. */
  Inverter: {
   capabilities: {
    productionState: components["schemas"]["Capability"];
    productionStatistics: components["schemas"]["Capability"];
   };
   /**
    * @deprecated
    * @description Use `location.id`.
    */
   chargingLocationId: string | null;
   /** @description Energy system that the device belongs to; `null` if it belongs to none. */
   hemSystemId: string | null;
   /**
    * Format: uuid
    * @description Id of the device in this API.
    */
   id: string;
   information: {
    /** @description Brand of the device; the vendor's name if the device does not report one. */
    brand: string;
    /** @description Serial number or id at the vendor; `null` if not known. */
    id: string | null;
    /**
     * Format: date-time
     * @description Day that the installer entered, else the time at which the gateway first connected to the device.
     */
    installationDate: string;
    /** @description Model of the device; `Unknown` if the device does not report it. */
    model: string;
    /** @description Name that the user gave to the device, else one derived from the name of the site. */
    siteName: string;
    /** @description Serial number; `null` if not known. */
    sn: string | null;
   };
   /** @description `false` if the device does not answer now; the values are then those of its last answer. */
   isReachable: boolean;
   /**
    * Format: date-time
    * @description Time of the last successful communication, or of the linking.
    */
   lastSeen: string;
   location: components["schemas"]["AssetLocation"];
   productionState: {
    /** @description `true` above 10 W; `null` if the power is not known. */
    isProducing: boolean | null;
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
    /** @description Power, kW; positive while the inverter produces; `null` if not known. */
    productionRate: number | null;
    /** @description Energy produced since the installation, kWh; `null` if not known. */
    totalLifetimeProduction: number | null;
   };
   /** @description Permissions that the user granted for this device. */
   scopes: string[];
   /** @description IANA time zone of the inverter, such as `Europe/Berlin`. */
   timezone: string | null;
   /** @description User that the device belongs to. */
   userId: string;
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
  };
  InverterPage: {
   data: components["schemas"]["Inverter"][];
   pagination: components["schemas"]["Pagination"];
  };
  InverterStatistics: {
   resolutions: {
    /** @description `null` if nothing is known. */
    DAY?: {
     data: {
      /**
       * Format: date-time
       * @description Start of the bucket, RFC 3339 with offset.
       */
      date: string;
      /** @description Energy produced, kWh; `null` if not known. */
      value: number | null;
     }[];
     /** @constant */
     unit: "kWh";
    } | null;
    /** @description `null` if nothing is known. */
    QUARTER_HOUR?: {
     data: {
      /**
       * Format: date-time
       * @description Start of the bucket, RFC 3339 with offset.
       */
      date: string;
      /** @description Energy produced, kWh; `null` if not known. */
      value: number | null;
     }[];
     /** @constant */
     unit: "kWh";
    } | null;
   };
   /** @description IANA time zone of the inverter. */
   timezone: string;
  };
  /** @description An error in one place of a request. */
  Issue: {
   /** @description Kind of error, such as `invalid_type`. */
   code: string;
   /** @description Expected type. */
   expected?: string;
   /**
    * @description Part of the request with the error.
    * @enum {string}
    */
   in: "body" | "query" | "path" | "header";
   /** @description What is wrong, in English. */
   message: string;
   /** @description Path of the invalid value: keys of objects and indices of arrays. */
   path: (string | number)[];
   /** @description Received type. */
   received?: string;
  };
  Limitation: {
   /** Format: date-time */
   beganAt: string;
   /**
    * @description `import`: what is drawn from the grid. `export`: what is fed in.
    * @enum {string}
    */
   direction: "import" | "export";
   /** @description `null` while it lasts. */
   endedAt: string | null;
   /** @description `released`: the source ended it. `expired`: its duration was over. `changed`: another value or state followed. `withdrawn`: the source gave up control. `restart`: the gateway was started again; what applied then is another record. */
   endReason: ("released" | "expired" | "changed" | "withdrawn" | "restart") | null;
   id: string;
   /** @description Highest power, kW. */
   limit: number;
   reaction: {
    /** @description Power of single devices then. */
    devicesBefore: {
     id: string;
     /** @description kW. */
     power: number;
    }[];
    /** @description Measured energy meanwhile, kWh. */
    energy: number;
    /** @description Highest power since the limit was reached, kW; since it began while it is not reached. */
    highestPower: number | null;
    /** @description How long the power was measured, s. */
    measuredSeconds: number;
    /** @description Power when it began, kW; `null` if it was not measured. */
    powerBefore: number | null;
    /** @description Time until the power was first within the limit, s; `null` if it was not. */
    secondsToReach: number | null;
   };
   /**
    * @description `connection`: the whole house. `controllable`: the net import of chargers, heat pumps, cooling and batteries together (§ 14a EnWG).
    * @enum {string}
    */
   scope: "connection" | "controllable";
   sourceId: string;
   sourceName: string;
   /**
    * @description `unknown`: started, and the source has not spoken yet; the failsafe value applies. `free`: the source sets no limit. `limited`: its limit applies. `failsafe`: the source is lost; the failsafe value applies. `autonomous`: the source is not waited for any more.
    * @enum {string}
    */
   state: "unknown" | "free" | "limited" | "failsafe" | "autonomous";
  };
  LimitationPage: {
   data: components["schemas"]["Limitation"][];
   pagination: components["schemas"]["Pagination"];
  };
  LimitDemand: {
   /**
    * @description How long it applies, s; `null` or 0 without an end.
    * @default null
    */
   duration?: number | null;
   /** @description What applies while the heartbeat is missing, kW; default as before, or as the configuration has it. */
   failsafe?: number;
   /** @description How long the failsafe value applies at least, s: 2 to 24 hours; default 2 hours. */
   failsafeDuration?: number;
   /** @description `false`: there is no limit now. */
   isActive: boolean;
   /** @description Highest power, kW; needed if it is active. */
   limit?: number;
   /**
    * @description `connection`: the whole house. `controllable`: the net import of chargers, heat pumps, cooling and batteries together (§ 14a EnWG).
    * @default connection
    * @enum {string}
    */
   scope?: "connection" | "controllable";
  };
  LimitSource: {
   directions: {
    /** @description What applies now, kW; `null`: no limit. */
    applied: number | null;
    /**
     * @description `import`: what is drawn from the grid. `export`: what is fed in.
     * @enum {string}
     */
    direction: "import" | "export";
    /** @description kW; `null` if the source cannot be lost. */
    failsafe: number | null;
    /** @description s; `null` if the source cannot be lost. */
    failsafeDuration: number | null;
    /**
     * @description `connection`: the whole house. `controllable`: the net import of chargers, heat pumps, cooling and batteries together (§ 14a EnWG).
     * @enum {string}
     */
    scope: "connection" | "controllable";
    /** Format: date-time */
    since: string;
    /**
     * @description `unknown`: started, and the source has not spoken yet; the failsafe value applies. `free`: the source sets no limit. `limited`: its limit applies. `failsafe`: the source is lost; the failsafe value applies. `autonomous`: the source is not waited for any more.
     * @enum {string}
     */
    state: "unknown" | "free" | "limited" | "failsafe" | "autonomous";
    /** @description Its end; `null` without one. */
    until: string | null;
   }[];
   /** @description The source is taken as lost after this time, s; `null`: it needs no heartbeat. */
   heartbeat: number | null;
   id: string;
   /** @description `true` for what this client has set. */
   isOwn: boolean;
   /** @enum {string} */
   kind: "client" | "eebus" | "openadr" | "event" | "contacts" | "schedule";
   name: string;
   /** @description What is allowed but hardly intended. */
   warnings: string[];
  };
  LimitsUpdate: {
   /** @description What is fed in. Left out: it stays as it is. */
   export?: components["schemas"]["LimitDemand"];
   /**
    * @description The gateway takes the client as lost after this time without a request, s, and the failsafe value applies. `null`: the limit stays without a heartbeat, also over a restart.
    * @default 120
    */
   heartbeat?: number | null;
   /** @description What is drawn from the grid. Left out: it stays as it is. */
   import?: components["schemas"]["LimitDemand"];
  };
  /** @description A vendor that a user linked for one kind of device. */
  LinkedVendor: {
   /** @description `false` if the vendor no longer accepts the credentials; the user has to link the account again. */
   isValid: boolean;
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
   /**
    * @description Kind of device that was linked.
    * @enum {string}
    */
   vendorType: "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";
  };
  LinkRequest: {
   /**
    * @description Colours of the link pages; `system`, the default, follows the user's browser.
    * @enum {string}
    */
   colorScheme?: "system" | "light" | "dark";
   /**
    * @description Language of the link pages. `browser`: the language of the user's browser. English if there is no translation.
    * @enum {string}
    */
   language: "browser" | "it-IT" | "en-US" | "en-GB" | "de-DE" | "fr-FR" | "es-ES" | "ja-JP" | "pt-PT" | "lv-LV" | "lt-LT" | "nl-NL" | "nl-BE" | "nb-NO" | "pl-PL" | "sv-SE" | "da-DK" | "fi-FI" | "ro-RO";
   /**
    * Format: uri
    * @description URI that the browser opens at the end: https, http in the local network, or an app's scheme such as `com.example.app:`.
    */
   redirectUri: string;
   /** @description Permissions to request from the user. Each kind of device needs its `read:data`, such as `charger:read:data`. */
   scopes: ("battery:control:operation_mode" | "battery:read:data" | "battery:read:location" | "charger:control:charging" | "charger:read:data" | "hvac:control:mode" | "hvac:read:data" | "inverter:read:data" | "inverter:read:location" | "meter:read:data" | "meter:read:location" | "vehicle:control:charging" | "vehicle:read:data" | "vehicle:read:location")[];
   /** @description Vendor code, such as `TESLA`; skips the choice of the brand. */
   vendor?: string;
   /**
    * @description Kind of device whose brands are offered. With scopes of other kinds, such parts of a device are linked too.
    * @enum {string}
    */
   vendorType: "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";
  };
  /** @description A link session. It is valid for 24 hours and can be completed once. */
  LinkSession: {
   /** @description Last part of the URL, for SDKs that show the page themselves. */
   linkToken: string;
   /**
    * Format: uri
    * @description Page to show to the user, in a browser or inside the app.
    */
   linkUrl: string;
  };
  LoadCheck: {
   /** @description The last result of each meter and phase, newest first. */
   results: components["schemas"]["LoadCheckResult"][];
   /** @description `null`: no check is under way. */
   running: {
    by: components["schemas"]["SetupActor"];
    /** @description By how much the meter differs from before now, W; `null` before it was read. */
    changeW: number | null;
    deviceId: string;
    /**
     * Format: date-time
     * @description When it ends if no load is seen.
     */
    endsAt: string;
    line: (1 | 2 | 3) | null;
    /** Format: date-time */
    startedAt: string;
   } | null;
  };
  LoadCheckResult: {
   /**
    * Format: date-time
    * @description Time at which it was done.
    */
   at: string;
   by: components["schemas"]["SetupActor"];
   /** @description The device of the grid meter. */
   deviceId: string;
   /** @description The finding under `/local/checks`; `null` if there is none. */
   findingId: string | null;
   /** @description The phase that the person named; `null` if none. */
   line: (1 | 2 | 3) | null;
   /** @description The phases that changed; empty if the meter does not report them. */
   lines: (1 | 2 | 3)[];
   /** @description Power of the load, W; `null` if none was seen. */
   loadW: number | null;
   /** @description By how much the meter changed, W; `null` if no load was seen. */
   meterW: number | null;
   /**
    * @description `right`: the meter rose by the load. `turned`: it fell; the finding has the fix. `other-phase`: another phase rose than the one that was named. `misplaced`: a clamp is on another phase than the voltage that it is combined with. `carried`: a battery gave the power, so the meter shows nothing; try again. `nothing`: no load of 1 kW or more was seen in time.
    * @enum {string}
    */
   verdict: "right" | "turned" | "other-phase" | "misplaced" | "carried" | "nothing";
  };
  LoadCheckStart: {
   /** @description The phase of the socket, if it is known. */
   line?: (1 | 2 | 3) | null;
  };
  /** @description A location of a user, with its time zone, devices and tariff. */
  Location: {
   /**
    * Format: date-time
    * @description Time at which the location was created.
    */
   createdAt: string;
   /**
    * Format: uuid
    * @description Id of the location.
    */
   id: string;
   /** @description Latitude, degrees, −90 to 90, positive north. */
   latitude: number;
   /** @description Longitude, degrees, −180 to 180, positive east. */
   longitude: number;
   /** @description Name that the client gave to the location. */
   name: string;
   /** @description IANA time zone of the location's tariffs, schedules and deadlines, such as `Europe/Berlin`. */
   timezoneName: string;
   /** @description User that the location belongs to. */
   userId: string;
  };
  LocationChanges: {
   /** @description Latitude, degrees, −90 to 90, positive north. */
   latitude?: number;
   /** @description Longitude, degrees, −180 to 180, positive east. */
   longitude?: number;
   /** @description Name of the location, 1 to 255 characters. */
   name?: string;
   /** @description IANA time zone of the location's tariffs, schedules and deadlines, such as `Europe/Berlin`. */
   timezoneName?: string;
  };
  LocationPage: {
   data: components["schemas"]["Location"][];
   pagination: components["schemas"]["Pagination"];
  };
  LogLine: {
   /**
    * Format: date-time
    * @description Time of the line.
    */
   at: string;
   /** @description Details such as the device; secrets are `[redacted]`. */
   fields: {
    [key: string]: unknown;
   };
   /** @enum {string} */
   level: "error" | "warn" | "info" | "debug";
   /** @description What happened, in English. */
   text: string;
  };
  /** @description The SMTP server that takes the e-mails, without its password. */
  MailServer: {
   /** @description As of a channel; `null` if there is no mail server. */
   origin: ("file" | "api") | null;
   /** @description `null`: no e-mail can be sent. */
   server: {
    /** @description Address that the messages come from. */
    from: string;
    hasPassword: boolean;
    host: string;
    /** @description `null`: 465 with `tls`, else 587. */
    port: number | null;
    /** @enum {string} */
    security: "tls" | "starttls" | "none";
    username: string | null;
   } | null;
  };
  MailServerSettings: {
   /**
    * Format: email
    * @description Address that the messages come from; most servers want the user's own.
    */
   from: string;
   host: string;
   /** @description Goes with `username`. Absent: it stays as it is. It has to be given again when the server or the user is another one. */
   password?: string;
   /** @description Default: 465 with tls, else 587. */
   port?: number;
   /**
    * @description none: in clear text, for a server in the house only.
    * @default tls
    * @enum {string}
    */
   security?: "tls" | "starttls" | "none";
   username?: string;
  };
  /** @description Consumer prices calculated from market prices. */
  MarketPrices: {
   /** @description ISO 4217 code, such as `EUR`. */
   currency: string;
   /** @description End of the known prices; `null` if none is known from now on. */
   knownUntil: string | null;
   /** @description Time of the last new prices; `null` if there were none. */
   lastFetchedAt: string | null;
   /** @description Time of the next request to the source; `null` if there is none until the configuration changes. */
   nextFetchAt: string | null;
   /** @description Prices from the start of today, ascending. */
   prices: {
    /** @description Consumer price in `currency` per kWh with fees and taxes, a decimal number; negative if the consumer is paid. */
    cost: string;
    /**
     * Format: date-time
     * @description Start of the interval.
     */
    from: string;
    /**
     * Format: date-time
     * @description End of the interval, exclusive.
     */
    to: string;
   }[];
   /** @description Why the last request brought no prices; `null` if it did, or if none are published yet. */
   problem: components["schemas"]["SourceProblem"] | null;
   /** @description What the source published, from the start of today, ascending. */
   published: {
    /** @description The market's own price in `currency` per kWh, without fees and taxes, a decimal number. */
    cost: string;
    /**
     * Format: date-time
     * @description Start of the interval.
     */
    from: string;
    /**
     * Format: date-time
     * @description End of the interval, exclusive.
     */
    to: string;
   }[];
   /** @description `null` if no source is configured. */
   source: {
    /** @description Author and licence to show wherever the prices are shown. */
    attribution: string;
    /** @description Name of the source for users. */
    displayName: string;
    /** @description Name of the source in the configuration. */
    id: string;
    /** @description Bidding zone or price area, as the source names it. */
    zone: string;
   } | null;
  };
  MaxCurrentAction: {
   /** @description Time at which the action ended; `null` while it is PENDING. */
   completedAt: string | null;
   /** Format: date-time */
   createdAt: string;
   /** @description Why the action ended as FAILED or CANCELLED; `null` otherwise. */
   failureReason: {
    /** @description What happened, in English. */
    detail: string;
    /**
     * @description `NO_RESPONSE`: the command was sent and the device did not follow. `FAILED_PRECONDITION`: the command could not be sent, such as to a vehicle that is not plugged in. `UNNECESSARY`: the device already had the setting. `CONFLICT`: a newer action, or somebody at the device, changed the setting. `REQUESTED_CANCELLATION`: the action was cancelled on request. `NOT_FOUND`: the device was removed.
     * @enum {string}
     */
    type: "NO_RESPONSE" | "FAILED_PRECONDITION" | "UNNECESSARY" | "CONFLICT" | "REQUESTED_CANCELLATION" | "NOT_FOUND";
   } | null;
   /** Format: uuid */
   id: string;
   /**
    * @description `PENDING`: the command is being carried out. `CONFIRMED`: a reading shows the setting. `FAILED`: the device did not take the command in time. `CANCELLED`: the action ended without a failure of the device.
    * @enum {string}
    */
   state: "PENDING" | "CONFIRMED" | "FAILED" | "CANCELLED";
   /** @description Device that is commanded. */
   targetId: string;
   targetState: {
    /** @description Highest charging current, A per phase. */
    maxCurrent: number;
   };
   /** @enum {string} */
   targetType: "charger" | "vehicle";
   /** Format: date-time */
   updatedAt: string;
   /** @description User that the target belongs to. */
   userId: string;
  };
  MaxCurrentRequest: {
   /** @description Ampere per phase. */
   maxCurrent: number;
  };
  /** @description An energy meter. */
  Meter: {
   capabilities: {
    measuresConsumption: components["schemas"]["Capability"];
    measuresProduction: components["schemas"]["Capability"];
   };
   energyState: {
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
    /** @description Power, kW; positive on import from the grid, negative on export; `null` if not known. */
    power: number | null;
   };
   /** @description Energy system that the device belongs to; `null` if it belongs to none. */
   hemSystemId: string | null;
   /**
    * Format: uuid
    * @description Id of the device in this API.
    */
   id: string;
   information: {
    /** @description Brand of the device; the vendor's name if the device does not report one. */
    brand: string;
    /**
     * Format: date-time
     * @description Day that the installer entered, else the time at which the gateway first connected to the device.
     */
    installationDate: string;
    /** @description Model of the device; `Unknown` if the device does not report it. */
    model: string;
    /** @description Name that the user gave to the device, else one derived from the name of the site. */
    siteName: string;
   };
   /** @description `false` if the device does not answer now; the values are then those of its last answer. */
   isReachable: boolean;
   /**
    * Format: date-time
    * @description Time of the last successful communication, or of the linking.
    */
   lastSeen: string;
   location: components["schemas"]["AssetLocation"];
   /** @description Permissions that the user granted for this device. */
   scopes: string[];
   /** @description User that the device belongs to. */
   userId: string;
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
  };
  MeterPage: {
   data: components["schemas"]["Meter"][];
   pagination: components["schemas"]["Pagination"];
  };
  /** @description A machine whose programs use the proxy. */
  ModbusProxyClient: {
   /** @description IP address; for a machine that has not connected yet, as the configuration names it. */
   address: string;
   /** @description Connections that are open. */
   connections: number;
   counts: components["schemas"]["ModbusProxyCounts"];
   /** @description Ids of the devices whose registers it may write. */
   mayWrite: string[];
   /** @description As the configuration calls it. */
   name: string | null;
  };
  /** @description Requests since the start, by what became of them. */
  ModbusProxyCounts: {
   /** @description Reads that were answered with what had just been read. */
   cached: number;
   /** @description Requests that a device refused or did not answer. */
   failed: number;
   /** @description Reads that a device answered. */
   read: number;
   /** @description Requests that the gateway refused: unknown units, functions that it does not pass on, writes, too many requests. */
   refused: number;
   /** @description Writes that a device took. */
   written: number;
  };
  /** @description The Modbus TCP server through which other programs reach devices. */
  ModbusProxyState: {
   clients: components["schemas"]["ModbusProxyClient"][];
   counts: components["schemas"]["ModbusProxyCounts"];
   /** @description The devices, in the order of the configuration. */
   devices: {
    deviceId: string;
    /** @description `true` while it answers the gateway. */
    isReachable: boolean;
    /** @description As its owner calls it; `null` if it has no name, or if there is no such device. */
    name: string | null;
    /** @description Unit id under which programs ask for it here. */
    unit: number;
   }[];
   /** @description Where it listens; empty: the configuration has no section `modbusProxy`. */
   listening: {
    /** @description Address of the machine; 0.0.0.0 or :: is every one. */
    host: string;
    /** @description TCP port. */
    port: number;
   }[];
   /** @description A read is answered with what was read at most so long ago, ms. */
   maxAgeMs: number;
   /** @description Connections of addresses that may not connect. */
   refusedConnections: number;
  };
  /** @description A device of the gateway that was found at another address. */
  MovedDevice: {
   /** @description Id of the device. */
   deviceId: string;
   /** @description Address in the configuration, or from the time of linking. */
   from: string;
   /**
    * Format: date-time
    * @description Time at which the device was found at the new address.
    */
   movedAt: string;
   /** @description Serial number by which the device was recognized. */
   serial: string;
   /** @description Present address. */
   to: string;
  };
  MqttSettings: {
   /**
    * @description A broker elsewhere, instead of the embedded one: states and devices are there.
    * @default null
    */
   broker?: {
    /** @description PEM file of the authorities that the server is checked against. */
    caFile?: string;
    /** @description Default: one of the gateway's own. */
    clientId?: string;
    password?: string;
    url: string;
    username?: string;
   } | null;
   /** @default {} */
   commands?: {
    /**
     * @description Whether hemgate/…/set topics command devices. On a broker elsewhere that broker says who may.
     * @default true
     */
    isEnabled?: boolean;
   };
   /** @default {} */
   homeAssistant?: {
    /**
     * @description Whether assets announce themselves.
     * @default true
     */
    isEnabled?: boolean;
    /**
     * @description Where Home Assistant listens for announcements.
     * @default homeassistant
     */
    prefix?: string;
   };
   /**
    * @description Address the embedded broker listens on.
    * @default 127.0.0.1
    */
   host?: string;
   /** @default {} */
   limits?: {
    /**
     * @description Clients that are connected.
     * @default 100
     */
    connections?: number;
    /**
     * @description Connections of one address that have not signed in yet.
     * @default 50
     */
    connectionsPerAddress?: number;
    /**
     * @description How long a client may leave unread what it is sent.
     * @default 10
     */
    drainSeconds?: number;
    /**
     * @description Messages of one client under way at QoS 2.
     * @default 50
     */
    inflight?: number;
    /**
     * @description Longest keepalive of a client; 0, for none, is refused.
     * @default 300
     */
    keepaliveSeconds?: number;
    /**
     * @description Of one packet of a client.
     * @default 262144
     */
    packetBytes?: number;
    /**
     * @description Of one client; one that sends more is read more slowly.
     * @default 200
     */
    packetsPerSecond?: number;
    /**
     * @description Messages that wait for a client in its session.
     * @default 100
     */
    queuedMessages?: number;
    /**
     * @description Topics and payloads of those together.
     * @default 4194304
     */
    retainedBytes?: number;
    /**
     * @description Retained messages of clients.
     * @default 2000
     */
    retainedMessages?: number;
    /**
     * @description How long a session is kept after its client has left.
     * @default 24
     */
    sessionHours?: number;
    /**
     * @description Sessions kept without a connection.
     * @default 100
     */
    sessions?: number;
    /**
     * @description Bytes of retained messages written to disk a day, to survive a restart.
     * @default 1048576
     */
    storedBytesPerDay?: number;
    /**
     * @description Further ones are refused.
     * @default 50
     */
    subscriptionsPerClient?: number;
    /**
     * @description Levels of a topic, parted by slashes.
     * @default 16
     */
    topicLevels?: number;
    /**
     * @description Wrong passwords of one user from one address before it has to wait, ever longer; of all its users, thrice as many.
     * @default 10
     */
    wrongSignIns?: number;
   };
   /**
    * @description TCP port; 0 takes any free one.
    * @default 1883
    */
   port?: number;
   /**
    * @description Devices and programs that sign in, beside the clients of the API, who only read hemgate/#.
    * @default []
    */
   users?: {
    /** @description At least 8 characters. */
    password: string;
    /**
     * @description Topics it may publish at, such as tele/#; of the gateway's own only commands, hemgate/+/+/+/set.
     * @default []
     */
    publish?: string[];
    /**
     * @description Topics it may read, such as cmnd/plug/#.
     * @default []
     */
    subscribe?: string[];
    /** @description What a device or program signs in with. */
    username: string;
   }[];
  };
  /** @description State and results of the search for devices. */
  NetworkSearch: {
   /** @description Found devices, the highest `confidence` first. */
   devices: components["schemas"]["FoundOnNetwork"][];
   /** @description End of the last search; `null` while it runs, or if there was none. */
   endedAt: string | null;
   /** @description Number of hosts that the last search connects to. */
   hostsAsked: number;
   /** @description Number of those hosts that are finished. */
   hostsDone: number;
   /** @description Hosts that were skipped because the gateway is connected to a device there: many devices accept only one client. */
   hostsInUse: string[];
   /** @description `true` if the last search connects to hosts, `false` if it only listens for announcements. */
   isActive: boolean;
   /** @description `true` while a search runs. */
   isSearching: boolean;
   /** @description Devices of the gateway that have a new address. */
   moved: components["schemas"]["MovedDevice"][];
   /** @description Start of the last search; `null` if there was none. */
   startedAt: string | null;
  };
  NetworkSearchBody: {
   /** @description Private IPv4 addresses to connect to; by default all of the gateway's networks. */
   hosts?: string[];
   /**
    * @description `true`: connect to each host once. `false`: only listen for announcements.
    * @default false
    */
   isActive?: boolean;
  };
  NewChargeSchedule: {
   /** @description `true`: charge while no rule applies; `false`: do not charge. */
   defaultShouldCharge: boolean;
   /** @description `false`: the schedule does not control its target. */
   isEnabled: boolean;
   /** @description Location at which the schedule applies. `null`: it applies to a charger anywhere, and to a vehicle at any of the user's locations. */
   locationId: string | null;
   /** @description Rules of the schedule. If several apply, the last one counts. */
   rules: components["schemas"]["ChargeRule"][];
   /** @description Id of the device that the schedule controls. */
   targetId: string;
   /** @enum {string} */
   targetType: "charger" | "vehicle";
  };
  NewClient: {
   id: string;
   /** @description Shown this once; only a hash of it is kept. */
   secret: string;
  };
  NewFlexEvent: {
   /** Format: date-time */
   end: string;
   /**
    * @description `LIMIT_IMPORT`: the house imports at most `limitKw`. `LIMIT_EXPORT`: it feeds in at most that. `SHED`: chargers, heat pumps, cooling and batteries together import at most that, by default nothing. `ABSORB`: batteries charge from the grid, and vehicles in mode PLANNED charge now, each with at most `limitKw`; a battery whose power cannot be set takes no part then, and a vehicle takes its lowest current at least.
    * @enum {string}
    */
   kind: "LIMIT_IMPORT" | "LIMIT_EXPORT" | "SHED" | "ABSORB";
   /**
    * @description kW. LIMIT_IMPORT and LIMIT_EXPORT need it; `null` is 0 for SHED, and no limit for ABSORB.
    * @default null
    */
   limitKw?: number | null;
   /** @description Location that it is about; `null` for the connection of the gateway, wherever that is. */
   locationId: string | null;
   /**
    * @description Price that the event has, per kWh in the currency of the gateway; it is kept and shown only.
    * @default null
    */
   price?: number | null;
   /**
    * @description Of several ABSORB events at a time, that with the lowest number counts. Of limits the lowest applies.
    * @default 0
    */
   priority?: number;
   /** Format: date-time */
   start: string;
  };
  NewLocation: {
   /** @description Latitude, degrees, −90 to 90, positive north. */
   latitude: number;
   /** @description Longitude, degrees, −180 to 180, positive east. */
   longitude: number;
   /** @description Name of the location, 1 to 255 characters. */
   name: string;
   /**
    * @description IANA time zone of the location's tariffs, schedules and deadlines, such as `Europe/Berlin`. By default `UTC`.
    * @default UTC
    */
   timezoneName?: string;
  };
  NewPerson: {
   /** @description Invitation for POST /local/claim, shown this once; `null` if a password was given. */
   code: string | null;
   /** @description End of the invitation; `null` without one. */
   codeExpiresAt: string | null;
   /**
    * Format: date-time
    * @description Time at which the account was made.
    */
   createdAt: string;
   /** @description Time at which the account ends; an owner can renew it. `null`: it does not end by itself. */
   expiresAt: string | null;
   /** Format: uuid */
   id: string;
   /** @description `true`: invited, and without a password yet. */
   isPending: boolean;
   /** @description Language that the person reads, such as `de` or `en-US`; `null` if none was chosen. */
   language: string | null;
   /** @description Time of the last request, to within an hour, of the sessions that are open; `null` without one. */
   lastSeenAt: string | null;
   /** @description Name that the person signs in with; plain text. */
   name: string;
   /**
    * @description `owner`: everything. `installer`: sees, commands and installs, for 30 days at a time. `member`: sees and commands. `guest`: sees.
    * @enum {string}
    */
   role: "owner" | "installer" | "member" | "guest";
  };
  NewTemperatureSchedule: {
   /** @description Setting of the unit while no rule applies. */
   defaultTargetState: {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "COOL";
   } | {
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "HEAT";
   } | {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "AUTO";
   } | {
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "OFF";
   } | {
    /** @constant */
    holdType: "SCHEDULED";
   };
   /** @description `false`: the schedule does not control its target. */
   isEnabled: boolean;
   /** @description Rules of the schedule. If several apply, the last one counts. */
   rules: components["schemas"]["TemperatureRule"][];
   /** @description Id of the device that the schedule controls. */
   targetId: string;
   /** @constant */
   targetType: "hvac";
  };
  /** @description A way to notify somebody. */
  NotificationChannel: {
   /** @description The last 10 attempts since the start of the gateway, newest first. */
   deliveries: components["schemas"]["NotificationDelivery"][];
   /** @description Time of day of its one message a day; `null`: everything is sent when it happens. */
   digestAt: string | null;
   /** @description Failed attempts in a row; 0: the last message arrived, or none was sent. */
   failures: number;
   /** @description `true` if an access token for the ntfy server is stored. */
   hasToken: boolean;
   /** @description The server that takes the messages. */
   host: string;
   /** @description Its name. */
   id: string;
   /** @description `true` during its quiet hours. */
   isQuiet: boolean;
   /** @description What it reports. */
   kinds: ("device-silent" | "grid-limit" | "target-missed" | "finding" | "backup-failed" | "update-available" | "update-rolled-back")[];
   /**
    * @description Language of the messages.
    * @enum {string}
    */
   language: "en" | "de" | "nl" | "fr" | "sv";
   /** @description Things that were reported and are not over. */
   open: number;
   /**
    * @description `file`: the configuration file has it, and it is changed only there. `api`: set here.
    * @enum {string}
    */
   origin: "file" | "api";
   /** @description Times of day of the site in which nothing is sent; `null`: none. */
   quietHours: {
    from: string;
    until: string;
   } | null;
   /** @description Next attempt after a failure; `null` if the last one arrived. */
   retryAt: string | null;
   /** @description Messages of the last 24 hours, without tests; 8 at most. */
   sentLastDay: number;
   /** @description Address of the ntfy server; `null` for other types. */
   server: string | null;
   /** @description Who gets the e-mails; `null` for other types. */
   to: string[] | null;
   /** @enum {string} */
   type: "ntfy" | "email" | "webhook";
  };
  NotificationChannelEmail: {
   /** @description Time of day in site.timezone of one message a day about everything. Only grid-limit and target-missed are still sent at once. */
   digestAt?: string;
   /** @description What it reports; everything when absent. */
   kinds?: ("device-silent" | "grid-limit" | "target-missed" | "finding" | "backup-failed" | "update-available" | "update-rolled-back")[];
   /**
    * @description Language of the messages.
    * @default en
    * @enum {string}
    */
   language?: "en" | "de" | "nl" | "fr" | "sv";
   /** @description Times of day in site.timezone, such as 22:00 to 07:00, in which nothing is sent; it is afterwards, if still true. */
   quietHours?: {
    from: string;
    until: string;
   };
   /** @description Who gets the messages. */
   to: string[];
   /** @constant */
   type: "email";
  };
  NotificationChannelNtfy: {
   /** @description Time of day in site.timezone of one message a day about everything. Only grid-limit and target-missed are still sent at once. */
   digestAt?: string;
   /** @description What it reports; everything when absent. */
   kinds?: ("device-silent" | "grid-limit" | "target-missed" | "finding" | "backup-failed" | "update-available" | "update-rolled-back")[];
   /**
    * @description Language of the messages.
    * @default en
    * @enum {string}
    */
   language?: "en" | "de" | "nl" | "fr" | "sv";
   /** @description Times of day in site.timezone, such as 22:00 to 07:00, in which nothing is sent; it is afterwards, if still true. */
   quietHours?: {
    from: string;
    until: string;
   };
   /**
    * Format: uri
    * @description Address of the ntfy server; http only in the house.
    * @default https://ntfy.sh
    */
   server?: string;
   /** @description Access token, if the server asks for one; `null` removes it. Absent: it stays as it is. */
   token?: string | null;
   /** @description Who knows it reads the messages: make it long and random. Absent: it stays as it is. */
   topic?: string;
   /** @constant */
   type: "ntfy";
  };
  NotificationChannelSettings: components["schemas"]["NotificationChannelNtfy"] | components["schemas"]["NotificationChannelEmail"] | components["schemas"]["NotificationChannelWebhook"];
  NotificationChannelWebhook: {
   /** @description Time of day in site.timezone of one message a day about everything. Only grid-limit and target-missed are still sent at once. */
   digestAt?: string;
   /** @description What it reports; everything when absent. */
   kinds?: ("device-silent" | "grid-limit" | "target-missed" | "finding" | "backup-failed" | "update-available" | "update-rolled-back")[];
   /**
    * @description Language of the messages.
    * @default en
    * @enum {string}
    */
   language?: "en" | "de" | "nl" | "fr" | "sv";
   /** @description Times of day in site.timezone, such as 22:00 to 07:00, in which nothing is sent; it is afterwards, if still true. */
   quietHours?: {
    from: string;
    until: string;
   };
   /** @description Signs the messages as webhooks are signed. Generate it, with 128 random bits or more. Absent: it stays as it is. */
   secret?: string;
   /** @constant */
   type: "webhook";
   /**
    * Format: uri
    * @description URL to which messages are posted; http only in the house. Absent: it stays as it is.
    */
   url?: string;
  };
  NotificationDelivery: {
   /**
    * Format: date-time
    * @description Time of the attempt.
    */
   at: string;
   /**
    * @description `sent`, or why not. `untrusted`: the certificate is not valid. `unauthorized`: token, user or password. `not-found`: no such topic or path. `broken`: the connection ended, or something else answers there.
    * @enum {string}
    */
   code: "sent" | "no-such-host" | "unreachable" | "untrusted" | "timeout" | "unauthorized" | "not-found" | "rate-limited" | "rejected" | "address-refused" | "broken";
   /** @description What happened and what to check, in English. */
   description: string;
   /** @description `true` for a test message. */
   isTest: boolean;
  };
  OAuthMetadata: {
   grant_types_supported: "client_credentials"[];
   /**
    * Format: uri
    * @description The gateway, under the name that it was asked by.
    */
   issuer: string;
   /** @description None: there is no authorization endpoint. The RFC asks for the field all the same. */
   response_types_supported: string[];
   /** Format: uri */
   service_documentation: string;
   /** Format: uri */
   token_endpoint: string;
   token_endpoint_auth_methods_supported: ("client_secret_basic" | "client_secret_post")[];
  };
  OperationModeRequest: {
   /** @enum {string} */
   operationMode: "IMPORT_FOCUS" | "EXPORT_FOCUS" | "TIME_OF_USE" | "SELF_RELIANCE" | "IDLE";
  };
  Pagination: {
   /** @description Cursor of the next page; `null` on the last page. */
   after: string | null;
   /** @description Cursor of the previous page; `null` on the first page. */
   before: string | null;
  };
  Passkey: {
   /** Format: date-time */
   createdAt: string;
   /** @description Name of the gateway at which it signs in; it does nothing at another name. */
   host: string;
   /** Format: uuid */
   id: string;
   /** @description Time of the last sign-in with it; `null` if there was none. */
   lastUsedAt: string | null;
   /** @description What the person calls it; plain text. */
   name: string;
  };
  PasskeyBegin: {
   /** @description Password of the account. */
   password: string;
  };
  PasskeyCreate: {
   /** @description `id` of the browser's answer. */
   id: string;
   /** @description What the person calls it, such as `Anna's phone`. */
   name: string;
   response: {
    /** @description `authenticatorData` of the browser's answer. */
    authenticatorData: string;
    /** @description `clientDataJSON` of the browser's answer. */
    clientDataJSON: string;
    /** @description `getPublicKey()` of the browser's answer: SubjectPublicKeyInfo, DER. */
    publicKey: string;
   };
  };
  /** @description `PublicKeyCredentialCreationOptionsJSON` of WebAuthn, for `navigator.credentials.create`. */
  PasskeyCreationOptions: {
   /** @constant */
   attestation: "none";
   authenticatorSelection: {
    /** @constant */
    requireResidentKey: true;
    /** @constant */
    residentKey: "required";
    /** @constant */
    userVerification: "required";
   };
   challenge: string;
   /** @description Passkeys that the account has here already. */
   excludeCredentials: {
    id: string;
    /** @constant */
    type: "public-key";
   }[];
   pubKeyCredParams: {
    alg: number;
    /** @constant */
    type: "public-key";
   }[];
   rp: {
    id: string;
    name: string;
   };
   /** @description ms; the challenge counts once and no longer than this. */
   timeout: number;
   user: {
    displayName: string;
    id: string;
    name: string;
   };
  };
  /** @description `PublicKeyCredentialRequestOptionsJSON` of WebAuthn, for `navigator.credentials.get`. */
  PasskeyRequestOptions: {
   challenge: string;
   rpId: string;
   /** @description ms; the challenge counts once and no longer than this. */
   timeout: number;
   /** @constant */
   userVerification: "required";
  };
  PasskeySignIn: {
   /** @description `id` of the browser's answer. */
   id: string;
   response: {
    /** @description `authenticatorData` of the browser's answer. */
    authenticatorData: string;
    /** @description `clientDataJSON` of the browser's answer. */
    clientDataJSON: string;
    /** @description `signature` of the browser's answer. */
    signature: string;
    /** @description `userHandle` of the browser's answer. */
    userHandle: string;
   };
  };
  PendingInverterStatistics: {
   resolutions: {
    /** @description `null` if nothing is known. */
    DAY?: {
     data: {
      /**
       * Format: date-time
       * @description Start of the bucket, RFC 3339 with offset.
       */
      date: string;
      /** @description Energy produced, kWh; `null` if not known. */
      value: number | null;
     }[];
     /** @constant */
     unit: "kWh";
    } | null;
    /** @description `null` if nothing is known. */
    QUARTER_HOUR?: {
     data: {
      /**
       * Format: date-time
       * @description Start of the bucket, RFC 3339 with offset.
       */
      date: string;
      /** @description Energy produced, kWh; `null` if not known. */
      value: number | null;
     }[];
     /** @constant */
     unit: "kWh";
    } | null;
   };
   /**
    * Format: date-time
    * @description Time of the next request that may bring more values.
    */
   retryAfter: string;
   /** @description IANA time zone of the inverter. */
   timezone: string;
  };
  PermanentHoldRequest: {
   /** @description Temperature above which the unit cools, °C. */
   coolSetpoint: number;
   /** @constant */
   mode: "COOL";
  } | {
   /** @description Temperature below which the unit heats, °C. */
   heatSetpoint: number;
   /** @constant */
   mode: "HEAT";
  } | {
   /** @description Temperature above which the unit cools, °C. */
   coolSetpoint: number;
   /** @description Temperature below which the unit heats, °C. */
   heatSetpoint: number;
   /** @constant */
   mode: "AUTO";
  } | {
   /** @constant */
   mode: "OFF";
  };
  Person: {
   /**
    * Format: date-time
    * @description Time at which the account was made.
    */
   createdAt: string;
   /** @description Time at which the account ends; an owner can renew it. `null`: it does not end by itself. */
   expiresAt: string | null;
   /** Format: uuid */
   id: string;
   /** @description `true`: invited, and without a password yet. */
   isPending: boolean;
   /** @description Language that the person reads, such as `de` or `en-US`; `null` if none was chosen. */
   language: string | null;
   /** @description Time of the last request, to within an hour, of the sessions that are open; `null` without one. */
   lastSeenAt: string | null;
   /** @description Name that the person signs in with; plain text. */
   name: string;
   /**
    * @description `owner`: everything. `installer`: sees, commands and installs, for 30 days at a time. `member`: sees and commands. `guest`: sees.
    * @enum {string}
    */
   role: "owner" | "installer" | "member" | "guest";
  };
  PersonCreate: {
   /** @description Language that the person reads. */
   language?: string;
   /** @description Name to sign in with: 1 to 64 characters, no two alike. */
   name: string;
   /** @description Left out: the answer has an invitation code. */
   password?: string;
   /**
    * @description `owner`: everything. `installer`: sees, commands and installs, for 30 days at a time. `member`: sees and commands. `guest`: sees.
    * @enum {string}
    */
   role: "owner" | "installer" | "member" | "guest";
  };
  PersonUpdate: {
   /** @description Language that the person reads, such as `de` or `en-US`; `null` if none was chosen. */
   language?: string | null;
   /** @description Name to sign in with: 1 to 64 characters, no two alike. */
   name?: string;
   oldPassword?: string;
   /** @description A new password for the signed-in account; it needs `oldPassword`. */
   password?: string;
   /**
    * @description An installer may enter for 30 more days from now.
    * @constant
    */
   renew?: true;
   /**
    * @description `owner`: everything. `installer`: sees, commands and installs, for 30 days at a time. `member`: sees and commands. `guest`: sees.
    * @enum {string}
    */
   role?: "owner" | "installer" | "member" | "guest";
  };
  PlaceRequest: {
   /** @description Id of the location; `null` for none. */
   locationId: string | null;
  };
  PowerLimit: {
   /** @description Lowest of `maxImportKw` and what the grid operator allows now, kW; `null`: neither is set. */
   appliedImportKw: number | null;
   /** @description Power at the connection now, kW, positive on import; `null` if it is not measured. */
   importKw: number | null;
   /** Format: uuid */
   locationId: string;
   /** @description Highest import, kW; `null`: none is set. */
   maxImportKw: number | null;
   /** @description Main fuse: highest current of each phase, A; `null`: none is set. */
   maxPhaseCurrent: number | null;
   origins: {
    /**
     * @description `file`: set in the configuration file, and changed only there.
     * @enum {string}
     */
    maxImportKw: "file" | "api" | "default";
    /**
     * @description `file`: set in the configuration file, and changed only there.
     * @enum {string}
     */
    maxPhaseCurrent: "file" | "api" | "default";
   };
   /** @description Current of each phase now, A, positive on import; `null` if it is not measured. */
   phaseCurrents: (number | null)[];
   /**
    * @description Phases of the connection.
    * @enum {number}
    */
   phases: 1 | 3;
  };
  /** @description `null` removes a limit; what is left out stays. */
  PowerLimitUpdate: {
   /** @description Highest import, kW; `null`: none is set. */
   maxImportKw?: number | null;
   /** @description Main fuse: highest current of each phase, A; `null`: none is set. */
   maxPhaseCurrent?: number | null;
  };
  PricingSettings: {
   /**
    * @description ISO 4217 code of the currency that all prices are in, per kWh.
    * @default EUR
    */
   currency?: string;
   /** @description What is paid for energy that is fed into the grid: market × marketFactor + perKwh. Default not known. */
   feedIn?: {
    /**
     * @description What the market's price is multiplied by: 1 for a feed-in at the market's price, 0 for a fixed one.
     * @default 0
     */
    marketFactor?: number | string;
    /**
     * @description What is paid per kWh; with marketFactor what is added to it, negative for a fee.
     * @default 0
     */
    perKwh?: number | string;
    /**
     * @description Whether inverters are limited to what the house takes while feeding in costs money.
     * @default false
     */
    stopsBelowZero?: boolean;
   };
   /** @description Market prices where a location's tariff has none: (market × factor + fees) × (1 + vat). */
   market?: {
    /**
     * @description What the market's price is multiplied by, before anything is added.
     * @default 1
     */
    factor?: number | string;
    /**
     * @description What is paid per kWh beside the energy.
     * @default []
     */
    fees?: {
     /**
      * @description HH:MM on the house's clock, inclusive.
      * @default 00:00
      */
     from?: string;
     /** @description What is paid, such as grid or electricity tax. */
     name: string;
     /** @description Currency units per kWh, before value-added tax; negative for a rebate. */
     perKwh: number | string;
     /**
      * @description HH:MM, exclusive, after from; 24:00 closes the day.
      * @default 24:00
      */
     to?: string;
     /** @description 0 is Monday, 6 is Sunday; default all days. */
     weekdays?: number[];
    }[];
    /** @description Where the prices come from, such as energy-charts. */
    source: string;
    /**
     * @description The source's key, where it wants one; null: none.
     * @default null
     */
    token?: string | null;
    /**
     * @description Value-added tax on all of it, as a part of 1: 0.19 is 19 %.
     * @default 0
     */
    vat?: number | string;
    /** @description What the source knows the place by, such as the bidding zone DE-LU. */
    zone: string;
   };
  };
  ProductionStatistics: {
   /**
    * Format: date-time
    * @description Start of the bucket.
    */
   date: string;
   /** @description Value of `kwhPriced`, the energy with a known price, at the location's tariff, in currency units; it may be negative. */
   earningsSum: number;
   /** @description `true` if the price of all the energy is known. Otherwise `price` and the sum of money are only for `kwhPriced`, and mean nothing if that is 0. */
   isCostKnown: boolean;
   /** @description Power while energy flowed. */
   kw: {
    /** @description Highest power, kW. */
    max: number;
    /** @description Mean power, kW. */
    mean: number;
    /** @description Lowest power, kW. */
    min: number;
   };
   /** @description The part of `kwhSum` with a known price, kWh. */
   kwhPriced: number;
   /** @description Energy, kWh. */
   kwhSum: number;
   /** @description Price per kWh at the time when the energy flowed; it may be negative. All values are 0 if `kwhPriced` is 0. */
   price: {
    /** @description Highest price, currency units per kWh. */
    max: number;
    /** @description Mean price weighted by energy, currency units per kWh. */
    mean: number;
    /** @description Lowest price, currency units per kWh. */
    min: number;
   };
  };
  RelinkRequest: {
   /**
    * @description Colours of the link pages; `system`, the default, follows the user's browser.
    * @enum {string}
    */
   colorScheme?: "system" | "light" | "dark";
   /**
    * @description Language of the link pages. `browser`: the language of the user's browser. English if there is no translation.
    * @enum {string}
    */
   language: "browser" | "it-IT" | "en-US" | "en-GB" | "de-DE" | "fr-FR" | "es-ES" | "ja-JP" | "pt-PT" | "lv-LV" | "lt-LT" | "nl-NL" | "nl-BE" | "nb-NO" | "pl-PL" | "sv-SE" | "da-DK" | "fi-FI" | "ro-RO";
   /**
    * Format: uri
    * @description URI that the browser opens at the end: https, http in the local network, or an app's scheme such as `com.example.app:`.
    */
   redirectUri: string;
  };
  ReportDevice: {
   assets: {
    /** Format: uuid */
    assetId: string;
    /** @enum {string} */
    assetType: "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";
   }[];
   deviceId: string;
   /** @description Version, as the device reports it. */
   firmware: string | null;
   isReachable: boolean;
   lastSeenAt: string | null;
   manufacturer: string | null;
   model: string | null;
   /** @description Serial number, as the device reports it. */
   serial: string | null;
  };
  SchedulePage: {
   data: (components["schemas"]["ChargeSchedule"] | components["schemas"]["TemperatureSchedule"])[];
   pagination: components["schemas"]["Pagination"];
  };
  SeenDevice: {
   /** Format: uuid */
   assetId: string;
   /** @enum {string} */
   assetType: "inverter" | "battery";
   /** @description Discharged; `null` if it was not seen yet. */
   negative: {
    /** Format: date-time */
    at: string;
    /** @description W, positive. */
    powerW: number;
   } | null;
   /** @description Produced, or charged; `null` if it was not seen yet. */
   positive: {
    /** Format: date-time */
    at: string;
    /** @description W, positive. */
    powerW: number;
   } | null;
  };
  Session: {
   account: components["schemas"]["Account"];
   /** @description To be sent as `X-CSRF-Token` with every request of this session that changes something. */
   csrfToken: string;
   /**
    * Format: date-time
    * @description Time at which the session ends; each request moves it 30 days ahead.
    */
   expiresAt: string;
   /** @description What the account's role may do. */
   rights: ("see" | "command" | "install" | "people")[];
  };
  SessionEntry: {
   /** Format: uuid */
   accountId: string;
   accountName: string;
   /** @description IP address of the sign-in. */
   address: string;
   /**
    * Format: date-time
    * @description Time of the sign-in.
    */
   createdAt: string;
   /** Format: date-time */
   expiresAt: string;
   /** Format: uuid */
   id: string;
   /** @description `true` for the session of this request. */
   isCurrent: boolean;
   /**
    * Format: date-time
    * @description Time of the last request, to within an hour.
    */
   lastSeenAt: string;
   /** @description What the browser called itself; `null` if nothing. */
   userAgent: string | null;
  };
  Setup: {
   /** @description The first open step; `null` if none is. */
   current: ("site" | "devices" | "checks" | "control-tests" | "prices" | "people" | "hand-over") | null;
   /** @description `null` until the house is handed over. */
   handOver: components["schemas"]["HandOver"] | null;
   /** @description True from the first start of an unclaimed gateway until the hand-over: until then the home page leads people who may install to the setup. */
   isDue: boolean;
   /** @description In the order of the work. */
   steps: components["schemas"]["SetupStep"][];
  };
  SetupActor: {
   id: string;
   /**
    * @description `account`: a person. `client`: a program with a token.
    * @enum {string}
    */
   kind: "account" | "client";
   /** @description As it was called then; plain text. */
   name: string;
  };
  SetupFileMistake: {
   /** @description Kind of mistake, such as `invalid_type`. */
   code: string;
   /** @description Line of the file. */
   line: number;
   /** @description What is wrong and what to do, in English. Values are not quoted. */
   message: string;
   /** @description Path of the value; empty for the file. */
   path: (string | number)[];
  };
  SetupImport: {
   /** @description What runs now, else what ran last, also before a restart; `null` if nothing did. */
   task: components["schemas"]["SetupImportTask"] | null;
  };
  SetupImportBody: {
   /** @description The file: YAML, or JSON. It is not kept, because it may have passwords. */
   text: string;
  };
  SetupImportFailure: {
   /**
    * @description `none-found`: no new device was found. `known`: the gateway has the device already. `several`: more than one device fits. `test-failed`: a device failed its control test. `refused`: the gateway refused the step, as `status` and `issues` say.
    * @enum {string}
    */
   code: "none-found" | "known" | "several" | "test-failed" | "refused";
   /** @description What is wrong and what to do, in English. */
   detail: string;
   /** @description What is wrong with single values. */
   issues: components["schemas"]["Issue"][];
   /** @description HTTP status with which the same request would be refused. */
   status: number;
  };
  SetupImportPreview: {
   /** @description All that is wrong with the file; empty: it can be imported. */
   mistakes: components["schemas"]["SetupFileMistake"][];
   /** @description What would be done, in this order; empty with mistakes. */
   steps: components["schemas"]["SetupImportStep"][];
  };
  SetupImportResult: {
   /** @description The same in English; `null` if nothing is to be said. */
   detail: string | null;
   /** @description Name or id of the device. */
   name: string;
   /**
    * @description `not-tested`: its test was refused. `silent`: it did not answer within two minutes.
    * @enum {string}
    */
   outcome: "added" | "passed" | "failed" | "not-tested" | "silent";
   /** @description Code of a control test's `refusal` or `cause`; `null` if there is none. */
   reason: string | null;
  };
  SetupImportStep: {
   /** @description Why it ended the import; `null` if it did not. */
   failure: components["schemas"]["SetupImportFailure"] | null;
   /**
    * @description `site`: set the limits of the connection. `device`: find a device and add it. `answers`: wait up to two minutes until the added devices answer. `control-tests`: run the control tests. `person`: make an account. `leave-out`: leave a step of the setup out. `hand-over`: hand the house over.
    * @enum {string}
    */
   kind: "site" | "device" | "answers" | "control-tests" | "person" | "leave-out" | "hand-over";
   /** @description Name of the device, of the person, or of the step that is left out; `null` for the others. */
   name: string | null;
   /** @description What came of single devices. */
   results: components["schemas"]["SetupImportResult"][];
   /**
    * @description `unchanged`: there is a device, or an account, of this name already, which is left alone.
    * @enum {string}
    */
   state: "open" | "running" | "done" | "unchanged" | "failed";
   /** @description What the file says, as text. Of a device's settings only their names (`set`), because they may be secrets. */
   values: {
    [key: string]: string;
   };
  };
  SetupImportTask: {
   /** @description Who began it, as called then. */
   by: string;
   /** @description `null` while it runs. */
   endedAt: string | null;
   /** Format: date-time */
   startedAt: string;
   /**
    * @description `failed`: a step failed, and those after it are not done. `stopped`: a person ended it. `interrupted`: the gateway stopped meanwhile. What was done stays done; the same file can be imported again.
    * @enum {string}
    */
   state: "running" | "done" | "failed" | "stopped" | "interrupted";
   steps: components["schemas"]["SetupImportStep"][];
  };
  SetupReport: {
   /**
    * Format: date-time
    * @description Time of this report.
    */
   createdAt: string;
   devices: components["schemas"]["ReportDevice"][];
   /** @description Open, fixed and dismissed ones. */
   findings: components["schemas"]["InstallationFinding"][];
   /** @description Who may limit the house: the grid operator's sources. */
   gridLimits: {
    id: string;
    name: string;
   }[];
   handOver: components["schemas"]["HandOver"] | null;
   house: {
    /** @description What the gateway's machine calls itself. */
    hostName: string;
    name: string;
    /** @description IANA name. */
    timezone: string;
   };
   loadChecks: components["schemas"]["LoadCheckResult"][];
   people: {
    name: string;
    /** @enum {string} */
    role: "owner" | "installer" | "member" | "guest";
   }[];
   /** @description Inverters and batteries, with what they were seen at while the house added up. */
   seen: components["schemas"]["SeenDevice"][];
   site: components["schemas"]["Site"];
   steps: components["schemas"]["SetupStep"][];
   tests: components["schemas"]["ControlTest"][];
  };
  SetupSkip: {
   isSkipped: boolean;
   /** @description Why, for the report; `null` or absent for none. */
   reason?: string | null;
  };
  SetupStep: {
   /** @description How much there is to do; `null` where nothing is counted. */
   all: number | null;
   /** @description How much of it is done; `null` where nothing is counted. */
   done: number | null;
   /**
    * @description Why it is done, or what it waits for.
    * @enum {string}
    */
   reason: "limits-set" | "no-limits" | "all-answer" | "no-devices" | "devices-silent" | "checks-passed" | "findings-open" | "load-check-missing" | "waits-for-sun" | "waits-for-battery" | "tests-passed" | "tests-missing" | "tests-failed" | "nothing-to-test" | "prices-known" | "no-prices" | "people-added" | "only-one-person" | "handed-over" | "not-handed-over";
   /** @description Who left it out; `null` if nobody did. */
   skip: {
    /**
     * Format: date-time
     * @description Time at which it was done.
     */
    at: string;
    by: components["schemas"]["SetupActor"];
    reason: string | null;
   } | null;
   /**
    * @description `done` follows from what is there, whatever way it was done. `skipped`: somebody left it out; it becomes `done` when it is done after all.
    * @enum {string}
    */
   state: "done" | "open" | "skipped";
   /** @enum {string} */
   step: "site" | "devices" | "checks" | "control-tests" | "prices" | "people" | "hand-over";
  };
  SignIn: {
   name: string;
   password: string;
  };
  Site: {
   /** @description Last change over the API; `null` if there was none. */
   changedAt: string | null;
   connection: components["schemas"]["SiteConnection"];
   /** @description What is missing, as under `/local/checks` and `/health/energy`. */
   notes: {
    id: string;
    message: string;
   }[];
   /** @description Where each value comes from. */
   origins: {
    [key: string]: "file" | "api" | "default";
   };
   /** @description What is allowed but hardly intended. */
   warnings: {
    message: string;
    path: (string | number)[];
   }[];
  };
  SiteConnection: {
   /** @description Fused parts of the house, each behind another one or behind the main fuse. */
   circuits?: {
    /** @description Fuse of the circuit, A per phase. */
    fuseA?: number;
    /** @description Id of the circuit: lower-case letters, digits and dashes. */
    id: string;
    /** @description Highest import of the circuit, kW. */
    maxKw?: number;
    /** @description Ids of the devices behind this fuse. A device is in one circuit only. */
    members?: string[];
    /** @description Device whose meter measures the circuit; without one the readings of the members are added up. */
    meter?: string;
    /** @description Name shown to people; default the id. */
    name?: string;
    /** @description Id of the circuit that this one is behind; default the main fuse. */
    parent?: string;
   }[];
   /** @description Highest feed-in, kW; 0 for none. */
   feedInKw?: number;
   /**
    * @description Highest feed-in by a usual rule: 60 % (Germany) or 70 % (Austria) of the peak power.
    * @enum {string}
    */
   feedInPreset?: "60%" | "70%";
   /** @description Highest feed-in as a share of the panels' peak power: 0.6 is 60 %. */
   feedInShare?: number;
   /** @description Main fuse, A per phase. */
   fuseA?: number;
   /** @description Device whose meter is at the connection; default the meter of the energy system. */
   gridMeter?: string;
   /** @description Contracted import, kW. */
   importKw?: number;
   /** @description By device id, what a meter that is not at the connection measures. `panels`: it is production, which the meter reads as import (positive). `panels-turned`: production that it reads as export (negative). In a house with an inverter that is a device neither of them counts, since the production would count twice. `other-panels`, `other-panels-turned`: the same for panels without such an inverter beside others that have one; both count. `inside`: a part of the house, which is in the house's consumption already, or panels whose inverter is a device here. A circuit's meter, and a device in a circuit that is only a meter, are `inside`. All other meters of a house count as at the connection, and are added up. */
   meters?: {
    [key: string]: "panels" | "panels-turned" | "other-panels" | "other-panels-turned" | "inside";
   };
   /** @description Peak power of the panels, kW; default the sum of forecast.planes. */
   panelsKw?: number;
   /** @description Highest mean import in a quarter hour that is paid for, kW, where the tariff has a price for it. */
   peakKw?: number;
   /**
    * @description Phases of the connection, 1 or 3; default 3.
    * @enum {number}
    */
   phases?: 1 | 3;
   /** @description By device id, the phases of the house that its L1, L2 and L3 are connected to: [L2], or [L2, L3, L1] where it is rotated. Default L1 for one phase, L1 L2 L3 for three. */
   phasesOf?: {
    [key: string]: ("L1" | "L2" | "L3")[];
   };
   /** @description Loads that nothing measures. */
   unmetered?: {
    /** @description Id of the circuit that it is in; default directly behind the main fuse. */
    circuit?: string;
    /** @description Highest current, A per phase. It is kept free where no meter counts it: in a circuit without a meter, or whose meter is silent. */
    maxA: number;
    /** @description What it is, such as a sauna. */
    name: string;
    /** @description The phases that it is connected to; default all. */
    phases?: ("L1" | "L2" | "L3")[];
   }[];
  };
  /** @description `null` removes a value; what is left out stays as it is. */
  SiteConnectionChange: {
   /** @description Fused parts of the house, each behind another one or behind the main fuse. */
   circuits?: {
    /** @description Fuse of the circuit, A per phase. */
    fuseA?: number;
    /** @description Id of the circuit: lower-case letters, digits and dashes. */
    id: string;
    /** @description Highest import of the circuit, kW. */
    maxKw?: number;
    /** @description Ids of the devices behind this fuse. A device is in one circuit only. */
    members?: string[];
    /** @description Device whose meter measures the circuit; without one the readings of the members are added up. */
    meter?: string;
    /** @description Name shown to people; default the id. */
    name?: string;
    /** @description Id of the circuit that this one is behind; default the main fuse. */
    parent?: string;
   }[] | null;
   /** @description Highest feed-in, kW; 0 for none. */
   feedInKw?: number | null;
   /** @description Highest feed-in by a usual rule: 60 % (Germany) or 70 % (Austria) of the peak power. */
   feedInPreset?: ("60%" | "70%") | null;
   /** @description Highest feed-in as a share of the panels' peak power: 0.6 is 60 %. */
   feedInShare?: number | null;
   /** @description Main fuse, A per phase. */
   fuseA?: number | null;
   /** @description Device whose meter is at the connection; default the meter of the energy system. */
   gridMeter?: string | null;
   /** @description Contracted import, kW. */
   importKw?: number | null;
   /** @description By device id, what a meter that is not at the connection measures. `panels`: it is production, which the meter reads as import (positive). `panels-turned`: production that it reads as export (negative). In a house with an inverter that is a device neither of them counts, since the production would count twice. `other-panels`, `other-panels-turned`: the same for panels without such an inverter beside others that have one; both count. `inside`: a part of the house, which is in the house's consumption already, or panels whose inverter is a device here. A circuit's meter, and a device in a circuit that is only a meter, are `inside`. All other meters of a house count as at the connection, and are added up. */
   meters?: {
    [key: string]: "panels" | "panels-turned" | "other-panels" | "other-panels-turned" | "inside";
   } | null;
   /** @description Peak power of the panels, kW; default the sum of forecast.planes. */
   panelsKw?: number | null;
   /** @description Highest mean import in a quarter hour that is paid for, kW, where the tariff has a price for it. */
   peakKw?: number | null;
   /** @description Phases of the connection, 1 or 3; default 3. */
   phases?: (1 | 3) | null;
   /** @description By device id, the phases of the house that its L1, L2 and L3 are connected to: [L2], or [L2, L3, L1] where it is rotated. Default L1 for one phase, L1 L2 L3 for three. */
   phasesOf?: {
    [key: string]: ("L1" | "L2" | "L3")[];
   } | null;
   /** @description Loads that nothing measures. */
   unmetered?: {
    /** @description Id of the circuit that it is in; default directly behind the main fuse. */
    circuit?: string;
    /** @description Highest current, A per phase. It is kept free where no meter counts it: in a circuit without a meter, or whose meter is silent. */
    maxA: number;
    /** @description What it is, such as a sauna. */
    name: string;
    /** @description The phases that it is connected to; default all. */
    phases?: ("L1" | "L2" | "L3")[];
   }[] | null;
  };
  /** @description The conditions for a plan; it is made when all of them are `true`. */
  SmartChargingConsideration: {
   /** @description `true` if the vehicle is at one of the user's locations. */
   atChargingLocation: boolean;
   /** @description `true` if the remaining charging time is known. */
   hasTimeEstimate: boolean;
   /** @description `true` if the vehicle charges. */
   isCharging: boolean;
   /** @description `true` if the vehicle is plugged in. */
   isPluggedIn: boolean;
  };
  /** @description Charges at once, against schedule and smart charging, until charging stops or the override is ended. */
  SmartOverride: {
   /**
    * Format: date-time
    * @description Start of the override.
    */
   createdAt: string;
   /** @description End of the override; `null` while it is active. */
   endedAt: string | null;
   /** @description Id of the charger or vehicle. */
   targetId: string;
   /** @enum {string} */
   targetType: "charger" | "vehicle";
   /** @description User that the target belongs to. */
   userId: string;
   /** @description Vendor code of the target. */
   vendor: string;
   /** @description Action that starts charging; `null` if the target was already charging. */
   vendorActionId: string | null;
  };
  SolarPolicy: {
   /** @description How long that has to last, s; `null`: 60 s before it starts and 180 s before it stops. Minimum times of the charger come on top. */
   delaySeconds: number | null;
   /** @description `true` while the charger's energy mode is SURPLUS or MIN_SURPLUS. */
   isEnabled: boolean;
   /** @description Lowest current with which it charges from surplus, A per phase; `null`: the charger's own. */
   minCurrent: number | null;
   /** @description It starts when so much would be fed into the grid, kW; `null`: as much as its lowest current needs. Below that, the rest is from the grid. */
   startExportKw: number | null;
   /** @description It stops when more than this is drawn from the grid for it, kW; `null`: 0.1 kW, which is noise. */
   stopImportKw: number | null;
  };
  SolarPolicyUpdate: {
   /** @description How long that has to last, s; `null`: 60 s before it starts and 180 s before it stops. Minimum times of the charger come on top. */
   delaySeconds?: number | null;
   /** @description `true` sets the energy mode SURPLUS, unless it is MIN_SURPLUS; `false` ends these two modes, and no other. */
   isEnabled: boolean;
   /** @description Lowest current with which it charges from surplus, A per phase; `null`: the charger's own. */
   minCurrent?: number | null;
   /** @description It starts when so much would be fed into the grid, kW; `null`: as much as its lowest current needs. Below that, the rest is from the grid. */
   startExportKw?: number | null;
   /** @description It stops when more than this is drawn from the grid for it, kW; `null`: 0.1 kW, which is noise. */
   stopImportKw?: number | null;
  };
  /** @description Why the source delivers no new data. Data that it delivered before stays in use. */
  SourceProblem: {
   /**
    * @description `not-set-up`: something is missing in the configuration. `clock-not-set`: the gateway does not know the time. `unreachable`: no connection. `unavailable`: the source reports a server error. `rate-limited`: too many requests. `malformed`: the answer cannot be read. `empty`: the source has no data. `refused`: the source rejects the request. `not-kept`: the data cannot be stored. With `refused` and `not-set-up` nothing is requested until the configuration changes.
    * @enum {string}
    */
   kind: "not-set-up" | "clock-not-set" | "unreachable" | "unavailable" | "rate-limited" | "malformed" | "empty" | "refused" | "not-kept";
   /**
    * Format: date-time
    * @description Time since which the source has this problem.
    */
   since: string;
   /** @description What is wrong, in English. */
   text: string;
  };
  /** @description The rates of a tariff. */
  Tariff: components["schemas"]["TariffRate"][];
  TariffEntry: {
   /** @description Start, HH:MM in UTC, inclusive. */
   fromHourMinute: string;
   /** @description Id of the tariff. */
   tariffId: string;
   /** @description Name of the rate. */
   tariffName: string;
   /** @description End, HH:MM in UTC, exclusive; `24:00` is the end of the day. */
   toHourMinute: string;
   /** @description Day of the week in UTC, 0 is Monday; absent if the entry is for all days. */
   weekday?: number;
  };
  TariffInterval: {
   /** @description Start, HH:MM in the location's time zone, inclusive. */
   from: string;
   /** @description Name of a rate of the tariff. */
   name: string;
   /** @description End, HH:MM in the location's time zone, exclusive, after `from`; `24:00` is the end of the day. */
   to: string;
   /** @description Days of the week, 0 is Monday, 6 is Sunday; by default all days. */
   weekdays?: number[];
  };
  TariffLink: {
   /** @description Id of the tariff, chosen by the client: 1 to 36 letters, digits, `_` or `-`. */
   tariffId: string;
   /** @description Which rate applies at which hours. Intervals must not overlap; hours without one have no price. */
   tariffIntervals: components["schemas"]["TariffInterval"][];
  };
  TariffPage: {
   data: string[];
   pagination: components["schemas"]["Pagination"];
  };
  TariffRate: {
   /** @description Price per kWh in the tariff's currency, a decimal number with up to 9 digits before and 9 after the point. */
   cost: string;
   /** @description Name of the rate, unique in the tariff. */
   name: string;
  };
  /** @description A rule of a temperature schedule. If several rules apply, the last one counts. */
  TemperatureRule: {
   /**
    * Format: date-time
    * @description Start of the rule's validity, inclusive.
    */
   fromTimestamp?: string;
   /** @description Time of day in the location's time zone. A time that crosses midnight belongs to the day on which it begins. */
   hourMinute?: {
    /** @description Start, HH:MM, inclusive. */
    from: string;
    /** @description End, HH:MM, exclusive; on the next day unless it is later than `from`. */
    to: string;
   };
   /** @description Setting of the unit while the rule applies. */
   targetState: {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "COOL";
   } | {
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "HEAT";
   } | {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "AUTO";
   } | {
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "OFF";
   } | {
    /** @constant */
    holdType: "SCHEDULED";
   };
   /**
    * Format: date-time
    * @description End of the rule's validity, exclusive.
    */
   toTimestamp?: string;
   /** @description Days of the week, 0 is Monday, 6 is Sunday; by default all days. */
   weekdays?: number[];
  };
  /** @description A schedule that sets an HVAC unit by rules. */
  TemperatureSchedule: {
   /** @description Setting of the unit while no rule applies. */
   defaultTargetState: {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "COOL";
   } | {
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "HEAT";
   } | {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "AUTO";
   } | {
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "OFF";
   } | {
    /** @constant */
    holdType: "SCHEDULED";
   };
   /**
    * Format: uuid
    * @description Id of the schedule.
    */
   id: string;
   /** @description `false`: the schedule does not control its target. */
   isEnabled: boolean;
   /** @description Rules of the schedule. If several apply, the last one counts. */
   rules: components["schemas"]["TemperatureRule"][];
   /** @description Id of the device that the schedule controls. */
   targetId: string;
   /** @constant */
   targetType: "hvac";
  };
  TemperatureScheduleChanges: {
   /** @description Setting of the unit while no rule applies. */
   defaultTargetState?: {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "COOL";
   } | {
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "HEAT";
   } | {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "AUTO";
   } | {
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "OFF";
   } | {
    /** @constant */
    holdType: "SCHEDULED";
   };
   /** @description `false`: the schedule does not control its target. */
   isEnabled?: boolean;
   /** @description Rules of the schedule. If several apply, the last one counts. */
   rules?: components["schemas"]["TemperatureRule"][];
   /** @description Id of the device that the schedule controls. */
   targetId?: string;
   /** @constant */
   targetType?: "hvac";
  };
  TemperatureScheduleStatus: {
   /**
    * Format: date-time
    * @description Time of the last change of the status.
    */
   changedAt: string;
   /** @description Present setting of the unit; `null` while it is not known. */
   current: ({
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "COOL";
   } | {
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "HEAT";
   } | {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "AUTO";
   } | {
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "OFF";
   } | {
    /** @constant */
    holdType: "SCHEDULED";
   }) | null;
   /** @description Setting that the rules require now. */
   expected: {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "COOL";
   } | {
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "HEAT";
   } | {
    /** @description Temperature above which the unit cools, °C. */
    coolSetpoint: number;
    /** @description Temperature below which the unit heats, °C. */
    heatSetpoint: number;
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "AUTO";
   } | {
    /** @constant */
    holdType: "PERMANENT";
    /** @constant */
    mode: "OFF";
   } | {
    /** @constant */
    holdType: "SCHEDULED";
   };
   /**
    * Format: uuid
    * @description Id of the schedule.
    */
   scheduleId: string;
   /** @constant */
   scheduleType: "TEMPERATURE";
   /**
    * @description `ALIGNED`: the target has the expected setting. `PENDING`: a command for it is on its way. `MISALIGNED`: the target has another setting. `INACTIVE:OVERRIDDEN`: a smart override is active. `INACTIVE:DISABLED`: the schedule is switched off. `INACTIVE:AWAY`: the target is at another location. `INACTIVE:INCAPABLE`: the target cannot be commanded.
    * @enum {string}
    */
   state: "ALIGNED" | "MISALIGNED" | "PENDING" | "INACTIVE:OVERRIDDEN" | "INACTIVE:DISABLED" | "INACTIVE:AWAY" | "INACTIVE:INCAPABLE";
   /** @description The next two changes by the rules, at most eight days ahead. */
   upcomingTransitions: {
    /**
     * Format: date-time
     * @description Time from which the new value applies.
     */
    at: string;
    target: {
     /** @description Temperature above which the unit cools, °C. */
     coolSetpoint: number;
     /** @constant */
     holdType: "PERMANENT";
     /** @constant */
     mode: "COOL";
    } | {
     /** @description Temperature below which the unit heats, °C. */
     heatSetpoint: number;
     /** @constant */
     holdType: "PERMANENT";
     /** @constant */
     mode: "HEAT";
    } | {
     /** @description Temperature above which the unit cools, °C. */
     coolSetpoint: number;
     /** @description Temperature below which the unit heats, °C. */
     heatSetpoint: number;
     /** @constant */
     holdType: "PERMANENT";
     /** @constant */
     mode: "AUTO";
    } | {
     /** @constant */
     holdType: "PERMANENT";
     /** @constant */
     mode: "OFF";
    } | {
     /** @constant */
     holdType: "SCHEDULED";
    };
   }[];
  };
  TestableDevice: {
   /** Format: uuid */
   assetId: string;
   /** @enum {string} */
   assetType: "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";
   deviceId: string;
   /** @description The last test; `null` if there was none. */
   last: components["schemas"]["ControlTest"] | null;
   /** @description Why it cannot be tested now; `null` if it can. */
   refusal: {
    /** @enum {string} */
    code: "no-control" | "no-safe-command" | "silent" | "unknown-value" | "grid-operator" | "limited" | "energy-manager" | "busy" | "other-controller" | "no-meter" | "no-room" | "another-test" | "not-granted";
    /** @description In English, with what to do. */
    detail: string;
   } | null;
  };
  TokenRequest: {
   /** @description Only without the Authorization header. */
   client_id?: string;
   /** @description Only without the Authorization header. */
   client_secret?: string;
   /** @description `client_credentials`. */
   grant_type: string;
   /** @description Empty: tokens have no scopes. */
   scope?: string;
  };
  Update: {
   /** @description The later version that the last look found; `null` if none is known. */
   available: {
    /** @description `update.window` of the configuration has a time for it. */
    isAutomatic: boolean;
    version: string;
   } | null;
   /** @description `true` if the gateway was installed as the Debian package, whose updates can be asked for here. Otherwise the person who installed it updates it. */
   isUpdatable: boolean;
   /** @description What runs now, else what ran last, also before a restart; `null` if nothing did. */
   task: components["schemas"]["UpdateTask"] | null;
   /** @description The version of the gateway that runs; `null` if it is part of a program without one. */
   version: string | null;
  };
  UpdateTask: {
   /** @description `null` while it runs. */
   endedAt: string | null;
   /** @description The version before; `null` if not known. */
   from: string | null;
   /** @description `true` if a time of the configuration began it, `false` if a person or a program did. */
   isScheduled: boolean;
   /**
    * @description `check`: a look for a later version. `install`: an update to it.
    * @enum {string}
    */
   kind: "check" | "install";
   /** @description How it ended, `null` while it runs. `newest`: there is no later version; `available`: there is one; `kept`: the later version stays; `rolled-back`: the version before is back, with its state; `skipped`: nothing was installed, for the reason given; `failed`: nothing was changed. */
   outcome: ("newest" | "available" | "kept" | "rolled-back" | "skipped" | "failed") | null;
   /** @description Why it ended so, in English, with what to do; `null` if nothing went wrong. */
   reason: string | null;
   /** Format: date-time */
   startedAt: string;
   /** @enum {string} */
   state: "running" | "done" | "failed";
   /**
    * @description How far it is, or was: `requested` of the program that updates the package; `prepared`: the later version is on disk, and the gateway is stopped while it is installed; `installed`: the later version runs, and is watched until it has proved itself.
    * @enum {string}
    */
   step: "requested" | "prepared" | "installed";
   /** @description The later version; `null` if none, or if not known. */
   to: string | null;
  };
  UploadedBackups: {
   /** @description The backups of this gateway there, newest first. */
   backups: {
    /** @description Size of the file, bytes; `null` if the server does not say. */
    bytes: number | null;
    /** @description Name of the file. */
    name: string;
   }[];
  };
  User: {
   /**
    * Format: date-time
    * @description Time at which the user was created.
    */
   createdAt: string;
   /** @description Id of the user, chosen by the client. */
   id: string;
   /** @description Vendors that the user linked. */
   linkedVendors: components["schemas"]["LinkedVendor"][];
   /**
    * @deprecated
    * @description Use the scopes of each device.
    */
   scopes: "all"[];
  };
  UserEntry: {
   /**
    * Format: date-time
    * @description Time at which the user was created.
    */
   createdAt: string;
   /** @description Id of the user, chosen by the client. */
   id: string;
   /**
    * @deprecated
    * @description Use the scopes of each device.
    */
   scopes: "all"[];
  };
  UserPage: {
   data: components["schemas"]["UserEntry"][];
   pagination: components["schemas"]["Pagination"];
  };
  /** @description An electric vehicle. */
  Vehicle: {
   capabilities: {
    chargeState: components["schemas"]["Capability"];
    information: components["schemas"]["Capability"];
    location: components["schemas"]["Capability"];
    odometer: components["schemas"]["Capability"];
    setMaxCurrent: components["schemas"]["Capability"];
    smartCharging: components["schemas"]["Capability"];
    startCharging: components["schemas"]["Capability"];
    stopCharging: components["schemas"]["Capability"];
   };
   chargeState: {
    /** @description Usable energy of the full battery, kWh; `null` if not known. */
    batteryCapacity: number | null;
    /** @description State of charge, %; `null` if not known. */
    batteryLevel: number | null;
    /** @description State of charge at which the vehicle stops charging by itself, %; `null` if not known. */
    chargeLimit: number | null;
    /** @description Charging power, kW; `null` while the vehicle does not charge, or if not known. */
    chargeRate: number | null;
    /** @description Time until `chargeLimit` is reached, minutes; `null` while the vehicle does not charge, or if not known. */
    chargeTimeRemaining: number | null;
    /** @description `null` if the state is not known. */
    isCharging: boolean | null;
    /** @description `true` if the vehicle reports it, or if `batteryLevel` has reached `chargeLimit`. */
    isFullyCharged: boolean | null;
    /** @description `null` if the state is not known. */
    isPluggedIn: boolean | null;
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
    /** @description Highest current that the vehicle draws, A per phase; `null` if not known. */
    maxCurrent: number | null;
    /** @description Charger that the vehicle is plugged into, as far as the gateway could find out; `null` if there is none; absent if not known. */
    pluggedInChargerId?: string | null;
    /**
     * @description `UNPLUGGED`: no vehicle is plugged in. `PLUGGED_IN:INITIALIZING`: charging is about to begin. `PLUGGED_IN:CHARGING`: power flows into the vehicle. `PLUGGED_IN:STOPPED`: charging is paused. `PLUGGED_IN:NO_POWER`: the charger has no power to offer. `PLUGGED_IN:FAULT`: an error prevents charging. `PLUGGED_IN:DISCHARGING`: power flows out of the vehicle. `UNKNOWN`: the device does not report its state. `PLUGGED_IN:COMPLETE`: `chargeLimit` is reached.
     * @enum {string}
     */
    powerDeliveryState: "UNKNOWN" | "UNPLUGGED" | "PLUGGED_IN:INITIALIZING" | "PLUGGED_IN:CHARGING" | "PLUGGED_IN:STOPPED" | "PLUGGED_IN:NO_POWER" | "PLUGGED_IN:FAULT" | "PLUGGED_IN:DISCHARGING" | "PLUGGED_IN:COMPLETE";
    /** @description Remaining range, km; `null` if not known. */
    range: number | null;
   };
   /**
    * Format: uuid
    * @description Id of the device in this API.
    */
   id: string;
   information: {
    /** @description Brand of the device; the vendor's name if the device does not report one. */
    brand: string;
    /** @description Name that the user gave to the device, else one derived from the name of the site. */
    displayName: string;
    /** @description Model of the device; `Unknown` if the device does not report it. */
    model: string;
    /** @description Vehicle identification number; `null` if not known. */
    vin: string | null;
    /** @description Model year; `null` if not known. */
    year: number | null;
   };
   /** @description `false` if the vehicle does not answer now, such as while it sleeps; `null` if not known. */
   isReachable: boolean | null;
   /**
    * Format: date-time
    * @description Time of the last successful communication, or of the linking.
    */
   lastSeen: string;
   location: components["schemas"]["AssetLocation"];
   /** @description Location that the device is at; `null` if none. */
   locationId: string | null;
   odometer: {
    /** @description Distance driven in total, km; `null` if not known. */
    distance: number | null;
    /** @description Time of the last reading of these values; `null` before the first one. */
    lastUpdated: string | null;
   };
   /** @description Permissions that the user granted for this device. */
   scopes: string[];
   smartChargingPolicy: components["schemas"]["VehicleSmartChargingPolicy"];
   /** @description User that the device belongs to. */
   userId: string;
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
  };
  VehiclePage: {
   data: components["schemas"]["Vehicle"][];
   pagination: components["schemas"]["Pagination"];
  };
  /** @description A pause of a vehicle's charging until energy is cheaper, with the costs with and without it. */
  VehicleSmartChargingPlan: {
   /** @description ISO 4217 code, such as `EUR`. */
   currency: string;
   /** @description End of the plan; `null` while it is carried out. */
   endedAt: string | null;
   /**
    * Format: date-time
    * @description Time at which the vehicle is expected to be charged.
    */
   estimatedFinishAt: string;
   /** @description Why the plan failed; `FINISHED_LATE` if it took over 15 % longer than planned; `null` without a failure. */
   failureCondition: ("STOP_FAILED" | "START_FAILED" | "FINISHED_LATE" | "CHARGE_INTERRUPTED" | "UNKNOWN") | null;
   /** @description How the plan ended; `null` while it is carried out. */
   finalState: ("PLAN:ENDED:FINISHED" | "PLAN:ENDED:UNPLUGGED" | "PLAN:ENDED:FAILED" | "PLAN:ENDED:DISABLED" | "PLAN:ENDED:DEADLINE_CHANGED") | null;
   /**
    * Format: uuid
    * @description Id of the plan.
    */
   id: string;
   /** @description Location that the device is at; `null` if none. */
   locationId: string | null;
   /** @description Cost of charging at once, in `currency`. */
   nonSmartCost: number;
   /** @description Cost of the plan, in `currency`; `null` until its prices are known. */
   smartCost: number | null;
   /** @description End of the pause; `null` while prices before the deadline are not known yet. */
   startAt: string | null;
   /** @description Time at which a reading first showed that charging had resumed, for any reason; `null` before. */
   startConfirmedAt: string | null;
   /**
    * Format: date-time
    * @description Start of the pause.
    */
   stopAt: string;
   /** @description Time at which a reading first showed that charging had stopped, for any reason; `null` before. */
   stopConfirmedAt: string | null;
   /** @description User that the vehicle belongs to. */
   userId: string;
   /** @description Id of the vehicle. */
   vehicleId: string;
   /** @description Vendor code of the vehicle. */
   vendor: string;
  };
  VehicleSmartChargingPolicy: {
   /** @description Time of day, HH:MM in the location's time zone, by which the vehicle is charged; `null` if none is set. */
   deadline: string | null;
   /** @description `true` while smart charging is switched on for the vehicle. */
   isEnabled: boolean;
   /** @description State of charge below which the vehicle charges at any price, %. */
   minimumChargeLimit: number;
  };
  VehicleSmartChargingPolicyUpdate: {
   /** @description Time of day, HH:MM in the location's time zone, by which the vehicle is charged; `null` removes it. */
   deadline?: string | null;
   /** @description Switches smart charging on or off. */
   isEnabled?: boolean;
   /** @description State of charge below which the vehicle charges at any price, %. */
   minimumChargeLimit?: number;
  };
  VehicleSmartChargingStatus: {
   /** @description Conditions for a plan; `null` unless `state` is `CONSIDERING`. */
   consideration: components["schemas"]["SmartChargingConsideration"] | null;
   /** @description The plan that is carried out or has just ended; `null` if there is none. */
   plan: components["schemas"]["VehicleSmartChargingPlan"] | null;
   /** @description The active smart override; `null` if there is none. */
   smartOverride: components["schemas"]["EmbeddedSmartOverride"] | null;
   /**
    * @description `CONSIDERING`: no plan yet; `consideration` shows what is missing. `PLAN:EXECUTING:…`: a plan is carried out. `PLAN:ENDED:…`: the last plan has ended. `UNKNOWN`: the vehicle cannot be controlled, or there are no prices.
    * @enum {string}
    */
   state: "DISABLED" | "CONSIDERING" | "FULLY_CHARGED" | "UNKNOWN" | "PLAN:EXECUTING:STOPPING" | "PLAN:EXECUTING:STOP_FAILED" | "PLAN:EXECUTING:STOPPED" | "PLAN:EXECUTING:STOPPED:AWAITING_PRICES" | "PLAN:EXECUTING:STARTING" | "PLAN:EXECUTING:START_FAILED" | "PLAN:EXECUTING:STARTED" | "PLAN:EXECUTING:CHARGE_INTERRUPTED" | "PLAN:EXECUTING:OVERRIDDEN" | "PLAN:ENDED:FINISHED" | "PLAN:ENDED:UNPLUGGED" | "PLAN:ENDED:FAILED" | "PLAN:ENDED:DISABLED" | "PLAN:ENDED:DEADLINE_CHANGED";
   /**
    * Format: date-time
    * @description Time of the last change of `state`.
    */
   stateChangedAt: string;
   /**
    * Format: date-time
    * @description Time of the last change of the status.
    */
   updatedAt: string;
   /** @description User that the vehicle belongs to. */
   userId: string;
   /** @description Id of the vehicle. */
   vehicleId: string;
   /** @description Vendor code of the vehicle. */
   vendor: string;
  };
  /** @description An account with a vendor's cloud. */
  VendorAccount: {
   /** @description Name of the account in the gateway. */
   account: string;
   /** @description Number of successful requests in the last hour. */
   answered: number;
   /** @description Number of devices that are connected through the account now. */
   connected: number;
   /** @description Name of the brand. */
   displayName: string;
   /** @description Number of failed requests in the last hour by kind of failure, such as `rate-limited`. */
   failed: {
    [key: string]: number;
   };
   /** @description `false` if the vendor refuses the login; nothing is requested until the user links the account again. */
   isSignedIn: boolean;
   /** @description Time of the vendor's last response; `null` if there was none since the gateway started. */
   lastAnswerAt: string | null;
   /** @description Time from which the quota allows the next poll; `null` if it allows one now. */
   nextPollAt: string | null;
   /** @description Limits of the vendor on the number of requests. */
   quotas: {
    /** @description Remaining count. */
    left: number;
    /** @description Remaining count for polls; the rest is reserved for commands and the login. */
    leftForPolls: number;
    /** @description Highest count that the vendor allows. */
    limit: number;
    /** @description What the vendor counts, such as `requests-a-day`. */
    name: string;
    /** @description Site or device that the quota is for; `null` for the whole account. */
    subject: string | null;
   }[];
   /** @description Connection on which the vendor sends changes; `null` if the vendor has none. */
   stream: {
    /** @description `false` while the stream is not connected; devices are then polled as often as without a stream. */
    isConnected: boolean;
    /** @description Time of the vendor's last message, heartbeats included; `null` if there was none since the gateway started. */
    lastMessageAt: string | null;
    /** @description Why the stream is not connected; `null` if it is, or during the first attempt. */
    problem: {
     /** @description Kind of failure of the last connection, as in `failed`. */
     kind: string;
     /** @description What is wrong, in English. */
     text: string;
    } | null;
    /** @description Time of the last change of `isConnected`; `null` if no device uses the stream. */
    since: string | null;
   } | null;
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
  };
  /** @description Health of a vendor for one kind of device. */
  VendorHealth: {
   /** @description Name of the brand. */
   displayName: string;
   /**
    * @description `READY`: linking works. `ELEVATED_ERROR_RATE`: linking may take several attempts. `OUTAGE`: linking is blocked.
    * @enum {string}
    */
   linkingStatus: "READY" | "ELEVATED_ERROR_RATE" | "OUTAGE";
   /** @description Name of the vendor's app or service that users sign in to. */
   portalName: string;
   /**
    * @description `READY`: devices answer. `ELEVATED_ERROR_RATE`: half of the devices or more do not answer. `OUTAGE`: no device answers.
    * @enum {string}
    */
   status: "READY" | "ELEVATED_ERROR_RATE" | "OUTAGE";
   /** @description Vendor code, such as `TESLA`. */
   vendor: string;
  };
  VendorStatistics: {
   production: {
    data: {
     /**
      * Format: date-time
      * @description Start of the bucket.
      */
     date: string;
     /** @description Energy produced, kWh. */
     value: number;
    }[];
    /** @constant */
    unit: "kWh";
   };
  };
  Webhook: {
   /** @description Version of the payloads; `null` for the version that the client is pinned to. */
   apiVersion: ("2023-04-01" | "2023-04-15" | "2023-05-01" | "2023-08-01" | "2024-01-01" | "2024-10-01") | null;
   /** @description The header that is added to each delivery; `null` if there is none. */
   authentication: {
    /** @description Name of the header that is added to each delivery. */
    headerName: string;
   } | null;
   /**
    * Format: date-time
    * @description Time at which the webhook was created.
    */
   createdAt: string;
   /** @description Names of the events that are delivered, with `*` and `local:*` as when they were set. */
   events: string[];
   /**
    * Format: uuid
    * @description Id of the webhook.
    */
   id: string;
   /** @description `false` after deliveries failed for a day; events are not kept for it then. */
   isActive: boolean;
   /**
    * Format: date-time
    * @description Time of the last acknowledged delivery, or of the creation before the first one.
    */
   lastSuccess: string;
   /** @description URL to which events are posted. */
   url: string;
  };
  WebhookCreate: {
   /**
    * @description Version of the payloads; `null` for the version that the client is pinned to.
    * @default null
    */
   apiVersion?: ("2023-04-01" | "2023-04-15" | "2023-05-01" | "2023-08-01" | "2024-01-01" | "2024-10-01") | null;
   /**
    * @description A header to add to each delivery; `null` for none.
    * @default null
    */
   authentication?: {
    /** @description Name of the header that is added to each delivery. */
    headerName: string;
    /** @description Value of the header; responses never contain it. */
    headerValue: string;
   } | null;
   /**
    * @description Names of the events to deliver; `*` for all but those that begin with `local:`, `local:*` for all of these. Heartbeats are always delivered.
    * @default [
    *       "*"
    *     ]
    */
   events?: string[];
   /** @description Secret with which deliveries are signed. The client generates it, with 128 random bits or more; responses never contain it. */
   secret: string;
   /**
    * Format: uri
    * @description URL to which events are posted; https.
    */
   url: string;
  };
  /** @description An attempt to deliver to a webhook. */
  WebhookDelivery: {
   /**
    * Format: date-time
    * @description Time of the attempt.
    */
   at: string;
   /**
    * @description `sent`, or why not. `untrusted`: the certificate is not valid. `rejected`: the receiver answered another status than 2xx. `broken`: the connection ended, or something else answers there.
    * @enum {string}
    */
   code: "sent" | "no-such-host" | "unreachable" | "untrusted" | "timeout" | "unauthorized" | "not-found" | "rate-limited" | "rejected" | "address-refused" | "broken";
   /** @description What happened, in English. */
   description: string;
   /** @description `true` if the receiver acknowledged it. */
   isSuccess: boolean;
   /** @description HTTP status; `null` if there was no response. */
   status: number | null;
  };
  WebhookOverview: {
   /** @description The latest attempts since the start, newest first, at most 10. */
   deliveries: components["schemas"]["WebhookDelivery"][];
   /** @description Failed attempts in a row. */
   failures: number;
   owner: {
    /** @description Id of the client or account that created it. */
    id: string;
    /** @description `true` if the caller created it, and can change it. */
    isOwn: boolean;
    /** @description Its name; `null` if it is gone. */
    name: string | null;
   };
   /** @description Time of the next attempt after a failure; `null` if none failed. */
   retryAt: string | null;
   webhook: components["schemas"]["Webhook"];
  };
  WebhookPage: {
   data: components["schemas"]["Webhook"][];
   pagination: components["schemas"]["Pagination"];
  };
  WebhookTest: {
   /** @description Result in English. */
   description: string;
   /** @description Response of the receiver; `null` if there was none. */
   response: {
    /** @description Beginning of the body as text. */
    body: string;
    /** @description HTTP status. */
    code: number;
    /** @description Headers, each as `name: value`. */
    headers: string[] | null;
   } | null;
   /**
    * @description `SUCCESS` if the receiver acknowledged the event.
    * @enum {string}
    */
   status: "SUCCESS" | "FAILURE";
  };
  WebhookUpdate: {
   /** @description Version of the payloads; `null` for the version that the client is pinned to. */
   apiVersion?: ("2023-04-01" | "2023-04-15" | "2023-05-01" | "2023-08-01" | "2024-01-01" | "2024-10-01") | null;
   /** @description A header to add to each delivery; `null` removes it. */
   authentication?: {
    /** @description Name of the header that is added to each delivery. */
    headerName: string;
    /** @description Value of the header; responses never contain it. */
    headerValue: string;
   } | null;
   /** @description Names of the events to deliver; `*` for all but those that begin with `local:`, `local:*` for all of these. Heartbeats are always delivered. */
   events?: string[];
   /** @description Secret with which deliveries are signed. The client generates it, with 128 random bits or more; responses never contain it. */
   secret?: string;
   /**
    * Format: uri
    * @description URL to which events are posted; https.
    */
   url?: string;
  };
  WebOriginSettings: {
   /**
    * @description Origins whose web pages may use the API, such as https://app.example.com; none by default.
    * @default []
    */
   corsOrigins?: string[];
  };
 };
 responses: never;
 parameters: never;
 requestBodies: never;
 headers: never;
 pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
 getOAuthMetadata: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description How it is done here. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["OAuthMetadata"];
    };
   };
  };
 };
 relinkAsset: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    assetId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["RelinkRequest"];
   };
  };
  responses: {
   /** @description A session of 24 hours, to be completed once. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LinkSession"];
    };
   };
  };
 };
 listBatteries: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of batteries. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["BatteryPage"];
    };
   };
  };
 };
 getBattery: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    batteryId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The battery. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Battery"];
    };
   };
  };
 };
 setBatteryOperationMode: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    batteryId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["OperationModeRequest"];
   };
  };
  responses: {
   /** @description The action, pending; or the one that is pending for the same setting. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["BatteryAction"];
    };
   };
  };
 };
 refreshBattery: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    batteryId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The device is read soon. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getBatteryAction: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    actionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The action. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["BatteryAction"];
    };
   };
  };
 };
 cancelBatteryAction: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    actionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The action, cancelled. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["BatteryAction"];
    };
   };
  };
 };
 listChargers: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of chargers. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerPage"];
    };
   };
  };
 };
 getCharger: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The charger. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Charger"];
    };
   };
  };
 };
 updateCharger: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PlaceRequest"];
   };
  };
  responses: {
   /** @description The charger, at the location. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Charger"];
    };
   };
  };
 };
 setChargerChargeRateLimit: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ChargeRateLimitRequest"];
   };
  };
  responses: {
   /** @description The action, pending; or the one that is pending for the same setting. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerAction"];
    };
   };
  };
 };
 setChargerCharging: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ChargingRequest"];
   };
  };
  responses: {
   /** @description The action, pending; or the one that is pending for the same setting. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerAction"];
    };
   };
  };
 };
 createChargerExternalStart: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The override: a new one, or the one that is active. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 endChargerExternalStart: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The override, ended. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 setChargerMaxCurrent: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["MaxCurrentRequest"];
   };
  };
  responses: {
   /** @description The action, pending; or the one that is pending for the same setting. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerAction"];
    };
   };
  };
 };
 refreshCharger: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The device is read soon. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getChargerSmartChargingPolicy: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The policy. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerSmartChargingPolicy"];
    };
   };
  };
 };
 setChargerSmartChargingPolicy: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ChargerSmartChargingPolicyUpdate"];
   };
  };
  responses: {
   /** @description The policy. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerSmartChargingPolicy"];
    };
   };
  };
 };
 getChargerSmartChargingStatus: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The status. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerSmartChargingStatus"];
    };
   };
  };
 };
 getChargerSmartOverride: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The active override. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 createChargerSmartOverride: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The override: a new one, or the one that is active. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 endChargerSmartOverride: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The override, ended. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 getChargerSolarPolicy: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The policy. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SolarPolicy"];
    };
   };
  };
 };
 setChargerSolarPolicy: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    chargerId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SolarPolicyUpdate"];
   };
  };
  responses: {
   /** @description The policy. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SolarPolicy"];
    };
   };
  };
 };
 getChargerAction: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    actionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The action. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerAction"];
    };
   };
  };
 };
 cancelChargerAction: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    actionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The action, cancelled. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerAction"];
    };
   };
  };
 };
 listFlexEvents: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of events. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["FlexEventPage"];
    };
   };
  };
 };
 createFlexEvent: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["NewFlexEvent"];
   };
  };
  responses: {
   /** @description The event. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["FlexEvent"];
    };
   };
  };
 };
 getFlexEvent: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    flexEventId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The event. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["FlexEvent"];
    };
   };
  };
 };
 cancelFlexEvent: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    flexEventId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The event, cancelled. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["FlexEvent"];
    };
   };
  };
 };
 getBatteryHealth: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The vendors that this gateway reaches. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorHealth"][];
    };
   };
  };
 };
 getChargerHealth: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The vendors that this gateway reaches. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorHealth"][];
    };
   };
  };
 };
 getEnergyHealth: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description What is missing, if anything is. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergyHealth"];
    };
   };
  };
 };
 getHvacHealth: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The vendors that this gateway reaches. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorHealth"][];
    };
   };
  };
 };
 getInverterCategoryHealth: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The vendors that this gateway reaches. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorHealth"][];
    };
   };
  };
 };
 getInverterHealth: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The vendors that this gateway reaches. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorHealth"][];
    };
   };
  };
 };
 getMeterHealth: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The vendors that this gateway reaches. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorHealth"][];
    };
   };
  };
 };
 getReadiness: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description All is nominal. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getVehicleHealth: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The vendors that this gateway reaches. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorHealth"][];
    };
   };
  };
 };
 listHemSystems: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of energy systems. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HemSystemPage"];
    };
   };
  };
 };
 getHemSystem: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hemSystemId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The energy system. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HemSystem"];
    };
   };
  };
 };
 getHemStatistics: {
  parameters: {
   query: {
    /** @description YYYY-MM-DD for a day, YYYY-MM for a month, in the system's time zone. */
    interval: string;
   };
   header?: never;
   path: {
    hemSystemId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The series that the system's devices can tell. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HemStatistics"];
    };
   };
  };
 };
 listHvacs: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of hvacs. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HvacPage"];
    };
   };
  };
 };
 getHvac: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hvacId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The hvac. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Hvac"];
    };
   };
  };
 };
 updateHvac: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hvacId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PlaceRequest"];
   };
  };
  responses: {
   /** @description The hvac, at the location. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Hvac"];
    };
   };
  };
 };
 setHvacFollowSchedule: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hvacId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The action, pending; or the one that is pending for the same setting. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HvacAction"];
    };
   };
  };
 };
 setHvacPermanentHold: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hvacId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PermanentHoldRequest"];
   };
  };
  responses: {
   /** @description The action, pending; or the one that is pending for the same setting. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HvacAction"];
    };
   };
  };
 };
 refreshHvac: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hvacId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The device is read soon. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getHvacSmartPolicy: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hvacId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The policy. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HvacSmartPolicy"];
    };
   };
  };
 };
 setHvacSmartPolicy: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hvacId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["HvacSmartPolicyUpdate"];
   };
  };
  responses: {
   /** @description The policy. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HvacSmartPolicy"];
    };
   };
  };
 };
 getHvacSmartStatus: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hvacId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The status. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HvacSmartStatus"];
    };
   };
  };
 };
 getHvacAction: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    actionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The action. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HvacAction"];
    };
   };
  };
 };
 cancelHvacAction: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    actionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The action, cancelled. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HvacAction"];
    };
   };
  };
 };
 listIntegrations: {
  parameters: {
   query?: {
    /** @description Kinds of device, separated by commas; default all. */
    assetTypes?: string;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description One row a vendor. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Integration"][];
    };
   };
  };
 };
 listInterventions: {
  parameters: {
   query?: {
    /** @description Language of the texts; default and fallback: en-US. */
    language?: "en-US" | "en-GB" | "de-DE" | "fr-FR" | "es-ES" | "ja-JP" | "pt-PT" | "lv-LV" | "lt-LT" | "nl-NL" | "nl-BE" | "nb-NO" | "pl-PL" | "sv-SE" | "da-DK" | "fi-FI" | "ro-RO";
    /** @description Vendor code, as in /health. */
    vendor?: string;
    vendorType?: "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description All that fit. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Intervention"][];
    };
   };
  };
 };
 getIntervention: {
  parameters: {
   query?: {
    /** @description Language of the texts; default and fallback: en-US. */
    language?: "en-US" | "en-GB" | "de-DE" | "fr-FR" | "es-ES" | "ja-JP" | "pt-PT" | "lv-LV" | "lt-LT" | "nl-NL" | "nl-BE" | "nb-NO" | "pl-PL" | "sv-SE" | "da-DK" | "fi-FI" | "ro-RO";
    /** @description Vendor code, as in /health. */
    vendor?: string;
    vendorType?: "battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle";
   };
   header?: never;
   path: {
    interventionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The intervention. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Intervention"];
    };
   };
  };
 };
 listInverters: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of inverters. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["InverterPage"];
    };
   };
  };
 };
 getInverter: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    inverterId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The inverter. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Inverter"];
    };
   };
  };
 };
 refreshInverter: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    inverterId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The device is read soon. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getInverterStatistics: {
  parameters: {
   query: {
    /** @description Absent: the month, by day. */
    day?: number;
    month: number;
    year: number;
   };
   header?: never;
   path: {
    inverterId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The data are final. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["InverterStatistics"];
    };
   };
   /** @description Some of the data may still change. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["PendingInverterStatistics"];
    };
   };
  };
 };
 getInverterVendorStatistics: {
  parameters: {
   query: {
    /** @description To this instant, exclusive; absent: now. */
    endDate?: string;
    resolution: "HOUR" | "DAY";
    /** @description UTC; the start of an hour. */
    startDate: string;
   };
   header?: never;
   path: {
    inverterId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The buckets about which something is known. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorStatistics"];
    };
   };
  };
 };
 listAudit: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of entries. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["AuditPage"];
    };
   };
  };
 };
 listBackups: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The backups. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Backups"];
    };
   };
  };
 };
 createBackup: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": {
     /** @description Encrypts the backup, at least 12 characters; default `backup.passphrase` of the configuration. It is kept nowhere. */
     passphrase?: string;
    };
   };
  };
  responses: {
   /** @description The task, which runs. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["BackupTask"];
    };
   };
  };
 };
 downloadBackup: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description Name of the file, as the list has it. */
    name: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The file. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/octet-stream": string;
    };
   };
  };
 };
 removeBackup: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description Name of the file, as the list has it. */
    name: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description It is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 verifyBackup: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description Name of the file, as the list has it. */
    name: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": {
     /** @description The one that the backup was made with; default `backup.passphrase` of the configuration. */
     passphrase?: string;
    };
   };
  };
  responses: {
   /** @description The task, which runs. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["BackupTask"];
    };
   };
  };
 };
 listUploadedBackups: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The backups there. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["UploadedBackups"];
    };
   };
  };
 };
 listInstallationFindings: {
  parameters: {
   query?: {
    /** @description Language of `measured`; default and fallback: en-US. */
    language?: "en-US" | "de-DE" | "nl-NL" | "fr-FR" | "sv-SE";
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description All findings. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["InstallationFinding"][];
    };
   };
  };
 };
 confirmInstallationFinding: {
  parameters: {
   query?: {
    /** @description Language of `measured`; default and fallback: en-US. */
    language?: "en-US" | "de-DE" | "nl-NL" | "fr-FR" | "sv-SE";
   };
   header?: never;
   path: {
    findingId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The finding. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["InstallationFinding"];
    };
   };
  };
 };
 dismissInstallationFinding: {
  parameters: {
   query?: {
    /** @description Language of `measured`; default and fallback: en-US. */
    language?: "en-US" | "de-DE" | "nl-NL" | "fr-FR" | "sv-SE";
   };
   header?: never;
   path: {
    findingId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The finding. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["InstallationFinding"];
    };
   };
  };
 };
 getClaim: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description Whether there is an owner. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ClaimState"];
    };
   };
  };
 };
 claim: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["Claim"];
   };
  };
  responses: {
   /** @description The session. */
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Session"];
    };
   };
  };
 };
 listClients: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The clients. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ClientEntry"][];
    };
   };
  };
 };
 createClient: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ClientCreate"];
   };
  };
  responses: {
   /** @description The credentials. */
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["NewClient"];
    };
   };
  };
 };
 deleteClient: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    clientId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The client is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 updateClient: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    clientId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ClientUpdate"];
   };
  };
  responses: {
   /** @description The client. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ClientEntry"];
    };
   };
  };
 };
 getCloudLink: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The link. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["CloudLink"];
    };
   };
  };
 };
 cutCloudLink: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The link is cut. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getConfiguration: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The configuration without secrets. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Configuration"];
    };
   };
  };
 };
 setBackupSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["BackupSettings"];
   };
  };
  responses: {
   /** @description It is stored. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 removeBackupSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description They are gone. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 setForecastSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ForecastSettings"];
   };
  };
  responses: {
   /** @description It is stored. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 removeForecastSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description They are gone. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 setWebOriginSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["WebOriginSettings"];
   };
  };
  responses: {
   /** @description It is stored. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 removeWebOriginSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description They are gone. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 setMqttSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["MqttSettings"];
   };
  };
  responses: {
   /** @description It is stored. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 removeMqttSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description They are gone. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 setPricingSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PricingSettings"];
   };
  };
  responses: {
   /** @description It is stored. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 removePricingSettings: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description They are gone. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ConfigurationAccepted"];
    };
   };
  };
 };
 deleteCorrections: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    deviceId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description It is read as it tells. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 listDevices: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The devices. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Device"][];
    };
   };
  };
 };
 getDevice: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    deviceId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The device. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["DeviceDetails"];
    };
   };
  };
 };
 removeDevice: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    deviceId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description It is removed. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 renameDevice: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    deviceId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["DeviceChange"];
   };
  };
  responses: {
   /** @description It is renamed. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getDiagnostics: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The file. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Diagnostics"];
    };
   };
  };
 };
 getNetworkSearch: {
  parameters: {
   query?: {
    /** @description Language of labels, hints and proofs, such as `de-DE`; default and fallback: en-US. */
    language?: string;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description What was found, and how the search goes. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["NetworkSearch"];
    };
   };
  };
 };
 beginNetworkSearch: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["NetworkSearchBody"];
   };
  };
  responses: {
   /** @description The search has begun. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["NetworkSearch"];
    };
   };
  };
 };
 adoptFoundDevice: {
  parameters: {
   query?: {
    /** @description Language of labels, hints and proofs, such as `de-DE`; default and fallback: en-US. */
    language?: string;
   };
   header?: never;
   path: {
    /** @description The `id` of the found device. */
    foundId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["AdoptBody"];
   };
  };
  responses: {
   /** @description The device is here now; its assets follow when it has answered. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["AdoptedDevice"];
    };
   };
  };
 };
 getFoundDeviceSetup: {
  parameters: {
   query?: {
    /** @description Language of labels, hints and proofs, such as `de-DE`; default and fallback: en-US. */
    language?: string;
   };
   header?: never;
   path: {
    /** @description The `id` of the found device. */
    foundId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description What may be said, and what has to be. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["FoundDeviceSetup"];
    };
   };
  };
 };
 getEnergy: {
  parameters: {
   query?: {
    /** @description Language of the reasons; default and fallback: en-US. */
    language?: "en-US" | "de-DE" | "nl-NL" | "fr-FR" | "sv-SE";
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The house as the energy manager sees it. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergyState"];
    };
   };
  };
 };
 getEnergyBatteryUse: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description What the house battery may do. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergyBatteryUse"];
    };
   };
  };
 };
 setEnergyBatteryUse: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["EnergyBatteryUseUpdate"];
   };
  };
  responses: {
   /** @description What the house battery may do. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergyBatteryUse"];
    };
   };
  };
 };
 getEnergyDevice: {
  parameters: {
   query?: {
    /** @description Language of the reasons; default and fallback: en-US. */
    language?: "en-US" | "de-DE" | "nl-NL" | "fr-FR" | "sv-SE";
   };
   header?: never;
   path: {
    deviceId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The device. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergyDeviceState"];
    };
   };
  };
 };
 setEnergyDevice: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    deviceId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["EnergyPolicyUpdate"];
   };
  };
  responses: {
   /** @description The device. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergyDeviceState"];
    };
   };
  };
 };
 deleteEnergyDevice: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    deviceId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The device has no mode any more. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 listLimitations: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description `csv`: all limitations as a file, without pages. */
    format?: "json" | "csv";
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of limitations, or all as CSV. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LimitationPage"];
     "text/csv": string;
    };
   };
  };
 };
 getEnergyLimits: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description What applies. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergyLimits"];
    };
   };
  };
 };
 setEnergyLimits: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["LimitsUpdate"];
   };
  };
  responses: {
   /** @description What applies. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergyLimits"];
    };
   };
  };
 };
 deleteEnergyLimits: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description They no longer apply. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 sendLimitHeartbeat: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description Noted. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getEnergyPlan: {
  parameters: {
   query?: {
    /** @description Language of the reasons; default and fallback: en-US. */
    language?: "en-US" | "de-DE" | "nl-NL" | "fr-FR" | "sv-SE";
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The plan. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergyPlan"];
    };
   };
  };
 };
 getEnergySavings: {
  parameters: {
   query?: {
    /** @description The period that holds it is the first; default 30 days before `to`. */
    from?: string;
    /** @description Days, or months, in the time zone of the site. */
    resolution?: "DAY" | "MONTH";
    /** @description Default now. The range may be 92 days long, or 366 by month. */
    to?: string;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The periods, oldest first. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergySavings"];
    };
   };
  };
 };
 simulateEnergy: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["EnergySimulationRequest"];
   };
  };
  responses: {
   /** @description The costs as they were and as they would have been. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["EnergySimulation"];
    };
   };
  };
 };
 streamEvents: {
  parameters: {
   query?: {
    /** @description Kinds of asset, separated by commas; all when absent. */
    kind?: string;
    /** @description Only what belongs to this user. */
    userId?: string;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The stream. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "text/event-stream": string;
    };
   };
  };
 };
 exportHistory: {
  parameters: {
   query: {
    /** @description Ids of devices, separated by commas; default all. */
    devices?: string;
    format?: "csv" | "parquet";
    /** @description Start, such as 2026-03-29 (a day begins at midnight in `timezone`) or 2026-03-29T12:00:00+02:00. */
    from: string;
    /** @description `RAW`: each reading as it was taken. Otherwise energy by bucket, from full minutes to months of `timezone`. Kept: raw readings and minutes 400 days, quarter hours three years, the rest ten years. */
    resolution?: "RAW" | "MINUTE" | "QUARTER_HOUR" | "HOUR" | "DAY" | "MONTH";
    /** @description IANA zone of the times in a CSV file, of days and of months; default that of the house. */
    timezone?: string;
    /** @description End, exclusive, such as 2026-03-29 (a day begins at midnight in `timezone`) or 2026-03-29T12:00:00+02:00; default now. */
    to?: string;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The file, sent as it is made. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/vnd.apache.parquet": string;
     "text/csv": string;
    };
   };
  };
 };
 getForecast: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The forecast as it is known. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Forecast"];
    };
   };
  };
 };
 getHemYear: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    hemSystemId: string;
    year: number;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The twelve months. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HemYear"];
    };
   };
  };
 };
 getHttps: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description https as it is now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HttpsView"];
    };
   };
  };
 };
 downloadAuthority: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The certificate, DER. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/x-x509-ca-cert": string;
    };
   };
  };
 };
 listLogLines: {
  parameters: {
   query?: {
    /** @description Only lines about this device of the configuration. */
    deviceId?: string;
    /** @description Lines of this level and of graver ones. */
    level?: "error" | "warn" | "info" | "debug";
    /** @description Only lines that contain this, in any case of letters. */
    text?: string;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The lines. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LogLine"][];
    };
   };
  };
 };
 getMailServer: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The mail server, without its password. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["MailServer"];
    };
   };
  };
 };
 setMailServer: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["MailServerSettings"];
   };
  };
  responses: {
   /** @description The mail server. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["MailServer"];
    };
   };
  };
 };
 removeMailServer: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description It is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getModbusProxy: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The proxy as it is now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ModbusProxyState"];
    };
   };
  };
 };
 listNotificationChannels: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The channels: those of the file, then those set here. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["NotificationChannel"][];
    };
   };
  };
 };
 setNotificationChannel: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description Name of the channel: lower-case letters, digits and dashes. Keep it for good. */
    channelId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["NotificationChannelSettings"];
   };
  };
  responses: {
   /** @description The channel. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["NotificationChannel"];
    };
   };
  };
 };
 removeNotificationChannel: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description Name of the channel: lower-case letters, digits and dashes. Keep it for good. */
    channelId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description It is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 testNotificationChannel: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description Name of the channel. */
    channelId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description What became of it. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["NotificationDelivery"];
    };
   };
  };
 };
 listPeople: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The people. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Person"][];
    };
   };
  };
 };
 createPerson: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PersonCreate"];
   };
  };
  responses: {
   /** @description The account. */
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["NewPerson"];
    };
   };
  };
 };
 deletePerson: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    personId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The account is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 updatePerson: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    personId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PersonUpdate"];
   };
  };
  responses: {
   /** @description The account. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Person"];
    };
   };
  };
 };
 listPasskeys: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    personId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The passkeys. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Passkey"][];
    };
   };
  };
 };
 createPasskey: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    personId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PasskeyCreate"];
   };
  };
  responses: {
   /** @description The passkey. */
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Passkey"];
    };
   };
  };
 };
 deletePasskey: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    passkeyId: string;
    personId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The passkey is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 beginPasskey: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    personId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PasskeyBegin"];
   };
  };
  responses: {
   /** @description What the browser is asked with. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["PasskeyCreationOptions"];
    };
   };
  };
 };
 getMarketPrices: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The prices as they are known. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["MarketPrices"];
    };
   };
  };
 };
 getSession: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The session. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Session"];
    };
   };
  };
 };
 signIn: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SignIn"];
   };
  };
  responses: {
   /** @description The session. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Session"];
    };
   };
  };
 };
 signOut: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The session has ended. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 signInWithPasskey: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PasskeySignIn"];
   };
  };
  responses: {
   /** @description The session. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Session"];
    };
   };
  };
 };
 beginPasskeySignIn: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description What the browser is asked with. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["PasskeyRequestOptions"];
    };
   };
  };
 };
 listSessions: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The open sessions. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SessionEntry"][];
    };
   };
  };
 };
 deleteSession: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    sessionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The session has ended. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getSetup: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The steps as they are now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Setup"];
    };
   };
  };
 };
 handOverHouse: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["HandOverChange"];
   };
  };
  responses: {
   /** @description The steps as they are now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Setup"];
    };
   };
  };
 };
 getSetupImport: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description What runs, or ran last. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SetupImport"];
    };
   };
  };
 };
 beginSetupImport: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SetupImportBody"];
   };
  };
  responses: {
   /** @description The import, which runs. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SetupImportTask"];
    };
   };
  };
 };
 stopSetupImport: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description It ends. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 previewSetupImport: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SetupImportBody"];
   };
  };
  responses: {
   /** @description The mistakes, or else the steps. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SetupImportPreview"];
    };
   };
  };
 };
 getLoadCheck: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The check, and the results. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LoadCheck"];
    };
   };
  };
 };
 startLoadCheck: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["LoadCheckStart"];
   };
  };
  responses: {
   /** @description The check, and the results. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LoadCheck"];
    };
   };
  };
 };
 stopLoadCheck: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The check, and the results. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LoadCheck"];
    };
   };
  };
 };
 getSetupReport: {
  parameters: {
   query?: {
    /** @description Language of `measured`; default and fallback: en-US. */
    language?: "en-US" | "de-DE" | "nl-NL" | "fr-FR" | "sv-SE";
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The report, as of now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SetupReport"];
    };
   };
  };
 };
 skipSetupStep: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    step: "site" | "devices" | "checks" | "control-tests" | "prices" | "people";
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SetupSkip"];
   };
  };
  responses: {
   /** @description The steps as they are now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Setup"];
    };
   };
  };
 };
 listControlTests: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The devices. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["TestableDevice"][];
    };
   };
  };
 };
 startControlTest: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    assetId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The test, which runs. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ControlTest"];
    };
   };
  };
 };
 stopControlTest: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    assetId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description It ends. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getSite: {
  parameters: {
   query?: {
    /** @description Language of the warnings; default and fallback: en-US. */
    language?: "en-US" | "de-DE" | "nl-NL" | "fr-FR" | "sv-SE";
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The settings in force. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Site"];
    };
   };
  };
 };
 replaceSite: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SiteConnection"];
   };
  };
  responses: {
   /** @description The settings in force. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Site"];
    };
   };
  };
 };
 updateSite: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["SiteConnectionChange"];
   };
  };
  responses: {
   /** @description The settings in force. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Site"];
    };
   };
  };
 };
 getUpdate: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The versions, and what goes on. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Update"];
    };
   };
  };
 };
 checkForUpdate: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The task. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["UpdateTask"];
    };
   };
  };
 };
 installUpdate: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The task. */
   202: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["UpdateTask"];
    };
   };
  };
 };
 listVendorAccounts: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The accounts, by vendor. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorAccount"][];
    };
   };
  };
 };
 listAllWebhooks: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The webhooks. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["WebhookOverview"][];
    };
   };
  };
 };
 listLocations: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of locations. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LocationPage"];
    };
   };
  };
 };
 getLocation: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    locationId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The location. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Location"];
    };
   };
  };
 };
 updateLocation: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    locationId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["LocationChanges"];
   };
  };
  responses: {
   /** @description The location as it is now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Location"];
    };
   };
  };
 };
 deleteLocation: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    locationId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The location that was deleted. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Location"];
    };
   };
  };
 };
 getPowerLimit: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    locationId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The limit, and what flows now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["PowerLimit"];
    };
   };
  };
 };
 setPowerLimit: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    locationId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["PowerLimitUpdate"];
   };
  };
  responses: {
   /** @description The limit, and what flows now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["PowerLimit"];
    };
   };
  };
 };
 deletePowerLimit: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    locationId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description What was set over the API is removed. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getLocationTariff: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    locationId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The intervals. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["TariffEntry"][];
    };
   };
  };
 };
 setLocationTariff: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    locationId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["TariffLink"];
   };
  };
  responses: {
   /** @description The link is stored. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 deleteLocationTariff: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    locationId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The location has no tariff. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 listMeters: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of meters. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["MeterPage"];
    };
   };
  };
 };
 getMeter: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    meterId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The meter. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Meter"];
    };
   };
  };
 };
 refreshMeter: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    meterId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The device is read soon. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 createToken: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
   };
  };
  responses: {
   /** @description A new token. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["AccessToken"];
    };
   };
  };
 };
 getSchedule: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    scheduleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The schedule. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargeSchedule"] | components["schemas"]["TemperatureSchedule"];
    };
   };
  };
 };
 updateSchedule: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    scheduleId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ChargeScheduleChanges"] | components["schemas"]["TemperatureScheduleChanges"];
   };
  };
  responses: {
   /** @description The schedule as it is now. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargeSchedule"] | components["schemas"]["TemperatureSchedule"];
    };
   };
  };
 };
 deleteSchedule: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    scheduleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The schedule is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getScheduleStatus: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    scheduleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The status. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargeScheduleStatus"] | components["schemas"]["TemperatureScheduleStatus"];
    };
   };
  };
 };
 listTariffs: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of ids. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["TariffPage"];
    };
   };
  };
 };
 getTariff: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    tariffId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The rates. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Tariff"];
    };
   };
  };
 };
 putTariff: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description Id of the tariff, chosen by the client: 1 to 36 letters, digits, `_` or `-`. */
    tariffId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["Tariff"];
   };
  };
  responses: {
   /** @description The tariff is stored. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 listUsers: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of users. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["UserPage"];
    };
   };
  };
 };
 getUser: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The user. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["User"];
    };
   };
  };
 };
 deleteUser: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The user is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 deleteUserAuthorization: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description Nothing of the user is reached any more. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 listUserBatteries: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of the user's batteries. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["BatteryPage"];
    };
   };
  };
 };
 listUserChargers: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of the user's chargers. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerPage"];
    };
   };
  };
 };
 listUserHemSystems: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of the user's energy systems. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HemSystemPage"];
    };
   };
  };
 };
 listUserHvacs: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of the user's hvacs. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["HvacPage"];
    };
   };
  };
 };
 listUserInverters: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of the user's inverters. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["InverterPage"];
    };
   };
  };
 };
 linkUser: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["LinkRequest"];
   };
  };
  responses: {
   /** @description A session of 24 hours, to be completed once. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LinkSession"];
    };
   };
  };
 };
 listUserLocations: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of the user's locations. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["LocationPage"];
    };
   };
  };
 };
 createLocation: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["NewLocation"];
   };
  };
  responses: {
   /** @description The location. */
   201: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Location"];
    };
   };
  };
 };
 listUserMeters: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of the user's meters. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["MeterPage"];
    };
   };
  };
 };
 listUserSchedules: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of the user's schedules. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SchedulePage"];
    };
   };
  };
 };
 createSchedule: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["NewChargeSchedule"] | components["schemas"]["NewTemperatureSchedule"];
   };
  };
  responses: {
   /** @description The schedule. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargeSchedule"] | components["schemas"]["TemperatureSchedule"];
    };
   };
  };
 };
 getChargingStatistics: {
  parameters: {
   query: {
    /** @description To this instant, exclusive; absent: now. */
    endDate?: string;
    /** @description Only this asset; it must be of the kind that `type` names. */
    id?: string;
    /** @description Only assets that are at this location. */
    locationId?: string;
    resolution?: "QUARTER_HOUR" | "HALF_HOUR" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
    /** @description From this instant, inclusive. */
    startDate: string;
    type: "charger" | "vehicle" | "hvac";
    /** @description Hours ahead of UTC of the clock that days and longer buckets follow; absent: UTC. Not for shorter ones. */
    utcOffset?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The buckets, oldest first. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargingStatistics"][];
    };
   };
  };
 };
 getChargingSessions: {
  parameters: {
   query: {
    /** @description To this instant, exclusive; absent: now. */
    endDate?: string;
    /** @description Only this asset; it must be of the kind that `type` names. */
    id?: string;
    /** @description Only assets that are at this location. */
    locationId?: string;
    /** @description From this instant, inclusive. */
    startDate: string;
    type: "charger" | "vehicle" | "hvac";
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The sessions, oldest first. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargingSession"][];
    };
   };
  };
 };
 getProductionStatistics: {
  parameters: {
   query: {
    /** @description To this instant, exclusive; absent: now. */
    endDate?: string;
    /** @description Only this asset; it must be of the kind that `type` names. */
    id?: string;
    /** @description Only assets that are at this location. */
    locationId?: string;
    resolution?: "QUARTER_HOUR" | "HALF_HOUR" | "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";
    /** @description From this instant, inclusive. */
    startDate: string;
    type?: "inverter";
    /** @description Hours ahead of UTC of the clock that days and longer buckets follow; absent: UTC. Not for shorter ones. */
    utcOffset?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The buckets, oldest first. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ProductionStatistics"][];
    };
   };
  };
 };
 listUserVehicles: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of the user's vehicles. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VehiclePage"];
    };
   };
  };
 };
 getUserVendorStatistics: {
  parameters: {
   query: {
    /** @description To this instant, exclusive; absent: now. */
    endDate?: string;
    inverterId: string;
    resolution: "HOUR" | "DAY";
    /** @description UTC; the start of an hour. */
    startDate: string;
   };
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The buckets about which something is known. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VendorStatistics"];
    };
   };
  };
 };
 unlinkVendor: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
    /** @description Vendor code, as in /health. */
    vendor: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The devices are gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 unlinkVendorType: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description The user's id, as the client or the configuration chose it. */
    userId: string;
    /** @description Vendor code, as in /health. */
    vendor: string;
    /** @description vehicle, charger, hvac, inverter, battery or meter. */
    vendorType: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The devices are gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 listVehicles: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of vehicles. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VehiclePage"];
    };
   };
  };
 };
 getVehicle: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The vehicle. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Vehicle"];
    };
   };
  };
 };
 setVehicleCharging: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["ChargingRequest"];
   };
  };
  responses: {
   /** @description The action, pending; or the one that is pending for the same setting. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerAction"];
    };
   };
  };
 };
 createVehicleExternalStart: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The override: a new one, or the one that is active. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 endVehicleExternalStart: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The override, ended. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 setVehicleMaxCurrent: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["MaxCurrentRequest"];
   };
  };
  responses: {
   /** @description The action, pending; or the one that is pending for the same setting. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerAction"];
    };
   };
  };
 };
 refreshVehicle: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The device is read soon. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 getVehicleSmartChargingPlan: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    /** @description The id of a plan, or `latest`. */
    planId: string;
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The plan. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VehicleSmartChargingPlan"];
    };
   };
  };
 };
 getVehicleSmartChargingPolicy: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The policy. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VehicleSmartChargingPolicy"];
    };
   };
  };
 };
 setVehicleSmartChargingPolicy: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["VehicleSmartChargingPolicyUpdate"];
   };
  };
  responses: {
   /** @description The policy. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VehicleSmartChargingPolicy"];
    };
   };
  };
 };
 getVehicleSmartChargingStatus: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The status. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["VehicleSmartChargingStatus"];
    };
   };
  };
 };
 getVehicleSmartOverride: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The active override. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 createVehicleSmartOverride: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The override: a new one, or the one that is active. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 endVehicleSmartOverride: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    vehicleId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The override, ended. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["SmartOverride"];
    };
   };
  };
 };
 getVehicleAction: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    actionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The action. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerAction"];
    };
   };
  };
 };
 cancelVehicleAction: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    actionId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The action, cancelled. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["ChargerAction"];
    };
   };
  };
 };
 listWebhooks: {
  parameters: {
   query?: {
    /** @description Cursor of the next page, from `pagination.after`. Cannot be combined with `before`. */
    after?: string;
    /** @description Cursor of the previous page, from `pagination.before`. Cannot be combined with `after`. */
    before?: string;
    /** @description Entries per page, 1 to 1000; a larger number is lowered to 1000. */
    pageSize?: number;
   };
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description A page of webhooks. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["WebhookPage"];
    };
   };
  };
 };
 createWebhook: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["WebhookCreate"];
   };
  };
  responses: {
   /** @description The webhook. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Webhook"];
    };
   };
  };
 };
 getWebhook: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    webhookId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description The webhook. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Webhook"];
    };
   };
  };
 };
 deleteWebhook: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    webhookId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description It is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 updateWebhook: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    webhookId: string;
   };
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["WebhookUpdate"];
   };
  };
  responses: {
   /** @description The webhook. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["Webhook"];
    };
   };
  };
 };
 testWebhook: {
  parameters: {
   query?: never;
   header?: never;
   path: {
    webhookId: string;
   };
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description How the delivery went. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["WebhookTest"];
    };
   };
  };
 };
 setFirehose: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["FirehoseTarget"];
   };
  };
  responses: {
   /** @description It is set. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 deleteFirehose: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody: {
   content: {
    "application/json": components["schemas"]["FirehoseAddress"];
   };
  };
  responses: {
   /** @description It is gone. */
   204: {
    headers: {
     [name: string]: unknown;
    };
    content?: never;
   };
  };
 };
 testFirehose: {
  parameters: {
   query?: never;
   header?: never;
   path?: never;
   cookie?: never;
  };
  requestBody?: never;
  responses: {
   /** @description How the delivery went. */
   200: {
    headers: {
     [name: string]: unknown;
    };
    content: {
     "application/json": components["schemas"]["WebhookTest"];
    };
   };
  };
 };
}
