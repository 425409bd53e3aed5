/** Fronius' inverters over the Solar API, version 1: power flow, meter and battery. Read only. */
import { onceKnown, type PointName, type Provenance } from "hemgate/sdk";
import { defineHttpProfile, type HttpPoll, type HttpProfile } from "../http-profile.ts";
import { pointsOf } from "./points-of.ts";

const SOURCE: Provenance = { confidence: "cross-checked", source: "Fronius' Solar API document, evcc, pyfronius" };
const SINGLE: Provenance = { confidence: "single-source", source: "pyfronius" };

/** Every answer says in itself whether it counts; 255 is "not supported". */
const EXPECT: NonNullable<HttpPoll["expect"]> = { path: "/Head/Status/Code", is: 0, reason: "/Head/Status/Reason" };

const API = "/solar_api/v1";
const flow = pointsOf("flow", SOURCE);
const meter = pointsOf("meter", SOURCE);
const storage = pointsOf("storage", SINGLE);
/** The meter at the grid; one at location 1 or above measures a load or a generator. */
const GRID_METER = "/Body/Data/[Meter_Location_Current=0]";

/** The same in the names that GEN24 answers with in software of 2021. */
const OWN_GRID_METER = "/Body/Data/[SMARTMETER_VALUE_LOCATION_U16=0]";
const ownMeter = pointsOf("meter", {
  confidence: "cross-checked",
  source: "openHAB, openWB, Fronius.NET (Hochstaetter)",
});

/** What the meter measures: by the Solar API's document, and by the names of 2021. */
const METER_ROWS: readonly (readonly [point: PointName, name: string, ownName: string])[] = [
  ...([1, 2, 3] as const).flatMap((phase): [PointName, string, string][] => [
    [`meter.power.l${phase}`, `PowerReal_P_Phase_${phase}`, `SMARTMETER_POWERACTIVE_0${phase}_F64`],
    [`meter.voltage.l${phase}`, `Voltage_AC_Phase_${phase}`, `SMARTMETER_VOLTAGE_0${phase}_F64`],
    [`meter.current.l${phase}`, `Current_AC_Phase_${phase}`, `SMARTMETER_CURRENT_0${phase}_F64`],
  ]),
  ["meter.frequency", "Frequency_Phase_Average", "GRID_FREQUENCY_MEAN_F32"],
  ["meter.energyImport", "EnergyReal_WAC_Sum_Consumed", "SMARTMETER_ENERGYACTIVE_CONSUMED_SUM_F64"],
  ["meter.energyExport", "EnergyReal_WAC_Sum_Produced", "SMARTMETER_ENERGYACTIVE_PRODUCED_SUM_F64"],
];

const COMMON = {
  brand: "Fronius",
  vendors: ["FRONIUS"],
  scheme: "http",
  port: 80,
  auth: { kind: "none" },
  limits: { timeoutMs: 8_000, minGapMs: 50 },
  controls: [],
} as const;

