/** The physics of the sandbox home: pure computation on its own time; nothing here waits or talks. */
import { HOUR_MS } from "hemgate/sdk";
import { type Car, type CarHabits, type CarSpec, carAt, carHabits, type FollowedCar } from "./car.ts";
import { type ChargerBox, type ChargerFlow, chargerFlow, FACTORY_BOX, FACTORY_SECOND_BOX } from "./charger-box.ts";
import { FRESH_TANK, type HeaterTank, hotWaterUse, tankAfter } from "./heater-tank.ts";
import type { HomeProfile } from "./home-profile.ts";
import { eachPhase, energiesAfter, type HomeTruth, NO_ENERGIES, type Phases } from "./home-truth.ts";
import { householdLoad } from "./household-load.ts";
import { controlsAfter, type InverterControls, NORMAL_CONTROLS } from "./inverter-controls.ts";
import { type InverterSpec, inverterFlow } from "./inverter-flow.ts";
import { seedFor } from "./noise.ts";
import { clearSkyWPerKw, type Place, type Roof } from "./sun.ts";
import { type Weather, weatherOf } from "./weather.ts";

export interface HomeSpec {
  readonly place: Place;
  readonly roof: Roof;
  /** Rated power of the two strings of panels, kW. */
  readonly stringsKw: readonly [number, number];
  readonly inverter: InverterSpec;
  readonly car: CarSpec;
  /** Charges on one phase. */
  readonly secondCar: CarSpec;
}

export const SANDBOX_SPEC: HomeSpec = {
  place: { latitude: 48.1, longitude: 11.6 },
  roof: { tilt: 30, azimuth: 180 },
  stringsKw: [5, 3.5],
  inverter: {
    ratedW: 10_000,
    battery: { capacityWh: 10_240, maxChargeW: 5_000, maxDischargeW: 5_000, roundTripEfficiency: 0.92 },
  },
  car: { capacityWh: 60_000, maxCurrentA: 16, efficiency: 0.9 },
  secondCar: { capacityWh: 22_000, maxCurrentA: 16, efficiency: 0.88 },
};

export interface HomeModelOptions {
  readonly spec: HomeSpec;
  readonly seed: number;
  /** The house's wall clock at the start, ms since 1970. */
  readonly startMs: number;
  /** Drives load and sun instead of the made-up household and weather. */
  readonly profile?: HomeProfile;
  readonly hasCar: boolean;
  /** A car that charges at the second charger; absent: `false`. */
  readonly hasSecondCar?: boolean;
  /** True if the chargers are off at the start, as where something decides when cars charge; absent: as from the factory. */
  readonly areChargersOff?: boolean;
}

/** A house that only moves when it is stepped. */
export interface HomeModel {
  readonly spec: HomeSpec;
  /** Lets time pass. Any length; the physics is computed second by second, cut at the wall clock's whole seconds. */
  step(elapsedMs: number): void;
  truth(): HomeTruth;
  inverterControls(): InverterControls;
  setInverterControls(controls: InverterControls): void;
  chargerBox(): ChargerBox;
  setChargerBox(box: ChargerBox): void;
  /** The second charger. */
  secondBox(): ChargerBox;
  setSecondBox(box: ChargerBox): void;
  heaterTank(): HeaterTank;
  setHeaterTank(tank: HeaterTank): void;
  /** Has the car do as a made-up one; `null`: as its own habits have it. */
  followCar(car: FollowedCar | null): void;
  /** Power that made-up heat pumps draw besides the household, W. */
  setHeatW(heatW: number): void;
}

/** Local standard time of a place, ms ahead of UTC. */
export function standardTimeOffsetMs(place: Place): number {
  return Math.round(place.longitude / 15) * HOUR_MS;
}

const SLICE_MS = 1_000;
/** How the household's own use falls on the phases. */
const LOAD_SHARES: Phases = [0.5, 0.3, 0.2];
/** Resistance of the house's service line, Ω: import pulls its voltage down. */
const LINE_OHM = 0.15;
const START_SOC = 55;
/** L1, where the car charges that is switched to one phase. */
const CAR_PHASE = 0;
/** L1; the heating rod is on L3. */
const SECOND_CAR_PHASE = 0;

interface HomeState {
  readonly truth: HomeTruth;
  readonly car: Car;
  readonly controls: InverterControls;
  readonly box: ChargerBox;
  readonly secondCar: Car;
  readonly secondBox: ChargerBox;
  readonly tank: HeaterTank;
  readonly followed: FollowedCar | null;
  readonly heatW: number;
}

