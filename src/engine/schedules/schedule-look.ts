/** What a schedule sees when it looks: its target, the time, and who else is at the target. Pure reads of memory. */
import type { DesiredSetting } from "../../domain/actions/action.ts";
import { isSameDesiredSetting, settingOf } from "../../domain/actions/desired-setting.ts";
import { hasLocationScope } from "../../domain/assets/asset-location.ts";
import type { Charger } from "../../domain/assets/charger.ts";
import type { Vehicle } from "../../domain/assets/vehicle.ts";
import { instant } from "../../domain/fields.ts";
import type { ChargeSchedule, Schedule, TemperatureSchedule } from "../../domain/schedules/schedule.ts";
import { type ScheduleStatus, scheduleState } from "../../domain/schedules/schedule-status.ts";
import {
  appliesAt,
  type ChargeView,
  canBeCharged,
  chargerView,
  chargeSetting,
  hvacView,
  isAimedAt,
  isSameTarget,
  supportsHolds,
  vehicleView,
} from "../../domain/schedules/schedule-target.ts";
import { timetableOf } from "../../domain/schedules/schedule-timetable.ts";
import type { EmbeddedSmartOverride, SmartOverride } from "../../domain/smart/smart-override.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { ScheduleStateRecord } from "../../store/records.ts";
import type { SmartOverrides } from "../contracts/control.ts";
import type { Actions, Assets } from "../contracts/engine.ts";
import type { Locations } from "../contracts/places.ts";
import { Outlook, transitionAt } from "./outlook.ts";

/** What schedules look at. */
export interface ScheduleSources {
  readonly clock: Pick<Clock, "nowMs">;
  readonly assets: Pick<Assets, "get">;
  readonly actions: Pick<Actions, "pendingOf">;
  readonly locations: Pick<Locations, "zoneOf">;
  readonly smartOverrides: Pick<SmartOverrides, "active">;
}

export interface ScheduleLook {
  /** As of now; `changedAt` is the time of looking. */
  readonly status: ScheduleStatus;
  /** The command that makes the target what is expected. */
  readonly setting: DesiredSetting;
  readonly isDifferent: boolean;
  /** The target was read in this run, is reachable, and is not about to do it by itself. */
  readonly mayBeCommanded: boolean;
  /** Where the target is; null: at no location. */
  readonly locationId: string | null;
  /** Wall-clock ms at which the rules want something else; infinite when not in sight. */
  readonly nextMs: number;
}

/** Compares rules and target; `before` is the stored state, which counts for a device that was not read yet in this run. */
export type Looker = (before: ScheduleStateRecord | null) => ScheduleLook;

export function lookerOf(schedule: Schedule, sources: ScheduleSources): Looker {
  return schedule.targetType === "hvac" ? temperatureLooker(schedule, sources) : chargeLooker(schedule, sources);
}

function chargeLooker(schedule: ChargeSchedule, sources: ScheduleSources): Looker {
  const { id, targetId, isEnabled, rules, defaultShouldCharge } = schedule;
  const { clock, locations, smartOverrides } = sources;
  const table = timetableOf(rules, ({ shouldCharge }) => shouldCharge, defaultShouldCharge);
  const outlook = new Outlook<boolean>(table, Object.is);
  return (before) => {
    const target = chargeTarget(schedule, sources.assets, before);
    const nowMs = clock.nowMs();
    const zone = locations.zoneOf(schedule.locationId ?? target.locationId);
    const { value: shouldCharge, upcoming } = outlook.at(zone, nowMs);
    const { isCharging, needsCharge, isPluggedIn } = target.view;
    const isChargingExpected = needsCharge && isPluggedIn && shouldCharge;
    const setting = chargeSetting(schedule, isChargingExpected);
    const isDifferent = isCharging !== isChargingExpected;
    const override = smartOverrides.active(targetId);
    const state = scheduleState({
      isEnabled,
      isCapable: target.isCapable,
      isThere: appliesAt(schedule, target.locationId),
      isOverridden: override !== null,
      isDifferent,
      isUnderWay: isDifferent && isUnderWay(targetId, setting, sources.actions),
    });
    const status: ScheduleStatus = {
      scheduleId: id,
      scheduleType: "CHARGE",
      changedAt: instant(nowMs),
      state,
      isCharging,
      isChargingExpected,
      isChargingExpectedParts: { needsCharge, isPluggedIn, shouldCharge },
      upcomingTransitions: upcoming.map((each) => ({ at: transitionAt(each), shouldCharge: each.value })),
      smartOverride: override === null ? null : embedded(override),
    };
    const mayBeCommanded = target.isReady && !(isChargingExpected && target.isStarting);
    const nextMs = upcoming[0]?.atMs ?? Number.POSITIVE_INFINITY;
    return { status, setting, isDifferent, mayBeCommanded, locationId: target.locationId, nextMs };
  };
}

