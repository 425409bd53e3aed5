/** Kostal's Piko (dxs.json) and Plenticore (REST). Read only: the Plenticore's battery is controlled by Modbus. */
import { onceNotZero, type Provenance } from "hemgate/sdk";
import { defineHttpProfile, type HttpPoint, type HttpProfile } from "../http-profile.ts";
import { pointsOf } from "./points-of.ts";

const SOURCE: Provenance = { confidence: "cross-checked", source: "openWB, evcc, openHAB users" };
const SINGLE: Provenance = { confidence: "single-source", source: "pykoplenti" };

/** Numbers of what a Piko measures, and of what it is: its serial number and firmware as two lists of these numbers have them. */
const DXS = {
  power: 67_109_120,
  energy: 251_658_753,
  name: 16_777_984,
  serial: 16_777_728,
  firmware: 16_779_265,
} as const;

function entry(id: number): string {
  return `/dxsEntries/[dxsId=${id}]/value`;
}

const piko = pointsOf("values", SOURCE);

/** A process value of one module. */
function value(module: string, id: string): string {
  return `/[moduleid=${module}]/processdata/[id=${id}]/value`;
}

const local = pointsOf("local", SINGLE);
const battery = pointsOf("battery", SINGLE);
const powermeter = pointsOf("meter", SINGLE);

function phases(): readonly HttpPoint[] {
  return ([1, 2, 3] as const).flatMap((phase) => [
    powermeter(`meter.power.l${phase}`, value("devices:local:powermeter", `L${phase}_P`)),
    powermeter(`meter.voltage.l${phase}`, value("devices:local:powermeter", `L${phase}_U`)),
    powermeter(`meter.current.l${phase}`, value("devices:local:powermeter", `L${phase}_I`)),
  ]);
}

const PROCESS = "/api/v1/processdata";
const METER_IDS = ["Frequency", ...[1, 2, 3].flatMap((phase) => [`L${phase}_P`, `L${phase}_U`, `L${phase}_I`])];

export const KOSTAL: readonly HttpProfile[] = [
  defineHttpProfile({
    id: "kostal-piko",
    brand: "Kostal",
    model: "PIKO with web server 6 and later",
    vendors: ["KOSTAL"],
    scheme: "http",
    port: 80,
    auth: { kind: "basic", username: "pvserver", isOptional: true },
    limits: { timeoutMs: 8_000, minGapMs: 100 },
    pollMs: { fast: 10_000, normal: 60_000, slow: 600_000 },
    polls: [
      { id: "values", poll: "fast", path: `/api/dxs.json?dxsEntries=${DXS.power}&dxsEntries=${DXS.energy}` },
      {
        id: "plate",
        poll: "slow",
        path: `/api/dxs.json?dxsEntries=${DXS.name}&dxsEntries=${DXS.serial}&dxsEntries=${DXS.firmware}`,
        isOptional: true,
      },
    ],
    identity: {
      serial: [{ from: "plate", path: entry(DXS.serial) }],
      version: [{ from: "plate", path: entry(DXS.firmware) }],
      name: [{ from: "plate", path: entry(DXS.name) }],
    },
    points: [
      piko("inverter.power", entry(DXS.power)),
      // kWh, though what it made today is in Wh.
      piko("inverter.energy", entry(DXS.energy), { scale: 1_000 }),
    ],
    derived: [],
    controls: [],
    notes: ["At night the web server sleeps with the inverter."],
  }),
  defineHttpProfile({
    id: "kostal-plenticore",
    brand: "Kostal",
    model: "PLENTICORE or PIKO IQ, REST",
    vendors: ["KOSTAL"],
    scheme: "http",
    port: 80,
    auth: { kind: "plenticore", username: "user" },
    limits: { timeoutMs: 8_000, minGapMs: 100 },
    pollMs: { fast: 10_000, normal: 60_000, slow: 600_000 },
    polls: [
      { id: "local", poll: "fast", path: `${PROCESS}/devices:local/Dc_P,Grid_P,Home_P` },
      { id: "battery", poll: "fast", path: `${PROCESS}/devices:local:battery/P,SoC`, isOptional: true },
      {
        id: "meter",
        poll: "fast",
        path: `${PROCESS}/devices:local:powermeter/${METER_IDS.join(",")}`,
        isOptional: true,
      },
      {
        id: "energy",
        poll: "normal",
        path: `${PROCESS}/scb:statistic:EnergyFlow/Statistic:Yield:Total`,
        isOptional: true,
      },
      { id: "version", poll: "slow", path: "/api/v1/info/version", isOptional: true },
      {
        id: "plate",
        poll: "slow",
        path: "/api/v1/settings/devices:local/Properties:SerialNo,Branding:ProductName1",
        isOptional: true,
      },
    ],
    identity: {
      model: [{ from: "plate", path: "/[id=Branding:ProductName1]/value" }],
      serial: [{ from: "plate", path: "/[id=Properties:SerialNo]/value" }],
      version: [{ from: "version", path: "/sw_version" }],
      name: [{ from: "version", path: "/hostname" }],
    },
    parts: {
      battery: onceNotZero(["battery.soc"]),
      inverter: "always",
      meter: onceNotZero(["meter.frequency"]),
    },
    points: [
      local("raw.dc", value("devices:local", "Dc_P")),
      local("meter.power", value("devices:local", "Grid_P")),
      local("hem.load", value("devices:local", "Home_P")),
      // Discharging is positive here.
      battery("battery.power", value("devices:local:battery", "P"), { scale: -1 }),
      battery("battery.soc", value("devices:local:battery", "SoC")),
      powermeter("meter.frequency", value("devices:local:powermeter", "Frequency")),
      ...phases(),
      {
        ...SINGLE,
        key: "inverter.energy",
        from: "energy",
        path: value("scb:statistic:EnergyFlow", "Statistic:Yield:Total"),
      },
    ],
    derived: [{ point: "inverter.power", value: { of: "raw.dc" } }],
    controls: [],
    notes: [
      "The password is that of the plant owner (user), as in the web interface.",
      "Three wrong passwords lock the user for some minutes: after a refusal ten minutes pass before the next one, or one minute once if it was right before.",
      "The power is what the sun makes, before it goes into the battery.",
      "The battery is controlled by Modbus, once the installer has allowed external control.",
    ],
  }),
];
