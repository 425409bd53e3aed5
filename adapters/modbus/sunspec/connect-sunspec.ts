import assert from "node:assert/strict";
import { DeviceError, serialNumber } from "hemgate/sdk";
import { isRefusal } from "../bus/modbus-exception.ts";
import type { DeviceMap, MapControl, SerialRead } from "../driver/device-map.ts";
import type { ModbusUnit } from "../driver/register-point.ts";
import { type BatteryParts, hasBattery } from "./battery-parts.ts";
import { addBatteryPoints } from "./battery-points.ts";
import { textAtConnect } from "./connect-values.ts";
import { discoverModels, type FoundModel } from "./discover.ts";
import { addInverterPoints } from "./inverter-points.ts";
import { addMeterPoints } from "./meter-points.ts";
import { MODEL_DEFINITIONS } from "./model-definitions.ts";
import { type ModelInstance, resolveModel } from "./model-instance.ts";
import { mpptInputs } from "./mppt-inputs.ts";
import { PollList } from "./poll-list.ts";
import { addPowerLimit, powerLimitControl } from "./power-limit.ts";
import type { Quantity } from "./quantity.ts";
import { readRegisters } from "./read-registers.ts";
import { addSolarEdgeBatteries, findSolarEdgeBatteries } from "./solaredge-battery.ts";
import { type ControlTerms, storageControl } from "./storage-control.ts";
import { StoragePower } from "./storage-power.ts";
import { vendorNames } from "./vendor-names.ts";

const COMMON = 1;
const AC_MODELS = [101, 102, 103, 111, 112, 113, 701] as const;
const METER_MODELS = [201, 202, 203, 204, 211, 212, 213, 214] as const;
/** The models that points and controls are made from, of each the first in the chain. */
const USED_MODELS: ReadonlySet<number> = new Set([
  COMMON,
  ...AC_MODELS,
  ...METER_MODELS,
  120,
  123,
  124,
  160,
  704,
  713,
  714,
  802,
]);
/** Model 1 up to its serial number; what follows (address, pad) says nothing, and not every device answers there. */
const COMMON_WORDS = 66;
/** The timers are uint16 in models 123 and 124, and 0xFFFF says "not implemented". */
const MAX_HOLD_SECONDS = 0xfffe;

/** A model's first place in the chain. */
type Models = ReadonlyMap<number, ModelInstance>;

/**
 * Finds out what a SunSpec device is: walks its models, and makes of them what to poll, which points that gives, and how
 * to command it.
 */
export async function connectSunSpec(unit: ModbusUnit, terms: ControlTerms, signal: AbortSignal): Promise<DeviceMap> {
  const { holdSeconds } = terms;
  assert(Number.isInteger(holdSeconds) && holdSeconds > 0 && holdSeconds <= MAX_HOLD_SECONDS, "holdSeconds");
  const found = await discoverModels(unit, signal);
  const models = await readModels(unit, found, signal);
  const common = models.get(COMMON) ?? null;
  const manufacturer = textAtConnect(common, "Mn");
  const vendors = vendorNames(manufacturer);
  const isSolarEdge = vendors.includes("SOLAREDGE");
  const solarEdgeBatteries = isSolarEdge ? await findSolarEdgeBatteries(unit, signal) : [];

  const polls = new PollList();
  const controls = addDevice(polls, models, { manufacturer, isSolarEdge, solarEdgeBatteries, terms });
  if (polls.registers.length === 0) {
    const ids = found.map(({ id }) => id).join(", ");
    throw new DeviceError("malformed", `SunSpec device with no inverter, battery or meter among its models ${ids}`);
  }
  return {
    identity: {
      manufacturer,
      model: textAtConnect(common, "Md"),
      serial: serialNumber(textAtConnect(common, "SN")),
      version: textAtConnect(common, "Vr"),
    },
    ...(common === null ? {} : { serial: serialRead(common) }),
    vendors: [...vendors, "SUNSPEC"],
    registers: polls.registers,
    derived: polls.derived,
    controls,
    limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  };
}

/** How the serial number in the common model is read again. */
function serialRead(common: ModelInstance): SerialRead {
  return {
    source: "SunSpec model 1",
    read: async (unit, signal) => {
      try {
        const image = await readRegisters(unit, common.address, common.image.length, signal);
        return serialNumber(textAtConnect({ ...common, image }, "SN"));
      } catch (error) {
        if (isRefusal(error)) return null;
        throw error;
      }
    },
  };
}

/** Reads the models that are used. One that the device lists but does not answer for is left out. */
async function readModels(unit: ModbusUnit, found: readonly FoundModel[], signal: AbortSignal): Promise<Models> {
  const models = new Map<number, ModelInstance>();
  for (const model of found) {
    const definition = MODEL_DEFINITIONS.get(model.id);
    if (definition === undefined || !USED_MODELS.has(model.id) || models.has(model.id)) continue;
    const words = Math.min(2 + model.length, model.id === COMMON ? COMMON_WORDS : Number.POSITIVE_INFINITY);
    try {
      const image = await readRegisters(unit, model.address, words, signal);
      models.set(model.id, resolveModel(model, definition, image));
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return models;
}

interface DeviceFacts {
  readonly manufacturer: string | null;
  readonly isSolarEdge: boolean;
  readonly solarEdgeBatteries: readonly number[];
  readonly terms: ControlTerms;
}

/** Adds what the models give, and answers what can be commanded. */
function addDevice(polls: PollList, models: Models, facts: DeviceFacts): readonly MapControl[] {
  const parts = batteryParts(models, facts.manufacturer);
  const isHybrid = hasBattery(parts);
  const batteryPower = addBattery(polls, parts, isHybrid, facts.solarEdgeBatteries);
  addInverterPoints(polls, {
    ac: firstInChain(models, AC_MODELS),
    mppt: parts.mppt,
    inputs: isHybrid ? parts.inputs : null,
    batteryPower,
    isDcSide: facts.isSolarEdge,
  });
  const meter = firstInChain(models, METER_MODELS);
  if (meter !== null) addMeterPoints(polls, meter, facts.isSolarEdge);
  const limits = models.get(123) ?? models.get(704) ?? null;
  if (limits !== null) addPowerLimit(polls, limits);
  const power = StoragePower.of(parts.storage124);
  const storage = storageControl(parts.storage124, power, facts.terms);
  if (storage.some(({ point }) => point === "battery.powerSetpoint")) power?.addReading(polls);
  return [...storage, limits === null ? null : powerLimitControl(limits, facts.terms.holdSeconds)].filter(
    (control) => control !== null,
  );
}

function addBattery(
  polls: PollList,
  parts: BatteryParts,
  isHybrid: boolean,
  solarEdgeBatteries: readonly number[],
): Quantity | null {
  if (isHybrid) return addBatteryPoints(polls, parts);
  return solarEdgeBatteries.length > 0 ? addSolarEdgeBatteries(polls, solarEdgeBatteries) : null;
}

function batteryParts(models: Models, manufacturer: string | null): BatteryParts {
  const mppt = models.get(160) ?? null;
  return {
    nameplate120: models.get(120) ?? null,
    storage124: models.get(124) ?? null,
    mppt,
    inputs: mpptInputs(mppt, manufacturer),
    capacity713: models.get(713) ?? null,
    dc714: models.get(714) ?? null,
    base802: models.get(802) ?? null,
  };
}

/** SolarEdge lists up to three meters, the one at the grid connection first. */
function firstInChain(models: Models, ids: readonly number[]): ModelInstance | null {
  return [...models.values()].find((instance) => ids.includes(instance.id)) ?? null;
}
