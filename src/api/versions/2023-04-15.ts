import { moved } from "./field-change.ts";
import { refusedValue, type VersionStep } from "./step.ts";

/** Schedules were for charging only. */
const CHARGING_ONLY = { body: refusedValue("targetType", "hvac") };

/** What 2023-05-01 changed: temperature schedules, and the name of the smart override. */
export const VERSION_2023_04_15: VersionStep = {
  date: "2023-04-15",
  records: {
    ChargeScheduleStatus: [moved("smartOverride", "externalStart")],
    VehicleSmartChargingStatus: [moved("smartOverride", "externalStart")],
  },
  routes: {
    "POST /schedules": CHARGING_ONLY,
    "PUT /schedules/{scheduleId}": CHARGING_ONLY,
  },
  lacks: ["* /vehicles/{vehicleId}/smart-override"],
  lacksTypes: [
    "NewTemperatureSchedule",
    "TemperatureSchedule",
    "TemperatureScheduleChanges",
    "TemperatureScheduleStatus",
  ],
};
