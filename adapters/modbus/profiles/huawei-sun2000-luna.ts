import {
  type Condition,
  defineProfile,
  eitherOf,
  type Formula,
  MINUTE_MS,
  onceNotZero,
  type WriteStep,
} from "hemgate/sdk";
import { FORCED_POWER, POWER_IN_FLASH, statusOfPower } from "../profile/parts/battery.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, derivedFrom, singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const EVCC_WLCRS = crossChecked("evcc, wlcrs/huawei-solar-lib");
const EVCC_WLCRS_NYMEA = crossChecked("evcc, wlcrs/huawei-solar-lib, nymea");
const EVCC_WLCRS_NYMEA_OPENWB = crossChecked("evcc, wlcrs/huawei-solar-lib, nymea, openWB");
const EVCC_WLCRS_OPENWB = crossChecked("evcc, wlcrs/huawei-solar-lib, openWB");
const WLCRS_NYMEA = crossChecked("wlcrs/huawei-solar-lib, nymea");
const WLCRS_ONLY = singleSource("wlcrs/huawei-solar-lib");

/** The forcible period, whole minutes: the only timer that the inverter has, and forced operation ends with it. */
const FORCED_MINUTES = 2;

const POWER: Formula = { of: "battery.power" };
/** 37046 and 37048: the most that the storage can take and give, which the limits may be set to. */
const MOST_CHARGE: Formula = { of: "raw.mostCharge" };
const MOST_DISCHARGE: Formula = { of: "raw.mostDischarge" };

const FORCIBLE = 47100;
/** A limit of 0, by which other controllers hold a battery, is lifted; another one, which the owner set, stays. */
function lift(address: 47075 | 47077, key: string, most: Formula): WriteStep {
  return writeStep(address, 16, "uint32", most, { isStored: true, when: { of: { of: key }, is: 0 } });
}
const LIFT_CHARGE = lift(47075, "raw.chargeLimit", MOST_CHARGE);
const LIFT_DISCHARGE = lift(47077, "raw.dischargeLimit", MOST_DISCHARGE);
const chargePower = (value: Formula): WriteStep => writeStep(47247, 16, "uint32", value, { isStored: true });
/** Period, its use instead of a target charge, and the command, which starts it. */
function forced(command: 1 | 2): readonly WriteStep[] {
  return [
    writeStep(47083, 6, "uint16", FORCED_MINUTES),
    writeStep(47246, 6, "uint16", 0, { isStored: true }),
    writeStep(FORCIBLE, 6, "uint16", command),
  ];
}

/** Whether registers 47000 and 47089 name no storage, and none has a charge. An inverter that refuses them is taken for one with a storage. */
const HAS_NO_STORAGE: Condition = {
  all: [
    { of: { of: "raw.storageModel1" }, isKnown: true },
    { of: { of: "raw.storageModel1" }, is: 0 },
    {
      any: [
        { of: { of: "raw.storageModel2" }, isKnown: false },
        { of: { of: "raw.storageModel2" }, is: 0 },
      ],
    },
    // A storage that has a charge is there, whatever the registers name.
    {
      any: [
        { of: { of: "battery.soc" }, isKnown: false },
        { of: { of: "battery.soc" }, is: 0 },
      ],
    },
  ],
};
function withoutStorage(without: string, otherwise: string): Formula {
  return { when: HAS_NO_STORAGE, gives: { of: without }, otherwise: { of: otherwise } };
}

