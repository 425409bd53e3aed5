/** A house whose devices live on when the gateway dies: a car that comes and goes, a wallbox, a heat pump, a battery. */
import { FakeDevice } from "../../src/testing/fake-adapter.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";

export const HOME = { latitude: 52.52, longitude: 13.405 } as const;
const AWAY = { latitude: 52.4, longitude: 13.06 } as const;
const MINUTE_MS = 60_000;
const POLL_MS = 30_000;
const CAPACITY_KWH = 60;
const CHARGE_KW = 7.2;
const LIMIT_PERCENT = 80;
const SWITCH = { values: [true, false], holdMs: null, safeDefault: null } as const;

/** Something that charges, as it is. */
interface Charging {
  isPlugged: boolean;
  isEnabled: boolean;
  /** Monotonic ms of the last change that nobody commanded. */
  changedAtMs: number;
}

export interface Car extends Charging {
  readonly device: FakeDevice;
  isHome: boolean;
  soc: number;
}

export interface Wallbox extends Charging {
  readonly device: FakeDevice;
  /** What the car on it still takes, kWh. */
  wantedKwh: number;
}

export class House {
  readonly car: Car;
  readonly wallbox: Wallbox;
  readonly heatPump: FakeDevice;
  readonly devices: Readonly<Record<string, FakeDevice>>;
  readonly #world: World;
  readonly #random: SeededRandom;

  constructor(world: World) {
    this.#world = world;
    this.#random = world.random.fork("house");
    const make = (values: FakeDevice["values"], controls: FakeDevice["controls"]): FakeDevice =>
      new FakeDevice({ clock: world.clock, values, controls, pollMs: POLL_MS });
    const car = make({ ...CAR_VALUES }, [{ point: "vehicle.enabled", ...SWITCH }]);
    const wallbox = make({ ...WALLBOX_VALUES }, [{ point: "charger.enabled", ...SWITCH }]);
    this.car = { device: car, isHome: true, isPlugged: true, isEnabled: true, soc: 45, changedAtMs: 0 };
    this.wallbox = { device: wallbox, isPlugged: true, isEnabled: true, wantedKwh: 20, changedAtMs: 0 };
    this.heatPump = new FakeDevice({
      clock: world.clock,
      values: { ...HEAT_PUMP_VALUES },
      controls: HEAT_PUMP_CONTROLS,
      pollMs: POLL_MS,
      // A vendor of its own: its credentials concern nothing else.
      vendors: ["TADO"],
    });
    const battery = make({ "battery.power": 400, "battery.soc": 50, "battery.mode": "SELF_RELIANCE" }, [
      { point: "battery.mode", values: ["SELF_RELIANCE", "IDLE"], holdMs: null, safeDefault: "SELF_RELIANCE" },
    ]);
    const meter = make({ "meter.power": 300, "meter.energyImport": 1_000 }, []);
    this.devices = { car, wallbox, "heat-pump": this.heatPump, battery, meter };
    car.onWrite = (_point, value) => this.#command(this.car, value === true);
    wallbox.onWrite = (_point, value) => this.#command(this.wallbox, value === true);
    this.#show();
    this.#tick();
  }

  get isCarCharging(): boolean {
    return this.car.isPlugged && this.car.isEnabled && this.car.soc < LIMIT_PERCENT;
  }

  get doesCarNeedCharge(): boolean {
    return this.car.soc < LIMIT_PERCENT;
  }

  get isWallboxCharging(): boolean {
    return this.wallbox.isPlugged && this.wallbox.isEnabled && this.wallbox.wantedKwh > 0;
  }

  /** The car drives away, or comes back with less and is plugged in: it charges then until somebody says otherwise. */
  drive(): void {
    const { car } = this;
    car.isHome = !car.isHome;
    car.isPlugged = car.isHome;
    car.isEnabled = true;
    if (car.isHome) car.soc = Math.max(8, car.soc - this.#random.between(10, 45));
    this.#changed(car);
  }

  /** Another car comes to the wallbox, or goes. */
  swapAtWallbox(): void {
    const { wallbox } = this;
    wallbox.isPlugged = !wallbox.isPlugged;
    wallbox.isEnabled = true;
    wallbox.wantedKwh = wallbox.isPlugged ? this.#random.between(4, 40) : 0;
    this.#changed(wallbox);
  }

  #command(charging: Charging, isEnabled: boolean): void {
    charging.isEnabled = isEnabled;
    this.#show();
  }

