/** The hybrid inverter with its battery as a SunSpec device: models from 40000 on, unit 1, controls in 123 and 124. */
import type { HomeModel } from "./home-model.ts";
import {
  type ConnectionControl,
  type InverterControls,
  type OutputControl,
  renewed,
  type StorageControl,
} from "./inverter-controls.ts";
import { inverterModels } from "./inverter-models.ts";
import {
  exception,
  ILLEGAL_ADDRESS,
  ILLEGAL_FUNCTION,
  ILLEGAL_VALUE,
  type RegisterImage,
  signedFrom,
  values,
} from "./register-image.ts";
import { modelAddresses, readChain } from "./sunspec-chain.ts";

const BASE = 40_000;
const UNIT = 1;
const MAX_REGISTERS = 125;
const MAX_REVERSION_S = 28_800;

/** The controls after a write of one register; null when the device does not take the value. */
type Setting = (controls: InverterControls, word: number) => InverterControls | null;

export function createInverterTwin(home: HomeModel): RegisterImage {
  const models = inverterModels(home);
  const settings = settingsByAddress(modelAddresses(BASE, models));
  return {
    readHolding(unit, address, count) {
      if (unit !== UNIT) return { kind: "silence" };
      if (count < 1 || count > MAX_REGISTERS) return exception(ILLEGAL_VALUE);
      const registers = readChain(BASE, models, address, count);
      return registers === null ? exception(ILLEGAL_ADDRESS) : values(registers);
    },
    readInput: (unit) => (unit === UNIT ? exception(ILLEGAL_FUNCTION) : { kind: "silence" }),
    writeHolding(unit, address, written) {
      if (unit !== UNIT) return { kind: "silence" };
      let controls = home.inverterControls();
      for (const [offset, word] of written.entries()) {
        const setting = settings.get(address + offset);
        if (setting === undefined) return exception(ILLEGAL_ADDRESS);
        const next = setting(controls, word);
        if (next === null) return exception(ILLEGAL_VALUE);
        controls = next;
      }
      home.setInverterControls(controls);
      return values([]);
    },
  };
}

/** The registers that can be written, by wire address. */
function settingsByAddress(models: ReadonlyMap<number, number>): ReadonlyMap<number, Setting> {
  const placed = (id: number, settings: readonly (readonly [number, Setting])[]) =>
    settings.map(([offset, setting]) => [(models.get(id) ?? 0) + offset, setting] as const);
  return new Map([...placed(123, IMMEDIATE_SETTINGS), ...placed(124, STORAGE_SETTINGS)]);
}

/** By offset from the model's ID register. A window or a ramp is taken and has no effect. */
const IMMEDIATE_SETTINGS: readonly (readonly [number, Setting])[] = [
  [2, ignored],
  [3, seconds((controls, reversionS) => withConnection(controls, { reversionS }))],
  [4, flag((controls, isConnected) => withConnection(controls, { isConnected }))],
  [5, percent(0, (controls, limit) => withOutput(controls, { limit }))],
  [6, ignored],
  [7, seconds((controls, reversionS) => withOutput(controls, { reversionS }))],
  [8, ignored],
  [9, flag((controls, isLimited) => withOutput(controls, { isLimited }))],
];

const STORAGE_SETTINGS: readonly (readonly [number, Setting])[] = [
  [5, (controls, word) => (word > 3 ? null : withStorage(controls, { modeBits: word }))],
  [7, percent(0, (controls, reserve) => ({ ...controls, storage: { ...controls.storage, reserve } }))],
  [12, percent(-100, (controls, dischargeRate) => withStorage(controls, { dischargeRate }))],
  [13, percent(-100, (controls, chargeRate) => withStorage(controls, { chargeRate }))],
  [14, ignored],
  [15, seconds((controls, reversionS) => withStorage(controls, { reversionS }))],
  [16, ignored],
  [17, flag((controls, isGridChargingAllowed) => withStorage(controls, { isGridChargingAllowed }))],
];

/** A hundredth of a percent a unit, up to 100 %. */
function percent(least: number, set: (controls: InverterControls, percent: number) => InverterControls): Setting {
  return (controls, word) => {
    const value = signedFrom(word) / 100;
    return value < least || value > 100 ? null : set(controls, value);
  };
}

function seconds(set: (controls: InverterControls, seconds: number) => InverterControls): Setting {
  return (controls, word) => (word > MAX_REVERSION_S ? null : set(controls, word));
}

function flag(set: (controls: InverterControls, isSet: boolean) => InverterControls): Setting {
  return (controls, word) => (word > 1 ? null : set(controls, word === 1));
}

function ignored(controls: InverterControls): InverterControls {
  return controls;
}

function withStorage(controls: InverterControls, change: Partial<StorageControl>): InverterControls {
  return { ...controls, storage: renewed({ ...controls.storage, ...change }) };
}

function withOutput(controls: InverterControls, change: Partial<OutputControl>): InverterControls {
  return { ...controls, output: renewed({ ...controls.output, ...change }) };
}

function withConnection(controls: InverterControls, change: Partial<ConnectionControl>): InverterControls {
  return { ...controls, connection: renewed({ ...controls.connection, ...change }) };
}