interface ChargeTarget {
  readonly view: ChargeView;
  readonly isCapable: boolean;
  /** Read in this run, and reachable. */
  readonly isReady: boolean;
  /** It is about to charge. */
  readonly isStarting: boolean;
  readonly locationId: string | null;
}

const GONE: ChargeTarget = {
  view: { isCharging: false, needsCharge: true, isPluggedIn: false },
  isCapable: false,
  isReady: false,
  isStarting: false,
  locationId: null,
};

function chargeTarget(
  { targetType, targetId }: ChargeSchedule,
  assets: Pick<Assets, "get">,
  before: ScheduleStateRecord | null,
): ChargeTarget {
  if (targetType === "charger") {
    const charger = assets.get("charger", targetId);
    if (charger === null) return GONE;
    const view = wasRead(charger) ? chargerView(charger) : storedView(before);
    return { ...common(charger, "charger"), view: view ?? chargerView(charger), locationId: charger.locationId };
  }
  const vehicle = assets.get("vehicle", targetId);
  if (vehicle === null) return GONE;
  const view = wasRead(vehicle) ? vehicleView(vehicle) : storedView(before);
  const isUnread = vehicle.location.lastUpdated === null && hasLocationScope("vehicle", vehicle.scopes);
  const locationId = isUnread && before !== null ? before.locationId : vehicle.location.id;
  return { ...common(vehicle, "vehicle"), view: view ?? vehicleView(vehicle), locationId };
}

function common(
  asset: Charger | Vehicle,
  kind: "charger" | "vehicle",
): Pick<ChargeTarget, "isCapable" | "isReady" | "isStarting"> {
  return {
    isCapable: canBeCharged(asset, kind),
    isReady: wasRead(asset) && asset.isReachable !== false,
    isStarting: asset.chargeState.powerDeliveryState === "PLUGGED_IN:INITIALIZING",
  };
}

function wasRead({ chargeState }: Charger | Vehicle): boolean {
  return chargeState.lastUpdated !== null;
}

/** Returns the view of the stored status, which is valid after a restart until the device is read. */
function storedView(before: ScheduleStateRecord | null): ChargeView | null {
  if (before?.status.scheduleType !== "CHARGE") return null;
  const { isCharging, isChargingExpectedParts } = before.status;
  const { needsCharge, isPluggedIn } = isChargingExpectedParts;
  return { isCharging, needsCharge, isPluggedIn };
}

function embedded({ userId: _userId, vendor: _vendor, ...override }: SmartOverride): EmbeddedSmartOverride {
  return override;
}

function temperatureLooker(schedule: TemperatureSchedule, sources: ScheduleSources): Looker {
  const { id, targetId, isEnabled, rules, defaultTargetState } = schedule;
  const { clock, assets, actions, locations } = sources;
  const table = timetableOf(rules, ({ targetState }) => targetState, defaultTargetState);
  const outlook = new Outlook(table, isSameTarget);
  return (before) => {
    const hvac = assets.get("hvac", targetId);
    const nowMs = clock.nowMs();
    const locationId = hvac?.locationId ?? null;
    const { value: expected, upcoming } = outlook.at(locations.zoneOf(locationId), nowMs);
    const wasUnitRead = hvac !== null && hvac.thermostatState.lastUpdated !== null;
    const stored = before?.status.scheduleType === "TEMPERATURE" ? before.status.current : null;
    const current = wasUnitRead ? hvacView(hvac) : hvac === null ? null : stored;
    const setting: DesiredSetting = { targetType: "hvac", target: expected };
    const isDifferent = !isAimedAt(expected, current);
    const state = scheduleState({
      isEnabled,
      isCapable: hvac !== null && supportsHolds(schedule, hvac),
      isThere: true,
      isOverridden: false,
      isDifferent,
      isUnderWay: isDifferent && isUnderWay(targetId, setting, actions),
    });
    const status: ScheduleStatus = {
      scheduleId: id,
      scheduleType: "TEMPERATURE",
      changedAt: instant(nowMs),
      state,
      current,
      expected,
      upcomingTransitions: upcoming.map((each) => ({ at: transitionAt(each), target: each.value })),
    };
    const mayBeCommanded = wasUnitRead && hvac.isReachable;
    const nextMs = upcoming[0]?.atMs ?? Number.POSITIVE_INFINITY;
    return { status, setting, isDifferent, mayBeCommanded, locationId, nextMs };
  };
}

/** Returns true if an action with this setting is pending, of any origin. */
function isUnderWay(targetId: string, setting: DesiredSetting, actions: Pick<Actions, "pendingOf">): boolean {
  const pending = actions.pendingOf(targetId);
  return pending !== null && isSameDesiredSetting(settingOf(pending.action), setting);
}
