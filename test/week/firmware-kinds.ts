/** One device of each firmware that is a meter, an inverter or a charger: how it is made up, what is true of it. */
import type { SeededRandom } from "hemgate/testing";
import { AhoyDtuTwin } from "../twins/firmware/ahoydtu.ts";
import type { Firmware } from "../twins/firmware/board.ts";
import { EsphomeTwin } from "../twins/firmware/esphome.ts";
import { EverestTwin } from "../twins/firmware/everest.ts";
import { GoETwin } from "../twins/firmware/go-e.ts";
import { DiscoveryTwin } from "../twins/firmware/homeassistant.ts";
import { HomieTwin } from "../twins/firmware/homie.ts";
import { OpenDtuTwin } from "../twins/firmware/opendtu.ts";
import { OpenEvseTwin } from "../twins/firmware/openevse.ts";
import { OpenWbTwin } from "../twins/firmware/openwb.ts";
import { ShellyGen1Twin } from "../twins/firmware/shelly-gen1.ts";
import { ShellyGen2Twin } from "../twins/firmware/shelly-gen2.ts";
import { TasmotaTwin } from "../twins/firmware/tasmota.ts";
import type { Truth } from "./truth-device.ts";

export interface Kind {
  readonly id: string;
  readonly owner: string;
  readonly twin: Firmware;
  readonly options: Readonly<Record<string, unknown>>;
  /** How often it tells, or is asked, s. */
  readonly everyS: number;
  /** Its owner made it tell so seldom; as it comes it tells each second or so. */
  readonly isSlowed?: boolean;
  truth(): Truth;
  /** `hour`: of the sun's day. */
  move(random: SeededRandom, hour: number): void;
  /** A message that only asks. */
  readonly asks?: RegExp;
  /** Makes it connected and dumb, or well again. */
  hang?(isHung: boolean): void;
}

export function tenths(random: SeededRandom, least: number, most: number): number {
  return Math.round(10 * random.between(least, most)) / 10;
}

export function meters(): readonly Kind[] {
  const circuits = [300.5, 200.5, 100.5].map((powerW) => ({ powerW, voltage: 230.1, totalWh: 10, returnedWh: 0 }));
  const em3 = new ShellyGen1Twin("shellyem3-A4CF12345678", "SHEM-3", circuits);
  const pro3em = new ShellyGen2Twin("shellypro3em-aabbccddeeff", "SPEM-003CEBEU", {
    "em:0": { id: 0, total_act_power: -450.5 },
  });
  const entity = { component: "sensor", objectId: "power", unit: "W", deviceClass: "power", state: "77" } as const;
  const entities = [{ ...entity } as { -readonly [Key in keyof typeof entity]: string } & typeof entity];
  const node = new EsphomeTwin("node", entities);
  const power = { datatype: "float" as const, unit: "W", value: "5" };
  const homie = new HomieTwin("cellar", { power });
  const told = { powerW: 77 };
  return [
    {
      id: "em3",
      owner: "ola",
      twin: em3,
      options: { bridge: "shelly-gen1", topic: "shellyem3-A4CF12345678", role: "meter" },
      everyS: 30,
      truth: () => ({ "meter.power": circuits.reduce((sum, { powerW }) => sum + powerW, 0) }),
      move: (random) => {
        for (const circuit of circuits) circuit.powerW = tenths(random, -2_000, 3_000);
      },
      asks: /\/command (announce|update)$/,
    },
    {
      id: "pro3em",
      owner: "per",
      twin: pro3em,
      options: { bridge: "shelly-gen2", topic: "shellypro3em-aabbccddeeff", role: "meter" },
      everyS: 30,
      truth: () => ({ "meter.power": Number(pro3em.components.get("em:0")?.["total_act_power"]) }),
      move: (random) => pro3em.set("em:0", { total_act_power: tenths(random, -4_000, 4_000) }),
      asks: /\/rpc .*"method":"Shelly\.Get/,
      hang: (isHung) => {
        pro3em.isDeaf = isHung;
      },
    },
    {
      id: "node",
      owner: "rea",
      twin: node,
      options: { bridge: "esphome", topic: "node", role: "meter" },
      everyS: 60,
      truth: () => ({ "meter.power": told.powerW }),
      move: (random) => {
        told.powerW = tenths(random, 100, 4_000);
        const [first] = node.entities;
        if (first !== undefined) first.state = String(told.powerW);
      },
      asks: /^esphome\//,
    },
    {
      id: "homie",
      owner: "sam",
      twin: homie,
      options: { bridge: "homie", topic: "cellar", role: "meter" },
      everyS: 1,
      truth: () => ({ "meter.power": Number(power.value) }),
      move: (random) => {
        power.value = String(tenths(random, -4_000, 4_000));
      },
    },
  ];
}

