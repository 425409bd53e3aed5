/**
 * A house of ten devices in a simulated network, in front of a gateway that listens on this machine: Modbus, HTTP and MQTT,
 * none of them added yet. Three have a mistake: a clamp of the grid meter is turned round, a charger has another unit
 * number than its maker gave it, and a charger wants a password. The clock of the house can run faster than the browser's.
 */
import { setTimeout as passReal } from "node:timers/promises";
import { httpJsonAdapter } from "../../adapters/http-json/http-json-adapter.ts";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { mqttAdapter } from "../../firmware-bridges/kit/mqtt-adapter.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { loadAll } from "../../src/platform/lazy.ts";
import { nodePageFiles } from "../../src/platform/node/files/node-page-files.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { serveModbus } from "../../src/testing/modbus-server.ts";
import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import { World } from "../../src/testing/world.ts";
import { liveIn } from "../adapters/modbus/discovery/lived-in.ts";
import { PLATED, plated } from "../adapters/modbus/discovery/plated-devices.ts";
import { Board, type Firmware } from "../twins/firmware/board.ts";
import { DiscoveryTwin } from "../twins/firmware/homeassistant.ts";
import { OpenDtuTwin } from "../twins/firmware/opendtu.ts";
import { GoETwin, OpenEvseTwin } from "../twins/http-devices/charger-twins.ts";
import { type HttpTwin, listen, type TwinRequest } from "../twins/http-devices/http-twin.ts";
import { createTwin } from "../twins/registers/create-twin.ts";
import type { RegisterTwin } from "../twins/registers/register-twin.ts";

const BROKER = "mqtt://192.168.1.9";
const STEP_MS = 20;
const MOVES_EACH_MS = 1_000;
const VOLT = 231;
export const UNIT = 5;
export const PASSWORD = "sunshine";
export const HOSTS = { heidelberg: "192.168.1.14", openevse: "192.168.1.12" } as const;

export interface WholeHouse extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly address: string;
  readonly world: World;
  /** Seconds of the house in a second of the browser. */
  speed: number;
  /** W on each phase, without what devices draw. */
  readonly loads: [number, number, number];
}

export async function openWholeHouse(): Promise<WholeHouse> {
  const world = new World({ seed: 21, startMs: Date.now() });
  world.net.interfaces = [{ address: "192.168.1.2", prefixLength: 27, mac: "02:00:5e:10:00:01" }];
  const loads: WholeHouse["loads"] = [620, 410, 380];
  const move = await placeDevices(world, loads);
  const every = (): void => {
    move();
    world.clock.timer(MOVES_EACH_MS, every);
  };
  every();
  await loadAll();
  const adapters = [modbusAdapter, httpJsonAdapter, mqttAdapter] as unknown as readonly Adapter[];
  const config = configSchema(adapters).parse({
    http: { host: "127.0.0.1", port: 0 },
    site: { timezone: "Europe/Berlin" },
    mqtt: { broker: { url: BROKER } },
  });
  const platform = { ...world.boot("gateway", new MemoryDisk()).platform, page: nodePageFiles };
  let isOpen = true;
  const pace = { speed: 1 };
  const running = (async () => {
    let before = performance.now();
    while (isOpen) {
      await passReal(STEP_MS);
      const now = performance.now();
      await world.clock.advance(pace.speed * (now - before));
      before = now;
    }
  })();
  const gateway = await createGateway({ platform, config, adapters });
  return Object.assign(pace, {
    gateway,
    address: gateway.address ?? "",
    world,
    loads,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      isOpen = false;
      await running;
    },
  });
}

