/** Examples of schedules and of how far they are. */
import type { NewChargeSchedule, NewTemperatureSchedule } from "../../../domain/schedules/schedule.ts";
import type { ChargeScheduleStatus, TemperatureScheduleStatus } from "../../../domain/schedules/schedule-status.ts";

const CHARGE_ID = "3b9e6c1d-7a52-4f0b-9d48-5c2e81f7a604";
const TEMPERATURE_ID = "b07f2a95-4c3d-4e18-8f6b-1d9a7c05e832";
const CHANGED = "2026-06-21T10:15:30.000Z";

const CHARGE: NewChargeSchedule = {
  targetId: "5e1f8c7a-2b64-4d3e-9f05-c8a1b7d6e942",
  isEnabled: true,
  targetType: "charger",
  locationId: null,
  defaultShouldCharge: false,
  rules: [
    { hourMinute: { from: "22:00", to: "06:00" }, shouldCharge: true },
    { hourMinute: { from: "10:00", to: "16:00" }, weekdays: [5, 6], shouldCharge: true },
  ],
};

const DAY = { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 20.5 } as const;
const NIGHT = { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 17 } as const;

const TEMPERATURE: NewTemperatureSchedule = {
  targetId: "a94d07e3-61b8-4c2f-8e5a-7f3b9c1d0258",
  isEnabled: true,
  targetType: "hvac",
  defaultTargetState: DAY,
  rules: [{ hourMinute: { from: "22:00", to: "05:30" }, targetState: NIGHT }],
};

const CHARGE_STATUS: ChargeScheduleStatus = {
  scheduleId: CHARGE_ID,
  changedAt: CHANGED,
  state: "ALIGNED",
  scheduleType: "CHARGE",
  isCharging: false,
  isChargingExpected: false,
  isChargingExpectedParts: { needsCharge: true, isPluggedIn: true, shouldCharge: false },
  upcomingTransitions: [
    { at: "2026-06-21T20:00:00.000Z", shouldCharge: true },
    { at: "2026-06-22T04:00:00.000Z", shouldCharge: false },
  ],
  smartOverride: null,
};

const TEMPERATURE_STATUS: TemperatureScheduleStatus = {
  scheduleId: TEMPERATURE_ID,
  changedAt: CHANGED,
  state: "PENDING",
  scheduleType: "TEMPERATURE",
  current: NIGHT,
  expected: DAY,
  upcomingTransitions: [
    { at: "2026-06-21T20:00:00.000Z", target: NIGHT },
    { at: "2026-06-22T03:30:00.000Z", target: DAY },
  ],
};

export const SCHEDULE_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  NewChargeSchedule: [CHARGE],
  NewTemperatureSchedule: [TEMPERATURE],
  ChargeScheduleChanges: [{ isEnabled: false }],
  TemperatureScheduleChanges: [{ defaultTargetState: { holdType: "SCHEDULED" } }],
  ChargeSchedule: [{ id: CHARGE_ID, ...CHARGE }],
  TemperatureSchedule: [{ id: TEMPERATURE_ID, ...TEMPERATURE }],
  ChargeScheduleStatus: [CHARGE_STATUS],
  TemperatureScheduleStatus: [TEMPERATURE_STATUS],
};
