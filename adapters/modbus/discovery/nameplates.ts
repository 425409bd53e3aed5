/**
 * The registers by which a search knows each device of the known profiles. They stand together because a host is asked
 * about all of them in one conversation. Addresses are zero-based, as on the wire. A device is distinguished from others by what
 * its maker put there: a magic number, a type code, a text with its name. What has none of these is in signatures.ts.
 */
import type { Fingerprint, FingerprintCheck, RegisterTable, RegisterType } from "hemgate/sdk";
import type { ProfileSummary } from "../profile/profile-summary.ts";
import { SIGNATURES } from "./signatures.ts";

type Wants = Pick<FingerprintCheck, "is" | "pattern" | "min" | "max" | "tells" | "wordOrder" | "byteOrder">;

function number(address: number, type: RegisterType, wants: Wants, table: RegisterTable = "holding"): FingerprintCheck {
  return { table, address, type, ...wants };
}

function text(address: number, words: number, wants: Wants, table: RegisterTable = "holding"): FingerprintCheck {
  return { table, address, type: "string", words, ...wants };
}

function known(certainty: number, ...checks: Fingerprint["checks"]): Fingerprint {
  return { certainty, checks };
}

const SERIAL_TEXT = "^[A-Z0-9][A-Z0-9-]{5,23}$";
/** SMA's device class, model and serial number, as unit 3 and on have them. */
const sma = (deviceClass: number): Fingerprint =>
  known(
    0.9,
    number(30_051, "uint32", { is: [deviceClass] }),
    number(30_053, "uint32", { min: 1, max: 99_999, tells: "model" }),
    number(30_057, "uint32", { min: 1, max: 0xffff_fffe, tells: "serial" }),
  );
/** Eastron's meter code, as its protocol documents print it on the last page. */
const eastron = (code: number): Fingerprint =>
  known(
    0.95,
    number(64_514, "uint16", { is: [code] }),
    number(64_512, "uint32", { min: 1, max: 0xffff_fffe, tells: "serial" }),
  );

/** Growatt's device type code and serial number, which are the same in all its families (protocol V1.24). */
const growatt = (...types: readonly number[]): Fingerprint =>
  known(0.9, number(43, "uint16", { is: types }), text(23, 5, { pattern: "^[A-Z0-9]{8,10}$", tells: "serial" }));

/** What a search knows a profile's devices by; null: nothing. A profile of a user brings its own. */
export function fingerprintOf({ id, fingerprint }: Pick<ProfileSummary, "id" | "fingerprint">): Fingerprint | null {
  return fingerprint ?? NAMEPLATES[id] ?? SIGNATURES[id] ?? null;
}