export const FRONIUS: readonly HttpProfile[] = [
  defineHttpProfile({
    ...COMMON,
    id: "fronius-solar-api",
    model: "Inverter with Solar API 1",
    pollMs: { fast: 5_000, normal: 30_000, slow: 600_000 },
    polls: [
      { id: "flow", poll: "fast", path: `${API}/GetPowerFlowRealtimeData.fcgi`, expect: EXPECT },
      {
        id: "meter",
        poll: "fast",
        path: `${API}/GetMeterRealtimeData.cgi?Scope=System`,
        isOptional: true,
        expect: EXPECT,
      },
      {
        id: "storage",
        poll: "normal",
        path: `${API}/GetStorageRealtimeData.cgi?Scope=System`,
        isOptional: true,
        expect: EXPECT,
      },
      {
        id: "inverter",
        poll: "normal",
        path: `${API}/GetInverterRealtimeData.cgi?Scope=Device&DeviceId={inverter}&DataCollection=CommonInverterData`,
        isOptional: true,
        expect: EXPECT,
      },
      { id: "info", poll: "slow", path: `${API}/GetInverterInfo.cgi`, isOptional: true, expect: EXPECT },
      { id: "logger", poll: "slow", path: `${API}/GetLoggerInfo.cgi`, isOptional: true, expect: EXPECT },
    ],
    identity: {
      serial: [
        { from: "logger", path: "/Body/LoggerInfo/UniqueID" },
        { from: "info", path: "/Body/Data/*/UniqueID" },
      ],
      version: [{ from: "logger", path: "/Body/LoggerInfo/SWVersion" }],
    },
    parts: {
      battery: onceKnown(["battery.power", "raw.soc", "raw.storageSoc"], SOURCE),
      inverter: "always",
      meter: onceKnown(["meter.power"], SOURCE),
    },
    points: [
      // Null at night, when there is no sun to measure.
      flow("inverter.power", "/Body/Data/Site/P_PV"),
      flow("raw.energy", "/Body/Data/Site/E_Total"),
      flow("meter.power", "/Body/Data/Site/P_Grid"),
      // Consumption is negative, discharging is positive here.
      flow("hem.load", "/Body/Data/Site/P_Load", { scale: -1 }),
      flow("battery.power", "/Body/Data/Site/P_Akku", { scale: -1 }),
      flow("raw.soc", "/Body/Data/Inverters/*/SOC"),
      ...METER_ROWS.flatMap(([point, name, ownName]) => [
        meter(`raw.${point}`, `${GRID_METER}/${name}`),
        ownMeter(`raw.gen24.${point}`, `${OWN_GRID_METER}/${ownName}`),
      ]),
      storage("raw.storageSoc", "/Body/Data/*/Controller/StateOfCharge_Relative"),
      // pyfronius calls it Ah; 11,520 is what BYD's plate says in Wh.
      storage("battery.capacity", "/Body/Data/*/Controller/DesignedCapacity", { combine: "sum" }),
      { ...SINGLE, key: "raw.inverterEnergy", from: "inverter", path: "/Body/Data/TOTAL_ENERGY/Value" },
    ],
    derived: [
      ...METER_ROWS.map(([point]) => ({
        point,
        value: { first: [{ of: `raw.${point}` }, { of: `raw.gen24.${point}` }] },
      })),
      { point: "battery.soc", value: { first: [{ of: "raw.soc" }, { of: "raw.storageSoc" }] } },
      // GEN24 has no total in the power flow.
      { point: "inverter.energy", value: { first: [{ of: "raw.energy" }, { of: "raw.inverterEnergy" }] } },
    ],
    settings: {
      inverter: { unit: "", meaning: "Number of the inverter whose total counts", min: 0, max: 255, default: 1 },
    },
    notes: [
      "GEN24 and Verto: switch the Solar API on in the web interface, under communication.",
      "The battery is controlled by Modbus (profile sunspec); the Solar API only reads.",
    ],
  }),
  defineHttpProfile({
    ...COMMON,
    id: "fronius-ohmpilot",
    model: "Ohmpilot behind an inverter with Solar API 1",
    pollMs: { fast: 10_000, normal: 30_000, slow: 600_000 },
    polls: [{ id: "pilot", poll: "fast", path: `${API}/GetOhmPilotRealtimeData.cgi?Scope=System`, expect: EXPECT }],
    identity: {
      manufacturer: [{ from: "pilot", path: "/Body/Data/*/Details/Manufacturer" }],
      model: [{ from: "pilot", path: "/Body/Data/*/Details/Model" }],
      serial: [{ from: "pilot", path: "/Body/Data/*/Details/Serial" }],
      version: [{ from: "pilot", path: "/Body/Data/*/Details/Software" }],
    },
    points: [
      { ...SINGLE, key: "hvac.power", from: "pilot", path: "/Body/Data/*/PowerReal_PAC_Sum" },
      { ...SINGLE, key: "hvac.temperature", from: "pilot", path: "/Body/Data/*/Temperature_Channel_1" },
    ],
    derived: [
      {
        point: "hvac.isActive",
        value: { when: { of: { of: "hvac.power" }, atLeast: 1 }, gives: true, otherwise: false },
      },
    ],
    notes: ["The temperature is that of the water, where a sensor is connected."],
  }),
];
