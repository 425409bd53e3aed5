/** What devices of each family hold on their plates, as their makers write it, in front of their register twins. */
import type { ModbusImage, ModbusReply } from "hemgate/testing";
import type { Clock } from "../../../../src/platform/ports/ports.ts";
import { createTwin } from "../../../twins/registers/create-twin.ts";
import type { TwinId } from "../../../twins/registers/twin-maps.ts";
import { liveIn } from "./lived-in.ts";

type Plate = Readonly<Record<number, string | number | { readonly u32: number }>>;

export interface PlatedDevice {
  readonly profile: string;
  readonly twin: TwinId;
  readonly unit: number;
  readonly port: number;
  readonly serial: string | null;
  /** The unit is none that is asked politely: somebody has to say which brand is looked for. */
  readonly isShy?: boolean;
  readonly holding?: Plate;
  readonly input?: Plate;
}

const sma = (profile: TwinId, deviceClass: number, serial: number): PlatedDevice => ({
  profile,
  twin: profile,
  unit: 3,
  port: 502,
  serial: String(serial),
  holding: { 30051: { u32: deviceClass }, 30053: { u32: 9_358 }, 30057: { u32: serial } },
});
const eastron = (profile: TwinId, code: number, serial: number): PlatedDevice => ({
  profile,
  twin: profile,
  unit: 1,
  port: 502,
  serial: String(serial),
  holding: { 64512: { u32: serial }, 64514: code },
});
const plain = (profile: string, twin: TwinId, serial: string | null, plates: Partial<PlatedDevice>): PlatedDevice => ({
  profile,
  twin,
  unit: 1,
  port: 502,
  serial,
  ...plates,
});