/** SUN2000 hybrid inverters with LUNA2000 storage and a DTSU or DDSU meter, directly or through the SDongle. */
export const huaweiSun2000Luna = defineProfile({
  id: "huawei-sun2000-luna",
  brand: "Huawei",
  model: "SUN2000",
  vendors: ["HUAWEI", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }, rtu(9_600)],
  limits: {
    maxRegisters: 125,
    minGapMs: 0,
    isOneValuePerRequest: false,
    timeoutMs: 5_000,
    connectDelayMs: 1_000,
    maxClients: 1,
  },
  notes: [
    POWER_IN_FLASH,
    "The dongle serves one client, answers slowly and needs a second after connecting; nothing else may talk to it.",
    "Through the inverter's own access point the unit is 0, and the port 6607 with old firmware.",
    "The limit of register 47415 acts on the feed-in of the whole connection, so it is not offered as a limit of the inverter.",
  ],
  identity: {
    model: { table: "holding", address: 30000, type: "string", words: 15, ...WLCRS_NYMEA },
    serial: { table: "holding", address: 30015, type: "string", words: 10, ...WLCRS_NYMEA },
  },
  parts: {
    battery: eitherOf(
      {
        when: {
          any: [
            { of: { of: "raw.storageModel1" }, atLeast: 1 },
            { of: { of: "raw.storageModel2" }, atLeast: 1 },
          ],
        },
        shown: "when registers 47000 or 47089 name a storage other than 0, none",
        ...WLCRS_ONLY,
      },
      onceNotZero(["battery.soc", "battery.energyCharged"]),
    ),
    inverter: "always",
    meter: onceNotZero(["meter.voltage.l1", "meter.energyImport", "meter.energyExport", "meter.power"]),
  },
  points: pointRows({ table: "holding", ...EVCC_WLCRS }, [
    ["raw.dcPower", 32064, "int32", "fast", { sentinels: [0x7fff_ffff], ...EVCC_WLCRS_NYMEA_OPENWB }],
    ["raw.acPower", 32080, "int32", "fast", { sentinels: [0x7fff_ffff], ...EVCC_WLCRS_NYMEA_OPENWB }],
    ["raw.dcEnergy", 32108, "uint32", "slow", { scale: 10, sentinels: [0xffff_ffff] }],
    ["raw.acEnergy", 32106, "uint32", "slow", { scale: 10, sentinels: [0xffff_ffff], ...EVCC_WLCRS_NYMEA_OPENWB }],
    ...phaseRows("meter.voltage", [37101, 2], "int32", "normal", { scale: 0.1, sentinels: [0x7fff_ffff] }),
    ["meter.current.l1", 37107, "int32", "normal", { scale: -0.01, sentinels: [0x7fff_ffff], ...EVCC_WLCRS_OPENWB }],
    ["meter.current.l2", 37109, "int32", "normal", { scale: -0.01, sentinels: [0x7fff_ffff] }],
    ["meter.current.l3", 37111, "int32", "normal", { scale: -0.01, sentinels: [0x7fff_ffff] }],
    ["meter.power", 37113, "int32", "fast", { scale: -1, sentinels: [0x7fff_ffff], ...EVCC_WLCRS_NYMEA_OPENWB }],
    ["meter.energyExport", 37119, "uint32", "slow", { scale: 10, sentinels: [0xffff_ffff], ...EVCC_WLCRS_NYMEA }],
    ["meter.energyImport", 37121, "uint32", "slow", { scale: 10, sentinels: [0xffff_ffff], ...EVCC_WLCRS_NYMEA }],
    ...phaseRows("meter.power", [37132, 2], "int32", "fast", { scale: -1, sentinels: [0x7fff_ffff] }),
    ["raw.storageModel1", 47000, "uint16", "slow", WLCRS_ONLY],
    ["raw.storageModel2", 47089, "uint16", "slow", WLCRS_ONLY],
    ["battery.capacity", 37758, "uint32", "slow", { sentinels: [0xffff_ffff] }],
    ["battery.soc", 37760, "uint16", "normal", { scale: 0.1, sentinels: [0xffff], ...EVCC_WLCRS_OPENWB }],
    ["raw.storageStatus", 37762, "uint16", "fast", WLCRS_ONLY],
    ["battery.power", 37765, "int32", "fast", { sentinels: [0x7fff_ffff], ...EVCC_WLCRS_OPENWB }],
    ["battery.energyCharged", 37780, "uint32", "slow", { scale: 10, sentinels: [0xffff_ffff] }],
    ["battery.energyDischarged", 37782, "uint32", "slow", { scale: 10, sentinels: [0xffff_ffff] }],
    ["raw.mostCharge", 37046, "uint32", "slow", { sentinels: [0xffff_ffff] }],
    ["raw.mostDischarge", 37048, "uint32", "slow", { sentinels: [0xffff_ffff] }],
    ["raw.chargeLimit", 47075, "uint32", "normal"],
    ["raw.dischargeLimit", 47077, "uint32", "normal"],
    ["battery.reserve", 47082, "uint16", "slow", { scale: 0.1, sentinels: [0xffff] }],
    ["raw.forcible", 47100, "uint16", "normal"],
    ["raw.chargePower", 47247, "uint32", "normal"],
  ]),
  derived: [
    // Beside a battery the AC side has its power in it, so that the modules' counts; without one what reaches the house does.
    { point: "inverter.power", value: withoutStorage("raw.acPower", "raw.dcPower") },
    { point: "inverter.energy", value: withoutStorage("raw.acEnergy", "raw.dcEnergy") },
    {
      point: "battery.status",
      value: {
        lookup: { of: "raw.storageStatus" },
        values: { 0: "UNKNOWN", 1: "IDLE", 3: "FAULT", 4: "IDLE" },
        otherwise: statusOfPower(POWER),
      },
    },
    {
      point: "battery.mode",
      value: {
        lookup: { of: "raw.forcible" },
        values: {
          0: {
            when: {
              all: [
                { of: { of: "raw.chargeLimit" }, is: 0 },
                { of: { of: "raw.dischargeLimit" }, is: 0 },
              ],
            },
            gives: "IDLE",
            otherwise: "SELF_RELIANCE",
          },
          1: { when: { of: { of: "raw.chargePower" }, is: 0 }, gives: "IDLE", otherwise: "IMPORT_FOCUS" },
          2: "EXPORT_FOCUS",
        },
        otherwise: "UNKNOWN",
      },
    },
  ],
  settings: FORCED_POWER,
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          {
            value: "SELF_RELIANCE",
            steps: [writeStep(FORCIBLE, 6, "uint16", 0, { isStored: true }), LIFT_CHARGE, LIFT_DISCHARGE],
          },
          {
            // Limits of 0 would do the same, but no timer ends them.
            value: "IDLE",
            steps: [chargePower(0), ...forced(1)],
            ...derivedFrom("a forced charge of evcc, of 0 W"),
          },
          {
            value: "IMPORT_FOCUS",
            steps: [
              LIFT_CHARGE,
              // Without this permission the storage takes nothing from the grid.
              writeStep(47087, 6, "uint16", 1, { isStored: true }),
              chargePower({ least: [{ setting: "maxChargeW" }, MOST_CHARGE] }),
              ...forced(1),
            ],
          },
          {
            value: "EXPORT_FOCUS",
            steps: [
              LIFT_DISCHARGE,
              writeStep(
                47249,
                16,
                "uint32",
                { least: [{ setting: "maxDischargeW" }, MOST_DISCHARGE] },
                { isStored: true },
              ),
              ...forced(2),
            ],
            ...derivedFrom("the forced charge of evcc mirrored; 47249: wlcrs/huawei-solar-lib"),
          },
        ],
      },
      hold: {
        holdMs: FORCED_MINUTES * MINUTE_MS,
        fallback: "goes back to the working mode that is set in the maker's app",
        ...EVCC_WLCRS,
      },
      approximate:
        "SELF_RELIANCE gives the battery back to the working mode that is set in the maker's app. IMPORT_FOCUS permits charging from the grid and leaves it permitted.",
      ...EVCC_WLCRS,
    },
  ],
});
