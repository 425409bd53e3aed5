/** Devices of the house that answer by HTTP. */
import type { SeededRandom, SimWebRequest, World } from "hemgate/testing";
import type { MdnsService } from "../../src/platform/ports/ports.ts";
import { GoETwin } from "../twins/http-devices/charger-twins.ts";
import { FroniusTwin } from "../twins/http-devices/fronius-twin.ts";
import { HomeWizardTwin } from "../twins/http-devices/homewizard-twin.ts";
import { type HouseTruth, type HttpFault, type HttpTwin, listen } from "../twins/http-devices/http-twin.ts";
import { PowerwallTwin } from "../twins/http-devices/powerwall-twin.ts";
import { SonnenTwin } from "../twins/http-devices/sonnen-twin.ts";
import type { Mover } from "./movers.ts";
import { type Truth, TruthDevice } from "./truth-device.ts";
import type { Trouble, WeekDevice } from "./week-device.ts";

const POLL_MS = 60_000;
const TURN_MS = 15_000;
const GIVING_UP_MS = 75_000;
const FINGERPRINT = "ab".repeat(32);
const TOKEN = "0123456789";

interface Kind {
  readonly id: string;
  readonly owner: string;
  readonly twin: HttpTwin;
  readonly options: Readonly<Record<string, unknown>>;
  truth(): Truth;
  move(random: SeededRandom): void;
  /** How it announces itself by mDNS. */
  readonly announces?: Pick<MdnsService, "type" | "name" | "txt">;
}

/** A page in place of the data, no end of it, no data: it depends on the moment, the device is there. */
const SPOILED: readonly HttpFault[] = ["html", "truncated", "empty", "deep", "redirect", "unavailable"];
const DEAD: readonly HttpFault[] = ["hang", "break"];

export interface HttpHouse {
  readonly devices: readonly WeekDevice[];
  readonly troubles: readonly Trouble[];
  /** Those that announce themselves, so that they are found again elsewhere. */
  readonly movers: readonly Mover[];
}

export function buildHttpHouse(world: World): HttpHouse {
  const devices: WeekDevice[] = [];
  const troubles: Trouble[] = [];
  const movers: Mover[] = [];
  for (const [index, kind] of kinds().entries()) {
    const { id, owner, twin, options, truth, move } = kind;
    const host = `192.168.1.${40 + index}`;
    const pollMs = { fast: POLL_MS, normal: POLL_MS, slow: POLL_MS };
    const device = new TruthDevice(world, {
      id,
      config: { id, adapter: "http-json", owner, host, pollMs, ...options },
      calmMs: POLL_MS + TURN_MS,
      troubledMs: 2 * POLL_MS + GIVING_UP_MS,
      paceMs: POLL_MS + TURN_MS,
      tolerance: 1,
      truth,
      move,
    });
    const isTls = id === "powerwall";
    const serve = (request: SimWebRequest): ReturnType<HttpTwin["serve"]> => {
      device.asked();
      if (isWrite(request)) device.received(`${request.method} ${request.path}`);
      twin.asked.length = 0;
      const answer = twin.serve(request);
      device.note();
      return answer;
    };
    const place = new Place(world, kind, { host, port: isTls ? 443 : 80, serve });
    if (kind.announces !== undefined) movers.push(place);
    devices.push(device);
    troubles.push(...troublesOf(world, place, twin));
  }
  return { devices, troubles, movers };
}

interface Served {
  readonly host: string;
  readonly port: number;
  serve(request: SimWebRequest): ReturnType<HttpTwin["serve"]>;
}

/** Where a device is. */
class Place implements Mover {
  readonly id: string;
  host: string;
  readonly #world: World;
  readonly #served: Served;
  readonly #announces: Kind["announces"];

  constructor(world: World, { id, announces }: Kind, served: Served) {
    this.id = id;
    this.host = served.host;
    this.#world = world;
    this.#served = served;
    this.#announces = announces;
    this.#appear();
  }

  async moveTo(host: string): Promise<void> {
    this.#world.web.close(this.host, this.#served.port);
    this.host = host;
    this.#appear();
  }

