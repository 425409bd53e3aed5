import { type ControlPoint, choicesProblem, defineAdapter, errorText, lazy, runOnUse } from "hemgate/sdk";
import { connectOptions, SUNSPEC, targetOf } from "./connect-options.ts";
import { MODBUS_VENDORS, vendorsOf } from "./modbus-vendors.ts";
import { PROFILE_SUMMARIES } from "./profile/profile-summaries.generated.ts";
import { type OwnProfiles, summaryOf } from "./profile/profile-summary.ts";

/** The controls that a device which describes itself may have. */
const SUNSPEC_CONTROLS: readonly ControlPoint[] = ["battery.mode", "inverter.powerLimit"];

const loadRunning = lazy("the Modbus adapter", async () => (await import("./running-modbus.ts")).RunningModbus);

/**
 * Makes the adapter of devices that speak Modbus: TCP, RTU and ASCII on a serial line, RTU behind a gateway or in
 * datagrams. This half checks options and offers links; the other is loaded with the first device.
 */
export function createModbusAdapter({ profiles: own, broken }: OwnProfiles = { profiles: [], broken: [] }) {
  const ownSummaries = own.map(summaryOf);
  const profiles = [...PROFILE_SUMMARIES, ...ownSummaries];
  const options = connectOptions([...profiles, ...broken, { id: SUNSPEC }].map(({ id }) => id));
  return defineAdapter({
    name: "modbus",
    hasRegisters: true,
    options,
    check(chosen) {
      if (broken.some(({ id }) => id === chosen.profile)) return null;
      try {
        const { profile } = targetOf(chosen, profiles);
        const { id, settings = {}, controls } = profile ?? { id: SUNSPEC, controls: SUNSPEC_CONTROLS };
        return choicesProblem({ id, settings, controls: controls.map((point) => ({ point })) }, chosen);
      } catch (error) {
        return errorText(error);
      }
    },
    linking: [...MODBUS_VENDORS, ...vendorsOf(ownSummaries)],
    start: (context) =>
      runOnUse(
        async () => {
          const Running = await loadRunning();
          return new Running(context, { profiles, broken, parse: (typed) => options.parse(typed) });
        },
        // Devices say nothing by themselves: a search that may ask no host finds none.
        { linking: { hasSetup: true }, discovery: { serviceTypes: [], canFind: ({ isActive }) => isActive } },
      ),
  });
}

/** The adapter with the profiles that are built in. */
export const modbusAdapter = createModbusAdapter();