const NAMEPLATES: Readonly<Record<string, Fingerprint>> = {
  // Solar Inverter Modbus Interface Definitions V3.0.
  "huawei-sun2000-luna": known(
    0.95,
    text(30_000, 15, { pattern: "^SUN2000", tells: "model" }),
    text(30_015, 10, { pattern: SERIAL_TEXT, tells: "serial" }),
  ),
  // wlcrs/huawei-solar-lib: an EMMA calls itself SmartHEMS.
  "huawei-emma": known(0.95, text(30_222, 20, { pattern: "^SmartHEMS", tells: "model" })),
  // Type codes of the residential hybrids are 0x0Dxx and 0x0Exx, those of string inverters above 0x2400.
  "sungrow-sh": known(
    0.9,
    number(4_999, "uint16", { min: 0x0d00, max: 0x0eff }, "input"),
    text(4_989, 10, { pattern: SERIAL_TEXT, tells: "serial" }, "input"),
  ),
  "sungrow-sg": known(
    0.85,
    number(4_999, "uint16", { min: 0x2400, max: 0x2fff }, "input"),
    text(4_989, 10, { pattern: SERIAL_TEXT, tells: "serial" }, "input"),
  ),
  // Serial numbers of GoodWe have 16 characters, the power in kW first.
  "goodwe-et": known(
    0.85,
    text(35_003, 8, { pattern: "^[0-9][A-Z0-9]{15}$", tells: "serial" }),
    text(35_011, 5, { pattern: "^(GW|[A-Z])", tells: "model" }),
  ),
  "sma-hybrid": sma(8_009),
  "sma-pv": sma(8_001),
  "sma-sunny-island": sma(8_007),
  // KOSTAL's interface description "MODBUS (TCP) & SunSpec".
  "kostal-plenticore": known(
    0.95,
    number(5, "uint16", { is: [0, 1] }),
    text(768, 32, { pattern: "PLENTICORE|PIKO", tells: "model" }),
    text(14, 8, { pattern: SERIAL_TEXT, tells: "serial" }),
  ),
  "e3dc-simple": known(
    0.95,
    number(40_000, "uint16", { is: [0xe3dc] }),
    text(40_019, 16, { tells: "model" }),
    text(40_035, 16, { tells: "serial" }),
    text(40_051, 16, { tells: "version" }),
  ),
  "openems-fenecon": known(0.9, number(0, "uint16", { is: [0x6201] }), text(2, 16, { pattern: "^_meta" })),
  // A GX device's serial number is the MAC address of its network port.
  "victron-gx": known(0.95, text(800, 6, { pattern: "^[0-9a-f]{12}$", tells: "serial" })),
  // The product code of the station, where a GX shows it.
  "victron-evcs": known(0.85, number(3_800, "uint16", { min: 0xc020, max: 0xc02f })),
  "victron-evcs-direct": known(
    0.9,
    number(5_000, "uint16", { min: 0xc020, max: 0xc02f }),
    // The second character of each register is in its high byte.
    text(5_001, 6, { byteOrder: "little", pattern: "^HQ[0-9A-Z]+", tells: "serial" }),
  ),
  "sigenergy-inverter": known(
    0.9,
    text(30_500, 15, { pattern: "^(Sig|SIG)", tells: "model" }, "input"),
    text(30_515, 10, { tells: "serial" }, "input"),
  ),
  "solax-g3g4": known(
    0.9,
    text(7, 7, { pattern: "^(solax|SolaX|SOLAX)" }),
    text(0, 7, { pattern: "^[A-Z0-9]{10,14}$", tells: "serial" }),
    text(14, 7, { tells: "model" }),
  ),
  "marstek-venus": known(0.85, text(31_000, 10, { pattern: "[Vv]enus|VNSE", tells: "model" })),
  "foxess-h3": known(0.85, text(30_000, 16, { pattern: "^H3-(?!Pro|PRO)", tells: "model" })),
  "foxess-h3-pro": known(0.9, text(30_000, 16, { pattern: "^H3-(Pro|PRO)", tells: "model" })),
  "foxess-h1": known(0.85, text(30_000, 16, { pattern: "^(H1|AIO-H1|AC1)-", tells: "model" })),
  // Device type 3 (single phase), 5 and 6 (three phases, low and high voltage), some firmwares with swapped bytes.
  // Hybrids and coupled batteries (SPH, SPA), and hybrids of the TL-XH, MOD and MID series.
  "growatt-sph": growatt(3_501, 3_502, 3_503, 3_504, 3_601, 3_701, 3_715, 3_716, 3_725, 3_735, 21_303),
  "growatt-tlxh": growatt(5_100, 5_400, 5_401),
  // By SunSpec's common block; the maker of a battery stands where only inverters with one have registers.
  "solaredge-storedge": known(
    0.95,
    text(40_004, 16, { pattern: "^SolarEdge", tells: "manufacturer" }),
    text(57_600, 16, { pattern: "^[ -~]{2,}" }),
  ),
  "deye-1p": known(
    0.85,
    number(0, "uint16", { is: [0x0003, 0x0300] }),
    text(3, 5, { pattern: "^[0-9]{10}$", tells: "serial" }),
  ),
  "deye-3p": known(
    0.85,
    number(0, "uint16", { is: [0x0005, 0x0500, 0x0006, 0x0600] }),
    text(3, 5, { pattern: "^[0-9]{10}$", tells: "serial" }),
  ),
  "sofar-hyd-g3": known(0.7, text(0x0445, 7, { pattern: "^S[A-Z][A-Z0-9]{8,12}$", tells: "serial" })),
  // The product code names the family by its first digit: 1 is a P20, 3 a P30, 4 a P40.
  "keba-p30": known(
    0.9,
    number(1_016, "uint32", { min: 300_000, max: 399_999 }),
    number(1_014, "uint32", { min: 1_000_000, max: 99_999_999, tells: "serial" }),
    number(1_018, "uint32", { min: 1, tells: "version" }),
  ),
  "keba-p40": known(
    0.9,
    number(1_016, "uint32", { min: 400_000, max: 499_999 }),
    number(1_014, "uint32", { min: 1_000_000, max: 99_999_999, tells: "serial" }),
    number(1_018, "uint32", { min: 1, tells: "version" }),
  ),
  // The state of IEC 61851 as text, which nobody else has in five registers.
  "alfen-ng9xx": known(
    0.85,
    text(1_201, 5, { pattern: "^(A|B1|B2|C1|C2|D1|D2|E|F)$" }),
    number(336, "float32", { min: 45, max: 65 }),
  ),
  "go-e-modbus": known(
    0.9,
    text(304, 6, { pattern: "^[0-9]{6}$", tells: "serial" }, "input"),
    text(105, 2, { tells: "version" }, "input"),
  ),
  "bender-cc-mennekes-ecu": known(
    0.8,
    text(100, 2, { pattern: "^[0-9]\\.[0-9]", tells: "version" }),
    text(142, 10, { pattern: "^[A-Za-z][ -~]{2,}", tells: "model" }),
  ),
  // The state of the control pilot as the makers count it, and the plate.
  "mennekes-compact": known(
    0.8,
    number(264, "uint16", { is: [10, 11, 12, 13, 14, 15, 26, 27, 28, 29] }),
    text(1, 8, { pattern: "^[0-9]+\\.[0-9]", tells: "version" }),
    text(19, 8, { pattern: "^[A-Z0-9][A-Z0-9.-]{3,15}$", tells: "serial" }),
  ),
  "mennekes-hcc3": known(
    0.75,
    number(770, "uint16", { min: 1, max: 8 }, "input"),
    number(777, "uint16", { min: 6, max: 80 }, "input"),
    number(779, "uint32", { wordOrder: "little", min: 1, max: 0xffff_fffe, tells: "serial" }, "input"),
  ),
  "phoenix-charx": known(0.85, text(100, 10, { pattern: "CHARX", tells: "model" })),
  "heidelberg-ec": known(
    0.8,
    number(4, "uint16", { min: 0x0100, max: 0x01ff }, "input"),
    number(5, "uint16", { min: 2, max: 11 }, "input"),
  ),
  "openwb-2-secondary": known(
    0.8,
    text(10_150, 10, { pattern: "^[0-9A-Za-z]{4,20}$", tells: "serial" }, "input"),
    number(10_114, "uint16", { is: [0, 1] }, "input"),
  ),
  // Controller identification of the ISG: 390 WPM 3, 391 WPM 3i, 449 WPMsystem.
  "stiebel-wpm": known(0.85, number(5_001, "uint16", { is: [390, 391, 449] }, "input")),
  "eastron-sdm120": eastron(0x0020),
  "eastron-sdm630": eastron(0x0070),
  "eastron-sdm72-v1": eastron(0x0084),
  "eastron-sdm72-v2": eastron(0x0089),
  // Carlo Gavazzi's identification code: 71 to 73 the EM24 with a serial line, 1648 to 1653 the one with Ethernet.
  "cg-em24-rtu": known(0.85, number(11, "uint16", { is: [71, 72, 73] })),
  "cg-em24-e1-em340": known(0.85, number(11, "uint16", { is: [1_648, 1_649, 1_650, 1_651, 1_652, 1_653] })),
  // ET112 are 120 and 121 (victronenergy/dbus-modbus-client), the others of its size below; all with a voltage.
  "cg-em111": known(
    0.8,
    number(11, "uint16", { min: 100, max: 121 }),
    number(0, "int32", { wordOrder: "little", min: 1_800, max: 2_700 }, "input"),
  ),
  "abb-b23-b24": known(
    0.9,
    text(0x8960, 6, { pattern: "^B2[34]", tells: "model" }),
    number(0x8900, "uint32", { min: 1, max: 0xffff_fffe, tells: "serial" }),
  ),
  "schneider-iem3155": known(
    0.9,
    text(0x45, 20, { pattern: "^Schneider" }),
    text(0x31, 20, { pattern: "^(iEM|A9MEM)3", tells: "model" }),
    number(0x81, "uint32", { min: 1, max: 0xffff_fffe, tells: "serial" }),
  ),
};