  #appear(): void {
    const { port, serve } = this.#served;
    listen(this.#world.web, this.host, port, { serve }, port === 443 ? FINGERPRINT : undefined);
    if (this.#announces === undefined) return;
    const { name } = this.#announces;
    this.#world.mdns.announce({ ...this.#announces, host: `${name}.local`, port, addresses: [this.host] });
  }
}

/** A sign-in is none. */
function isWrite({ method, path }: SimWebRequest): boolean {
  return path.includes("/set") || (method !== "GET" && !/login|auth|user/i.test(path));
}

function troublesOf(world: World, place: Place, twin: HttpTwin): readonly Trouble[] {
  const { id } = place;
  const devices = [id];
  const random = world.random.fork(`http ${id}`);
  const fault = (name: string, isDeath: boolean, faults: readonly HttpFault[]): Trouble => ({
    name,
    devices,
    isDeath,
    begin: () => {
      const [first = "none", ...others] = faults;
      twin.fault = random.pick([first, ...others]);
      return {
        [Symbol.dispose]: () => {
          twin.fault = "none";
        },
      };
    },
  });
  const vanish = (): Disposable => {
    const { host } = place;
    world.web.blackHoles.add(host);
    return {
      [Symbol.dispose]: () => {
        world.web.blackHoles.delete(host);
      },
    };
  };
  const slow = (): Disposable => {
    twin.delayMs = 3_000;
    return {
      [Symbol.dispose]: () => {
        twin.delayMs = 0;
      },
    };
  };
  return [
    fault("http garbage", true, SPOILED),
    fault("http hangs", true, DEAD),
    { name: "http host vanished", devices, isDeath: true, begin: vanish },
    { name: "http slow", devices, isDeath: false, begin: slow },
  ];
}

function moveHouse(house: HouseTruth, random: SeededRandom): void {
  house.grid = Math.round(random.between(-4_000, 4_000));
  house.pv = Math.round(random.between(0, 6_000));
  house.battery = Math.round(random.between(-3_000, 3_000));
  house.load = Math.round(random.between(200, 5_000));
  house.soc = Math.round(random.between(10, 95));
}

function flows(house: HouseTruth): Truth {
  return { "meter.power": house.grid, "inverter.power": house.pv, "battery.power": house.battery };
}

function kinds(): readonly Kind[] {
  const goE = new GoETwin(2);
  const fronius = new FroniusTwin();
  const meter = new HomeWizardTwin(1);
  const powerwall = new PowerwallTwin("AB123");
  const sonnen = new SonnenTwin(2, TOKEN);
  return [
    {
      id: "go-e-http",
      owner: "tom",
      twin: goE,
      options: { profile: "go-e-http" },
      truth: () => ({
        "charger.power": goE.car.power,
        "charger.maxCurrent": goE.car.limit,
        "charger.enabled": goE.force !== 1,
      }),
      move: () => {
        goE.car.total += 70;
      },
    },
    {
      id: "fronius",
      owner: "una",
      twin: fronius,
      options: { profile: "fronius-solar-api" },
      truth: () => flows(fronius.house),
      move: (random) => moveHouse(fronius.house, random),
    },
    {
      id: "homewizard",
      owner: "tom",
      twin: meter,
      options: { profile: "homewizard-v1" },
      announces: {
        type: "_hwenergy._tcp",
        name: "p1meter-aabbcc",
        txt: { product_type: "HWE-P1", product_name: "P1 Meter", serial: "5c2fafaabbcc", api_enabled: "1" },
      },
      truth: () => ({ "meter.power": meter.house.grid }),
      move: (random) => moveHouse(meter.house, random),
    },
    {
      id: "powerwall",
      owner: "vic",
      twin: powerwall,
      options: { profile: "tesla-powerwall", password: "AB123" },
      truth: () => flows(powerwall.house),
      move: (random) => moveHouse(powerwall.house, random),
    },
    {
      id: "sonnen",
      owner: "wim",
      twin: sonnen,
      options: { profile: "sonnen-v2", token: TOKEN },
      truth: () => flows(sonnen.house),
      move: (random) => moveHouse(sonnen.house, random),
    },
  ];
}
