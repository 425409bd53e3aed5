/** A device behind a cloud, whose answers a test sets. */
import type { ControlPoint, PointValue } from "hemgate/sdk";
import type { CloudControl, CloudDevice, CloudReading, Tempo } from "../../../../../adapters/clouds/kit/connector.ts";
import { CloudDriver, type DriverChoices } from "../../../../../adapters/clouds/kit/device/cloud-driver.ts";
import { CommandTries } from "../../../../../adapters/clouds/kit/device/command-tries.ts";
import { LastReadings } from "../../../../../adapters/clouds/kit/device/last-readings.ts";
import { CloudError, type CloudErrorKind } from "../../../../../adapters/clouds/kit/session/cloud-error.ts";
import { ReadTimes } from "../../../../../adapters/clouds/kit/session/read-times.ts";
import { VirtualClock } from "../../../../../src/testing/virtual-clock.ts";

const MINUTE = 60_000;
const CURRENT: CloudControl = {
  point: "charger.maxCurrent",
  range: { min: 6, max: 16 },
  holdMs: null,
  safeDefault: "as-found",
  confidence: "documented",
};
const SWITCH: CloudControl = {
  point: "charger.enabled",
  values: [true, false],
  holdMs: null,
  safeDefault: "as-found",
  confidence: "unverified",
};
const MODE: CloudControl = {
  point: "battery.mode",
  values: ["SELF_RELIANCE", "IMPORT_FOCUS"],
  holdMs: null,
  safeDefault: "as-found",
  confidence: "cross-checked",
};

type Choices = Partial<DriverChoices> & { readonly periodMs?: number; readonly hasReasons?: boolean };

export function bed({
  periodMs = MINUTE,
  hasReasons = false,
  confirmUnverified = false,
  confirmNoFailsafe = false,
}: Choices = {}) {
  const clock = new VirtualClock();
  const state = {
    reads: 0,
    tried: 0,
    written: [] as [ControlPoint, PointValue][],
    failure: null as CloudErrorKind | null,
    readings: [{ point: "charger.power", value: 7_400, measuredAtMs: 5 }] as CloudReading[],
    periodMs,
    wants: false,
    isClosed: false,
    isSilent: false,
    isAsleep: false,
    takesBack: null as PointValue | null,
    tempo: "usual" as Tempo,
  };
  const device: CloudDevice = {
    identity: { manufacturer: "Sunny", model: null, serial: null, version: null },
    points: ["charger.power"],
    controls: [CURRENT, SWITCH, MODE],
    cost: {},
    get isAsleep() {
      return state.isAsleep;
    },
    read: async (signal) => {
      state.reads += 1;
      if (state.isSilent) await clock.sleep(60 * MINUTE, signal);
      if (state.failure !== null) throw new CloudError(state.failure, "GET /chargers");
      return state.readings;
    },
    write: async (point, value) => {
      state.tried += 1;
      if (state.failure !== null) throw new CloudError(state.failure, "POST /amps");
      state.written.push([point, value]);
    },
    takesBack: (_point, value) => value === state.takesBack,
    tempo: () => state.tempo,
    ...(hasReasons && { wantsRead: () => state.wants }),
  };
  const tries = new CommandTries(clock);
  const times = new ReadTimes(clock);
  const last = new LastReadings(clock);
  times.follow({ nextMs: () => state.periodMs, windfalls: () => 0 }, hasReasons);
  const open = () =>
    new CloudDriver({
      vendors: ["EASEE"],
      device,
      times,
      last,
      tries,
      stream: null,
      resources: {
        [Symbol.asyncDispose]: async () => {
          state.isClosed = true;
        },
      },
      confirmUnverified,
      confirmNoFailsafe,
    });
  return { clock, state, driver: open(), open };
}
