import type { AssetKind } from "./asset.ts";

/** Vendor codes with the brand as people write it (supplement 4.2). */
const BRANDS = {
  AFORE: "Afore",
  ALFEN: "Alfen",
  APSYSTEMS: "APsystems",
  CHARGEAMPS: "Charge Amps",
  CHARGEPOINT: "ChargePoint",
  CSISolar: "CSI Solar",
  Deye: "Deye",
  EASEE: "Easee",
  ENELX: "Enel X",
  ENPHASE: "Enphase",
  EO: "EO",
  EVBOX: "EVBox",
  FOXESS: "FoxESS",
  FRONIUS: "Fronius",
  GARO: "GARO",
  GIVENERGY: "GivEnergy",
  GOE: "go-e",
  GOODWE: "GoodWe",
  GROWATT: "Growatt",
  HEIDELBERG: "Heidelberg",
  Hoymiles: "Hoymiles",
  HUAWEI: "Huawei",
  HYPERVOLT: "Hypervolt",
  INVT: "INVT",
  KEBA: "KEBA",
  MYENERGI: "myenergi",
  OHME: "Ohme",
  PODPOINT: "Pod Point",
  SCHNEIDER: "Schneider Electric",
  SMA: "SMA",
  SOFAR: "Sofar",
  SOLAREDGE: "SolarEdge",
  SOLARK: "Sol-Ark",
  SOLAX: "SolaX",
  SOLIS: "Solis",
  SOLPLANET: "Solplanet",
  SUNGROW: "Sungrow",
  SUNSYNK: "Sunsynk",
  TESLA: "Tesla",
  TSUN: "TSUN",
  WALLBOX: "Wallbox",
  ZAPTEC: "Zaptec",
} as const;
export type VendorCode = keyof typeof BRANDS;

const STORAGE_VENDORS: readonly VendorCode[] = [
  "ENPHASE",
  "FOXESS",
  "GIVENERGY",
  "HUAWEI",
  "SMA",
  "SOLAREDGE",
  "SOLAX",
  "SOLIS",
  "TESLA",
];

/** The codes that each category knows; where a brand is missing the protocol's generic code stands. */
export const VENDORS: Readonly<Record<AssetKind, readonly VendorCode[]>> = {
  battery: STORAGE_VENDORS,
  meter: STORAGE_VENDORS,
  charger: [
    "ALFEN",
    "CHARGEAMPS",
    "CHARGEPOINT",
    "EASEE",
    "ENELX",
    "EO",
    "EVBOX",
    "GARO",
    "GOE",
    "HEIDELBERG",
    "HYPERVOLT",
    "KEBA",
    "MYENERGI",
    "OHME",
    "PODPOINT",
    "SCHNEIDER",
    "TESLA",
    "WALLBOX",
    "ZAPTEC",
  ],
  inverter: [
    "AFORE",
    "APSYSTEMS",
    "CSISolar",
    "Deye",
    "ENPHASE",
    "FOXESS",
    "FRONIUS",
    "GIVENERGY",
    "GOODWE",
    "GROWATT",
    "Hoymiles",
    "HUAWEI",
    "INVT",
    "SMA",
    "SOFAR",
    "SOLAREDGE",
    "SOLARK",
    "SOLAX",
    "SOLIS",
    "SOLPLANET",
    "SUNGROW",
    "SUNSYNK",
    "TESLA",
    "TSUN",
  ],
};

/** The code of a device whose driver names none. */
const NO_VENDOR = "UNKNOWN";

/** The first of a driver's codes that the category knows, else the last (the protocol's generic one). */
export function vendorFor(kind: AssetKind, codes: readonly string[]): string {
  for (const code of codes) {
    const known = VENDORS[kind].find((candidate) => candidate.toUpperCase() === code.toUpperCase());
    if (known !== undefined) return known;
  }
  return codes.at(-1) ?? NO_VENDOR;
}

/** The brand as people write it: the vendor's, else what the device calls its maker. */
export function brandFor(vendor: string, manufacturer: string | null): string | null {
  return Object.entries(BRANDS).find(([code]) => code === vendor)?.[1] ?? manufacturer;
}
