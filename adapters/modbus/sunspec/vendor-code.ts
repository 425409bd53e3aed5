/** The codes that the API knows for makers of inverters, batteries and meters (supplement 4.2), as it writes them. */
const CODES = [
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
] as const;

/**
 * The vendor code of a manufacturer as model 1 spells it: "SMA Solar Technology AG", "FOX ESS". Null when the API has
 * no code for it. Whole words count, so that Smappee is not taken for SMA.
 */
export function vendorCode(manufacturer: string | null): string | null {
  const words = (manufacturer ?? "")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== "");
  const names = [words[0], words.slice(0, 2).join("")];
  return CODES.find((code) => names.includes(code.toUpperCase())) ?? null;
}
