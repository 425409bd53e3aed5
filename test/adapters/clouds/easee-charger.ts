import type { TwinEasee } from "../../twins/clouds/easee-twin.ts";

/** A charger with a vehicle that will charge with all that it gets. */
export function easeeCharger(): TwinEasee {
  return {
    id: "EH123456",
    name: "Garage",
    isOnline: true,
    isEnabled: true,
    needsAuthorization: false,
    isPlugged: true,
    isFull: false,
    hasFault: false,
    gridType: 1,
    phaseMode: 2,
    maxA: 32,
    dynamicA: 16,
    sessionKwh: 5.5,
    lifetimeKwh: 1_234.5,
    oddMode: null,
  };
}