  #changed(charging: Charging): void {
    charging.changedAtMs = this.#world.clock.monotonicMs();
    this.#show();
  }

  #tick(): void {
    this.#world.clock.timer(MINUTE_MS, () => {
      this.#charge();
      this.#tick();
    });
  }

  #charge(): void {
    const kwh = CHARGE_KW / 60;
    const wasFull = !this.doesCarNeedCharge;
    const wasDone = this.wallbox.wantedKwh <= 0;
    if (this.isCarCharging) this.car.soc = Math.min(LIMIT_PERCENT, this.car.soc + (kwh / CAPACITY_KWH) * 100);
    if (this.isWallboxCharging) this.wallbox.wantedKwh = Math.max(0, this.wallbox.wantedKwh - kwh);
    if (!wasFull && !this.doesCarNeedCharge) this.#changed(this.car);
    else if (!wasDone && this.wallbox.wantedKwh <= 0) this.#changed(this.wallbox);
    else this.#show();
  }

  #show(): void {
    const { car, wallbox } = this;
    const place = car.isHome ? HOME : AWAY;
    car.device.show("vehicle.state", this.#carState());
    car.device.show("vehicle.soc", car.soc);
    car.device.show("vehicle.power", this.isCarCharging ? CHARGE_KW * 1_000 : 0);
    car.device.show("vehicle.enabled", car.isEnabled);
    car.device.show("vehicle.latitude", place.latitude);
    car.device.show("vehicle.longitude", place.longitude);
    wallbox.device.show("charger.state", this.#wallboxState());
    wallbox.device.show("charger.power", this.isWallboxCharging ? CHARGE_KW * 1_000 : 0);
    wallbox.device.show("charger.enabled", wallbox.isEnabled);
  }

  #carState() {
    if (!this.car.isPlugged) return "UNPLUGGED";
    if (!this.doesCarNeedCharge) return "PLUGGED_IN:COMPLETE";
    return this.car.isEnabled ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED";
  }

  #wallboxState() {
    if (!this.wallbox.isPlugged) return "UNPLUGGED";
    if (!this.wallbox.isEnabled) return "PLUGGED_IN:STOPPED";
    return this.wallbox.wantedKwh > 0 ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:NO_POWER";
  }
}

const CAR_VALUES: FakeDevice["values"] = {
  "vehicle.state": "UNPLUGGED",
  "vehicle.soc": 45,
  "vehicle.capacity": CAPACITY_KWH * 1_000,
  "vehicle.chargeLimit": LIMIT_PERCENT,
  "vehicle.power": 0,
  "vehicle.enabled": true,
  "vehicle.latitude": HOME.latitude,
  "vehicle.longitude": HOME.longitude,
};
const WALLBOX_VALUES: FakeDevice["values"] = {
  "charger.state": "UNPLUGGED",
  "charger.power": 0,
  "charger.enabled": true,
};
const HEAT_PUMP_VALUES: FakeDevice["values"] = {
  "hvac.mode": "HEAT",
  "hvac.heatSetpoint": 20,
  "hvac.coolSetpoint": 26,
  "hvac.holdType": "SCHEDULED",
  "hvac.temperature": 19.5,
  "hvac.power": 600,
};
const HEAT_PUMP_CONTROLS: FakeDevice["controls"] = [
  { point: "hvac.mode", values: ["OFF", "HEAT", "COOL", "AUTO"], holdMs: null, safeDefault: null },
  { point: "hvac.heatSetpoint", range: { min: 10, max: 28 }, holdMs: null, safeDefault: null },
  { point: "hvac.coolSetpoint", range: { min: 18, max: 30 }, holdMs: null, safeDefault: null },
  { point: "hvac.holdType", values: ["PERMANENT", "SCHEDULED"], holdMs: null, safeDefault: null },
];
