import type { TwinZaptec } from "../../twins/clouds/zaptec-twin.ts";

/** A signed meter's text with these readings. */
export function signed(...RD: readonly Readonly<Record<string, unknown>>[]): string {
  return `OCMF|${JSON.stringify({ FV: "1.0", GS: "ZAP045784", RD })}`;
}

/** A charger with a vehicle that charges. */
export function zaptecCharger(changes: Partial<TwinZaptec> = {}): TwinZaptec {
  return {
    id: "c-000001",
    name: "Carport",
    deviceType: 4,
    isOnline: true,
    isEnabled: true,
    mode: 3,
    isStopped: false,
    phases: 3,
    networkType: 4,
    maxA: 16,
    amperes: 13,
    sessionKwh: 4.25,
    signedMeter: signed({ TM: "2026-06-20T09:00:00,000+00:00 R", RV: 905.49, RI: "1-0:1.8.0", RU: "kWh", ST: "G" }),
    tellsKilowatts: false,
    ...changes,
  };
}