export const PLATED: readonly PlatedDevice[] = [
  plain("huawei-sun2000-luna", "huawei-sun2000-luna", "HV2250012345", {
    holding: { 30000: "SUN2000-10KTL-M1".padEnd(30, "\0"), 30015: "HV2250012345".padEnd(20, "\0") },
  }),
  plain("sungrow-sh", "sungrow-sh", "A2350415770", {
    input: { 4989: "A2350415770".padEnd(20, "\0"), 4999: 0x0e03 },
  }),
  plain("sungrow-sg", "sungrow-sg", "A2110012345", {
    input: { 4989: "A2110012345".padEnd(20, "\0"), 4999: 0x243e },
  }),
  plain("goodwe-et", "goodwe-et", "9010KETU22AW1234", {
    unit: 247,
    holding: { 35003: "9010KETU22AW1234", 35011: "GW10K-ET".padEnd(10, " ") },
  }),
  sma("sma-hybrid", 8_009, 3_012_345_678),
  sma("sma-pv", 8_001, 2_130_123_456),
  sma("sma-sunny-island", 8_007, 1_260_012_345),
  plain("kostal-plenticore", "kostal-plenticore", "90342XYZ0001", {
    unit: 71,
    port: 1_502,
    holding: {
      5: 0,
      14: "90342XYZ0001".padEnd(16, "\0"),
      768: "PLENTICORE plus".padEnd(64, "\0"),
    },
  }),
  plain("e3dc-simple", "e3dc-simple", "S10-4411223344", {
    holding: {
      40000: 0xe3dc,
      40001: 0x0102,
      40019: "S10 E AIO".padEnd(32, "\0"),
      40035: "S10-4411223344".padEnd(32, "\0"),
      40051: "S10_2023_02".padEnd(32, "\0"),
    },
  }),
  plain("openems-fenecon", "openems-fenecon", null, {
    holding: { 0: 0x6201, 1: 199, 2: "_meta".padEnd(32, "\0") },
  }),
  plain("victron-gx", "victron-gx", "b827ebaabbcc", { unit: 100, holding: { 800: "b827ebaabbcc" } }),
  plain("victron-evcs-direct", "victron-evcs-direct", "HQ2213ABCDE", {
    // The characters of each register stand the other way round.
    holding: { 5000: 0xc024, 5001: "QH2231BADC\0E" },
  }),
  plain("sigenergy-inverter", "sigenergy-sigenstor", "CMU123A45BP678", {
    input: { 30500: "SigenStor EC 10.0 TP".padEnd(30, "\0"), 30515: "CMU123A45BP678".padEnd(20, "\0") },
  }),
  plain("solax-g3g4", "solax-g3g4", "H34A10J1234567", {
    holding: { 0: "H34A10J1234567", 7: "solax".padEnd(14, "\0"), 14: "X3-Hybrid-G4".padEnd(14, "\0") },
  }),
  plain("marstek-venus", "marstek-venus", null, { holding: { 31000: "VNSEE3-0".padEnd(20, "\0") } }),
  plain("foxess-h3", "foxess-h3", null, { unit: 247, holding: { 30000: "H3-10.0-E".padEnd(32, "\0") } }),
  plain("foxess-h3-pro", "foxess-h3-pro", null, { unit: 247, holding: { 30000: "H3-Pro-20.0".padEnd(32, "\0") } }),
  plain("foxess-h1", "foxess-h1", null, { unit: 247, holding: { 30000: "H1-5.0-E".padEnd(32, "\0") } }),
  plain("deye-1p", "deye-1p", "2205123456", { holding: { 0: 3, 3: "2205123456" } }),
  plain("deye-3p", "deye-3p", "2301987654", { holding: { 0: 5, 3: "2301987654" } }),
  plain("sofar-hyd-g3", "sofar-hyd-g3", "SP1ES010N5A001", { holding: { 1093: "SP1ES010N5A001" } }),
  plain("keba-p30", "keba-p30-p40", "19123456", {
    holding: { 1014: { u32: 19_123_456 }, 1016: { u32: 314_101 }, 1018: { u32: 31_017 } },
  }),
  plain("keba-p40", "keba-p30-p40", "30123456", {
    holding: { 1014: { u32: 30_123_456 }, 1016: { u32: 414_101 }, 1018: { u32: 10_200 } },
  }),
  plain("alfen-ng9xx", "alfen-ng9xx", null, { holding: { 336: { u32: 0x4248_0000 }, 1201: "A".padEnd(10, "\0") } }),
  plain("go-e-modbus", "go-e-modbus", "212345", { input: { 105: "05\0\0", 304: "212345".padEnd(12, "\0") } }),
  plain("bender-cc-mennekes-ecu", "bender-cc-mennekes-ecu", null, {
    holding: { 100: "4.50", 142: "AMTRON Xtra".padEnd(20, "\0") },
  }),
  plain("phoenix-charx", "phoenix-charx", null, { holding: { 100: "CHARX SEC-3150".padEnd(20, "\0") } }),
  plain("heidelberg-ec", "heidelberg-ec", null, { input: { 4: 0x0107, 5: 2 } }),
  plain("openwb-2-secondary", "openwb-2-secondary", "snnumber12", {
    port: 1_502,
    input: { 10114: 1, 10150: "snnumber12".padEnd(20, "\0") },
  }),
  plain("stiebel-wpm", "stiebel-wpm", null, { input: { 5001: 390 } }),
  eastron("eastron-sdm120", 0x20, 21_050_123),
  eastron("eastron-sdm630", 0x70, 22_110_456),
  eastron("eastron-sdm72-v1", 0x84, 20_090_789),
  eastron("eastron-sdm72-v2", 0x89, 23_010_012),
  plain("cg-em24-rtu", "cg-em24-rtu", null, { holding: { 11: 72 } }),
  plain("cg-em24-e1-em340", "cg-em24-e1-em340", null, { holding: { 11: 1_650 } }),
  plain("abb-b23-b24", "abb-b23-b24", "1234567", {
    holding: { 35072: { u32: 1_234_567 }, 35168: "B23 112-100\0" },
  }),
  plain("huawei-emma", "huawei-emma", null, {
    unit: 0,
    isShy: true,
    holding: { 30222: "SmartHEMS".padEnd(40, "\0") },
  }),
  plain("growatt-sph", "growatt-sph", "ABC1234567", { holding: { 23: "ABC1234567", 43: 3_502 } }),
  plain("growatt-tlxh", "growatt-tlxh", "DEF7654321", { holding: { 23: "DEF7654321", 43: 5_100 } }),
  plain("solaredge-storedge", "solaredge-storedge", "7E1A2B3C", {
    port: 1_502,
    holding: {
      40004: "SolarEdge".padEnd(32, "\0"),
      40020: "SE10K-RWS48BEN4".padEnd(32, "\0"),
      40052: "7E1A2B3C".padEnd(32, "\0"),
      57600: "LG".padEnd(32, "\0"),
    },
  }),
  plain("victron-evcs", "victron-evcs", null, { unit: 40, isShy: true }),
  plain("mennekes-compact", "mennekes-compact", "1384202.0012", {
    unit: 50,
    isShy: true,
    holding: { 1: "1.3.4".padEnd(16, "\0"), 19: "1384202.0012".padEnd(16, "\0") },
  }),
  plain("mennekes-hcc3", "mennekes-hcc3", "134300123", {
    unit: 255,
    input: { 777: 16, 779: (134_300_123 & 0xffff) >>> 0, 780: 134_300_123 >>> 16 },
  }),
  plain("cg-em111", "cg-em111", null, { holding: { 11: 120 } }),
  ...(
    [
      ["abl-em4", 1],
      ["chint-dtsu666", 1],
      ["daikin-homehub", 1],
      ["glen-dimplex", 1],
      ["idm-navigator", 1],
      ["janitza-umg", 1],
      ["kostal-ksem", 1],
      ["lambda-eul", 1],
      ["nibe-s", 1],
      ["saj-h2", 1],
      ["siemens-pac1600", 1],
      ["siemens-pac2200", 1],
      ["sma-data-manager", 2],
      ["sma-shm2", 2],
      ["solis-hybrid", 1],
      ["sungrow-ihm", 247],
      ["sigenergy-sigenstor", 247],
      ["victron-heatpump", 1],
      ["webasto-next-tq", 255],
      ["weishaupt-wpm", 1],
      ["phoenix-ev-eth-wallbe", 255],
    ] as const
  ).map(([id, unit]) => plain(id, id, null, { unit })),
  ...(
    [
      ["alpha-ess-smile", 85],
      ["phoenix-em-cp", 180],
      ["victron-grid", 30],
      ["victron-vebus", 228],
    ] as const
  ).map(([id, unit]) => plain(id, id, null, { unit, isShy: true })),
  plain("schneider-iem3155", "schneider-iem3155", "18420123", {
    holding: {
      49: "iEM3155".padEnd(40, "\0"),
      69: "Schneider Electric".padEnd(40, "\0"),
      129: { u32: 18_420_123 },
    },
  }),
];