export function createHomeModel(options: HomeModelOptions): HomeModel {
  const drive = createDrive(options);
  let state = initialState(options, drive);
  return {
    spec: options.spec,
    step(elapsedMs) {
      const endMs = state.truth.atMs + elapsedMs;
      while (state.truth.atMs < endMs) {
        const nextMs = Math.min(endMs, Math.floor(state.truth.atMs / SLICE_MS + 1) * SLICE_MS);
        state = slice(options, drive, state, nextMs - state.truth.atMs);
      }
    },
    truth: () => state.truth,
    inverterControls: () => state.controls,
    setInverterControls(controls) {
      state = { ...state, controls };
    },
    chargerBox: () => state.box,
    setChargerBox(box) {
      state = { ...state, box };
    },
    secondBox: () => state.secondBox,
    setSecondBox(secondBox) {
      state = { ...state, secondBox };
    },
    heaterTank: () => state.tank,
    setHeaterTank(tank) {
      state = { ...state, tank };
    },
    followCar(followed) {
      state = { ...state, followed };
    },
    setHeatW(heatW) {
      state = { ...state, heatW };
    },
  };
}

/** What comes from outside the physics. */
interface Drive {
  loadW(atMs: number): number;
  sunWPerKw(atMs: number): number;
  readonly weather: Weather;
  readonly habits: CarHabits;
  readonly secondHabits: CarHabits;
  hotWaterW(atMs: number): number;
}

function createDrive({ spec, seed, profile }: HomeModelOptions): Drive {
  const offsetMs = standardTimeOffsetMs(spec.place);
  const weather = weatherOf(seedFor(seed, "weather"));
  const people = {
    weather,
    habits: carHabits(seedFor(seed, "car"), offsetMs),
    secondHabits: carHabits(seedFor(seed, "second car"), offsetMs),
    hotWaterW: hotWaterUse(seedFor(seed, "hot water"), offsetMs),
  };
  if (profile !== undefined) return { ...people, loadW: profile.loadW, sunWPerKw: profile.sunWPerKw };
  return {
    ...people,
    loadW: householdLoad(seedFor(seed, "household"), offsetMs),
    sunWPerKw(atMs) {
      const clear = clearSkyWPerKw(atMs, spec.place, spec.roof);
      return clear === 0 ? 0 : clear * weather.transmittance(atMs);
    },
  };
}

function initialState(options: HomeModelOptions, drive: Drive): HomeState {
  const { spec, startMs, hasCar, hasSecondCar = false, areChargersOff = false } = options;
  const storedWh = (spec.inverter.battery.capacityWh * START_SOC) / 100;
  const car = carAtStart(spec.car, drive.habits, startMs, hasCar);
  const secondCar = carAtStart(spec.secondCar, drive.secondHabits, startMs, hasSecondCar);
  const loadW = drive.loadW(startMs);
  const truth: HomeTruth = {
    atMs: startMs,
    availableW: 0,
    pvW: 0,
    stringsW: [0, 0],
    batteryW: 0,
    batteryStoredWh: storedWh,
    batterySoc: START_SOC,
    acW: 0,
    loadW,
    carW: 0,
    isCarPluggedIn: car.isPluggedIn,
    carStoredWh: car.storedWh,
    secondCarW: 0,
    isSecondCarPluggedIn: secondCar.isPluggedIn,
    heaterW: 0,
    waterC: FRESH_TANK.waterC,
    gridW: loadW,
    gridPhasesW: gridPhases({ loadW, carW: 0, secondCarW: 0, heaterW: 0, acW: 0 }, FACTORY_BOX.phases),
    voltages: eachPhase((phase) => drive.weather.voltageV(startMs, phase)),
    frequencyHz: drive.weather.frequencyHz(startMs),
    energies: NO_ENERGIES,
  };
  const boxes = areChargersOff
    ? { box: { ...FACTORY_BOX, isEnabled: false }, secondBox: { ...FACTORY_SECOND_BOX, limitMa: 0 } }
    : { box: FACTORY_BOX, secondBox: FACTORY_SECOND_BOX };
  return { truth, car, secondCar, controls: NORMAL_CONTROLS, ...boxes, tank: FRESH_TANK, followed: null, heatW: 0 };
}

/** It is at home when somebody looks at the house first. */
function carAtStart(spec: CarSpec, habits: CarHabits, atMs: number, isThere: boolean): Car {
  const isExtraStay = isThere && !habits.isExpected(atMs);
  return { isPluggedIn: isThere, storedWh: 0.45 * spec.capacityWh, isExtraStay };
}

