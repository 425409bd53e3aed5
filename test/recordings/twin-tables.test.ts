/** The tables of the twins say what the recorded facts say; whoever changes one of them finds out here. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { loadTwinTable, TWIN_IDS } from "../twins/registers/twin-maps.ts";
import { recordingAt } from "./recordings.ts";

interface Fact {
  readonly id: string;
  readonly address: number;
  readonly function: number;
  readonly type: string;
  readonly words?: number;
  readonly wordOrder?: string;
  readonly scale?: number;
  readonly unit?: string;
  readonly positive?: string;
  readonly nan?: string;
  readonly access?: string;
  readonly writeFunction?: number;
}

const FACTS = recordingAt("../facts/register-maps.json");
/** Registers that the facts lack, from the same drivers. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  "sigenergy-sigenstor": ["plant.battery.soc", "plant.pv.power", "plant.battery.power"],
  "sofar-hyd-g3": ["battery.power", "battery.soc", ...inputs(4, 10)],
  "alpha-ess-smile": inputs(3, 6),
  "deye-1p": inputs(3, 4),
  "deye-3p": ["device.model", "device.mainFirmware", "battery.operationMode", "generator.portMode"],
  "huawei-sun2000-luna": ["battery.model", "battery.2.model"],
  "kostal-plenticore": ["battery.type"],
  "solax-g3g4": inputs(3, 3),
};

/** The names of PV inputs, from one number to another. */
function inputs(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_unused, index) => `pv.power.${first + index}`);
}
/** The plates are from other drivers' lists; the facts are about what is measured and commanded. */
const isOfPlate = (id: string): boolean => id.startsWith("plate.");
/** SunSpec models describe it; it has no table. */
const BY_MODELS = ["fronius-gen24"];
/** From the drivers that the profile names; the facts do not have them. */
const NOT_RECORDED: ReadonlySet<string> = new Set(["my-pv-ac-thor"]);
const RECORDED = TWIN_IDS.filter((id) => !NOT_RECORDED.has(id));

const { devices }: { readonly devices: readonly { readonly id: string; readonly points: readonly Fact[] }[] } =
  JSON.parse(await readFile(FACTS, "utf8"));

/** What a table leaves out because it goes without saying. */
function plain({ id, address, type, ...fact }: Fact) {
  const hasWords = type === "string" || type === "raw";
  return {
    id,
    address,
    function: fact.function,
    type,
    words: hasWords ? fact.words : undefined,
    wordOrder: fact.wordOrder === "little" && !hasWords ? "little" : undefined,
    scale: fact.scale === 1 ? undefined : fact.scale,
    unit: fact.unit,
    positive: fact.positive,
    nan: fact.nan === undefined ? undefined : String(fact.nan),
    access: fact.access === "r" ? undefined : fact.access,
    writeFunction: fact.access === "r" ? undefined : fact.writeFunction,
  };
}

test("every device of the facts has a table", () => {
  expect([...RECORDED, ...BY_MODELS].toSorted()).toEqual(devices.map(({ id }) => id).toSorted());
});

describe.each(RECORDED)("%s", (id) => {
  test("holds the registers of the facts", async () => {
    const facts = devices.find((device) => device.id === id)?.points ?? [];
    const table = (await loadTwinTable(id)).filter(
      (register) => !(ADDED[id] ?? []).includes(register.id) && !isOfPlate(register.id),
    );
    expect(table.map((register) => plain(register as Fact))).toEqual(facts.map(plain));
  });
});