const NO_SUCH_FUNCTION: ModbusReply = { kind: "exception", code: 1 };

/** A device with its plate in front of what its family's registers hold. */
export async function platedImage(device: PlatedDevice, clock: Clock): Promise<ModbusImage> {
  const twin = await createTwin(device.twin, { clock, unit: device.unit });
  liveIn(twin, device.twin);
  return {
    ...plated(device, twin),
    writeHolding: () => {
      throw new Error("a search wrote to a device");
    },
    writeCoil: () => {
      throw new Error("a search wrote to a device");
    },
  };
}

/** Any image behind the plate. */
export function plated(device: PlatedDevice, twin: ModbusImage): ModbusImage {
  const holding = wordsOf(device.holding ?? {});
  const input = wordsOf(device.input ?? {});
  const answer = (
    words: ReadonlyMap<number, number>,
    [unit, address, count]: readonly [number, number, number],
    otherwise: () => ModbusReply,
  ): ModbusReply => {
    const values = Array.from({ length: count }, (_unused, index) => words.get(address + index));
    const known = values.filter((value) => value !== undefined);
    return unit === device.unit && known.length === count ? { kind: "values", values: known } : otherwise();
  };
  return {
    readHolding: (...read) => answer(holding, read, () => twin.readHolding(...read)),
    readInput: (...read) => answer(input, read, () => twin.readInput(...read)),
    readCoils: (...read) => twin.readCoils?.(...read) ?? NO_SUCH_FUNCTION,
    readDiscrete: (...read) => twin.readDiscrete?.(...read) ?? NO_SUCH_FUNCTION,
    writeHolding: (...written) => twin.writeHolding(...written),
    writeCoil: (...written) => twin.writeCoil?.(...written) ?? NO_SUCH_FUNCTION,
  };
}

function wordsOf(plate: Plate): ReadonlyMap<number, number> {
  return new Map(
    Object.entries(plate).flatMap(([address, value]) =>
      toWords(value).map((word, index): [number, number] => [Number(address) + index, word]),
    ),
  );
}

function toWords(value: Plate[number]): readonly number[] {
  if (typeof value === "number") return [value];
  if (typeof value === "object") return [value.u32 >>> 16, value.u32 & 0xffff];
  const bytes = Buffer.from(value, "latin1");
  return Array.from({ length: bytes.length / 2 }, (_unused, index) => bytes.readUInt16BE(2 * index));
}