/** Returns what moves their measurements. */
async function placeDevices(world: World, loads: readonly number[]): Promise<() => void> {
  const meter = await onModbus(world, "eastron-sdm630", "192.168.1.20");
  const inverter = await onModbus(world, "sma-pv", "192.168.1.21");
  const keba = await onModbus(world, "keba-p30", "192.168.1.22");
  await onModbus(world, "stiebel-wpm", "192.168.1.23");
  const heating = await onModbus(world, "lambda-eul", "192.168.1.24");
  heating.set("hvac.power", 300);
  const heidelberg = await onModbus(world, "heidelberg-ec", HOSTS.heidelberg, UNIT);
  for (const each of [keba, heidelberg]) {
    each.plug(false);
    for (const id of ["charger.power", "charger.current.l1", "charger.current.l2", "charger.current.l3"])
      each.set(id, 0);
  }

  const goE = new GoETwin(2);
  const openEvse = new LockedEvse();
  for (const twin of [goE, openEvse]) twin.car.isPlugged = false;
  await onHttp(world, "192.168.1.11", goE, { type: "_go-e._tcp", name: "go-eCharger_212345" });
  await onHttp(world, HOSTS.openevse, openEvse, { type: "_openevse._tcp", name: "openevse-7b2c" });

  world.mqtt.broker(BROKER);
  const openDtu = new OpenDtuTwin("114181234567");
  const store = batteryTwin();
  for (const firmware of [openDtu, store] satisfies Firmware[]) new Board(world, BROKER, firmware).start();

  return () => {
    const wave = Math.round(20 * Math.sin(world.clock.monotonicMs() / 3_000));
    const sunW = 3_200 + wave;
    const batteryW = 1_500 + wave;
    inverter.set("pv.power", sunW);
    openDtu.powerW = 412;
    store.state = { power: batteryW, soc: 61 };
    const measured = loads.map((load, at) => (load + wave + (batteryW - sunW - 412) / 3) * (at === 1 ? -1 : 1));
    for (const [at, watts] of measured.entries()) {
      meter.set(`grid.power.l${at + 1}`, watts);
      meter.set(`grid.voltage.l${at + 1}`, VOLT);
      meter.set(`grid.current.l${at + 1}`, Math.abs(watts) / VOLT);
    }
    meter.set(
      "grid.power",
      measured.reduce((sum, watts) => sum + watts, 0),
    );
  };
}

async function onModbus(world: World, profile: string, host: string, unit?: number): Promise<RegisterTwin> {
  const device = PLATED.find((each) => each.profile === profile);
  if (device === undefined) throw new RangeError(profile);
  const placed = { ...device, unit: unit ?? device.unit };
  const twin = await createTwin(device.twin, { clock: world.clock, unit: placed.unit });
  // A charger has its own beginning: with any numbers its failsafe would take commands back at once.
  if (profile !== "keba-p30") liveIn(twin, device.twin);
  await serveModbus({ clock: world.clock, net: world.net.host() }, plated(placed, twin), { host, port: device.port });
  return twin;
}

async function onHttp(
  world: World,
  host: string,
  twin: HttpTwin,
  announced: { readonly type: string; readonly name: string },
): Promise<void> {
  // The search knocks before it asks.
  const deaf = { data: () => undefined, closed: () => undefined };
  await world.net.host().listen({ host, port: 80 }, () => deaf);
  listen(world.web, host, 80, twin);
  world.mdns.announce({ ...announced, host: `${announced.name}.local`, port: 80, addresses: [host], txt: {} });
}

class LockedEvse extends OpenEvseTwin {
  protected override answer(request: TwinRequest): SimWebAnswer {
    const wanted = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}`;
    return request.headers["authorization"] === wanted ? super.answer(request) : { status: 401, body: "" };
  }
}

function batteryTwin(): DiscoveryTwin {
  const entity = (name: string, fields: object) => ({
    p: "sensor",
    stat_t: "~/state",
    uniq_id: `store_${name}`,
    val_tpl: `{{ value_json.${name} }}`,
    ...fields,
  });
  return new DiscoveryTwin(
    "house_battery",
    {
      power: entity("power", { dev_cla: "power", unit_of_meas: "W" }),
      soc: entity("soc", { dev_cla: "battery", unit_of_meas: "%" }),
    },
    { state: { power: 1_500, soc: 61 } },
  );
}