export function inverters(): readonly Kind[] {
  const open = new OpenDtuTwin("114181234567");
  const ahoy = new AhoyDtuTwin("garage", 0);
  const fields = { p: "sensor", dev_cla: "power", unit_of_meas: "kW", stat_t: "~/state", uniq_id: "pv" };
  const pv = { ...fields, val_tpl: "{{ value_json.p }}" };
  const deye = new DiscoveryTwin("deye_1", { pv }, { state: { p: 1.25 } });
  return [
    {
      id: "opendtu",
      owner: "ola",
      twin: open,
      options: { bridge: "opendtu", topic: "114181234567" },
      everyS: 30,
      isSlowed: true,
      truth: () => ({ "inverter.power": open.powerW, "inverter.energy": 1_000 * open.energyKwh }),
      move: (random) => {
        open.powerW = tenths(random, 0, 600);
        open.energyKwh += 0.01;
      },
    },
    {
      id: "ahoydtu",
      owner: "per",
      twin: ahoy,
      options: { bridge: "ahoydtu", topic: "garage", channel: 0 },
      everyS: 15,
      truth: () => ({ "inverter.power": ahoy.powerW, "inverter.energy": 1_000 * ahoy.energyKwh }),
      move: (random) => {
        ahoy.powerW = tenths(random, 0, 600);
        ahoy.energyKwh += 0.01;
      },
    },
    {
      id: "deye",
      owner: "rea",
      twin: deye,
      options: { bridge: "homeassistant", topic: "deye_1", role: "inverter" },
      everyS: 10,
      truth: () => ({ "inverter.power": 1_000 * Number(deye.state["p"]) }),
      move: (random) => {
        deye.state = { p: tenths(random, 0, 80) / 10 };
      },
    },
  ];
}

export function chargers(): readonly Kind[] {
  const plug = new TasmotaTwin("tasmota_345678");
  const goE = new GoETwin("00123456");
  const evse = new OpenEvseTwin("openevse-7b2c");
  const openwb = new OpenWbTwin();
  const everest = new EverestTwin("evse_manager");
  return [
    {
      id: "plug",
      owner: "ola",
      twin: plug,
      options: { bridge: "tasmota", topic: "tasmota_345678", role: "charger" },
      everyS: 30,
      truth: () => ({ "charger.power": plug.isOn ? plug.loadW : 0, "charger.enabled": plug.isOn }),
      move: (random) => {
        plug.loadW = tenths(random, 900, 2_300);
      },
      asks: /^cmnd\/\w+\/STATUS /i,
      hang: (isHung) => {
        plug.isSilent = isHung;
      },
    },
    {
      id: "go-e",
      owner: "per",
      twin: goE,
      options: { bridge: "go-e", topic: "00123456" },
      everyS: 15,
      isSlowed: true,
      truth: () => ({
        "charger.power": (goE.keys.get("nrg") as readonly number[])[11] ?? null,
        "charger.maxCurrent": Number(goE.keys.get("amp")),
        "charger.energy": Number(goE.keys.get("eto")),
      }),
      move: (random) => {
        const isCharging = goE.keys.get("car") === 2;
        const watts = isCharging ? Math.round(random.between(4_000, 11_000)) : 0;
        const nrg = [...(goE.keys.get("nrg") as readonly number[])];
        nrg[11] = watts;
        goE.keys.set("nrg", nrg);
        goE.keys.set("eto", Number(goE.keys.get("eto")) + 50);
      },
    },
    {
      id: "openevse",
      owner: "rea",
      twin: evse,
      options: { bridge: "openevse", topic: "openevse-7b2c" },
      everyS: 30,
      truth: () => ({
        "charger.maxCurrent": evse.override?.charge_current ?? evse.claim?.charge_current ?? evse.defaultA,
      }),
      move: (random) => {
        evse.powerW = Math.round(random.between(2_000, 7_000));
      },
    },
    {
      id: "openwb",
      owner: "sam",
      twin: openwb,
      options: { bridge: "openwb", topic: "openWB", role: "charger", channel: 3 },
      everyS: 10,
      truth: () => ({ "charger.power": Number(openwb.topics.get("chargepoint/3/get/power")) }),
      move: (random) => {
        const isCharging = openwb.topics.get("chargepoint/3/get/charge_state") === true;
        openwb.topics.set("chargepoint/3/get/power", isCharging ? Math.round(random.between(2_000, 11_000)) : 0);
      },
    },
    {
      id: "everest",
      owner: "uwe",
      twin: everest,
      options: { bridge: "everest", topic: "evse_manager" },
      everyS: 15,
      isSlowed: true,
      truth: () => {
        const limitA = Math.min(everest.externalA, everest.fuseA);
        // A limit of 0 is a stop; what is shown beside it is the limit from before.
        return { "charger.power": everest.powerW, ...(limitA > 0 && { "charger.maxCurrent": limitA }) };
      },
      move: (random) => {
        everest.powerW = tenths(random, 4_000, 11_000);
      },
      hang: (isHung) => {
        everest.isSilent = isHung;
      },
    },
  ];
}