function slice(options: HomeModelOptions, drive: Drive, before: HomeState, durationMs: number): HomeState {
  const { spec, hasCar } = options;
  const { atMs, voltages } = before.truth;
  const { followed, heatW, truth: last } = before;
  const own = hasCar ? carAt(spec.car, before.car, drive.habits, atMs) : before.car;
  const parked = followed === null ? own : asFollowed(spec.car, own, followed);
  const isCarTaking = followed?.isTaking ?? true;
  const box = parked.isPluggedIn && !before.car.isPluggedIn ? { ...before.box, sessionWh: 0 } : before.box;
  const voltageSumV = box.phases === 1 ? voltages[CAR_PHASE] : voltages[0] + voltages[1] + voltages[2];
  const charging = chargerFlow(box, { durationMs, car: parked, carSpec: spec.car, isCarTaking, voltageSumV });
  const second = secondCharging(options, drive, before, durationMs);
  const tank = tankAfter(before.tank, durationMs, drive.hotWaterW(atMs));
  const loadW = drive.loadW(atMs) + heatW;
  const availableW = drive.sunWPerKw(atMs) * (spec.stringsKw[0] + spec.stringsKw[1]);
  const flow = inverterFlow(spec.inverter, before.controls, {
    durationMs,
    availableW,
    // The regulator knows what the meter showed a moment ago: a kettle is felt at the grid before the battery follows.
    demandW: last.loadW + last.carW + last.secondCarW + last.heaterW,
    batteryBeforeW: last.batteryW,
    storedWh: last.batteryStoredWh,
  });
  const flows = { loadW, carW: charging.powerW, secondCarW: second.powerW, heaterW: tank.powerW, acW: flow.acW };
  const gridPhasesW = gridPhases(flows, box.phases);
  const powers = {
    atMs: atMs + durationMs,
    availableW,
    pvW: flow.pvW,
    stringsW: splitByStrings(flow.pvW, spec.stringsKw),
    batteryW: flow.batteryW,
    batteryStoredWh: flow.storedWh,
    batterySoc: (flow.storedWh / spec.inverter.battery.capacityWh) * 100,
    ...flows,
    isCarPluggedIn: charging.car.isPluggedIn,
    carStoredWh: charging.car.storedWh,
    isSecondCarPluggedIn: second.car.isPluggedIn,
    waterC: tank.waterC,
    gridW: loadW + flows.carW + flows.secondCarW + flows.heaterW - flow.acW,
    gridPhasesW,
    voltages: eachPhase((phase) => drive.weather.voltageV(atMs, phase) - (LINE_OHM * gridPhasesW[phase]) / 230),
    frequencyHz: drive.weather.frequencyHz(atMs),
  };
  return {
    truth: { ...powers, energies: energiesAfter(last.energies, powers, durationMs) },
    car: charging.car,
    controls: controlsAfter(before.controls, durationMs),
    box: charging.box,
    secondCar: second.car,
    secondBox: second.box,
    tank,
    followed,
    heatW,
  };
}

/** The car at the second charger comes and goes by its own habits, and draws on L1. */
function secondCharging(
  { spec, hasSecondCar = false }: HomeModelOptions,
  { secondHabits }: Drive,
  { truth, secondCar, secondBox }: HomeState,
  durationMs: number,
): ChargerFlow {
  const car = hasSecondCar ? carAt(spec.secondCar, secondCar, secondHabits, truth.atMs) : secondCar;
  const box = car.isPluggedIn && !secondCar.isPluggedIn ? { ...secondBox, sessionWh: 0 } : secondBox;
  const voltageSumV = truth.voltages[SECOND_CAR_PHASE];
  return chargerFlow(box, { durationMs, car, carSpec: spec.secondCar, isCarTaking: true, voltageSumV });
}

function asFollowed({ capacityWh }: CarSpec, car: Car, { isPluggedIn, batteryLevel }: FollowedCar): Car {
  return { ...car, isPluggedIn, storedWh: (capacityWh * batteryLevel) / 100, isExtraStay: isPluggedIn };
}

function gridPhases(
  flows: Pick<HomeTruth, "loadW" | "carW" | "secondCarW" | "heaterW" | "acW">,
  carPhases: 1 | 3,
): Phases {
  const { loadW, carW, secondCarW, heaterW, acW } = flows;
  const evenW = (carPhases === 3 ? carW : 0) - acW;
  const singleW: Phases = [secondCarW + (carPhases === 1 ? carW : 0), 0, heaterW];
  return eachPhase((phase) => loadW * LOAD_SHARES[phase] + evenW / 3 + singleW[phase]);
}

function splitByStrings(pvW: number, stringsKw: readonly [number, number]): readonly [number, number] {
  const first = (pvW * stringsKw[0]) / (stringsKw[0] + stringsKw[1]);
  return [first, pvW - first];
}
