/** Recorded and modelled SunSpec devices, put into registers here and read through the code that polls. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { valueIn } from "../../adapters/modbus/sunspec/connect-values.ts";
import { discoverModels } from "../../adapters/modbus/sunspec/discover.ts";
import { MODEL_DEFINITIONS } from "../../adapters/modbus/sunspec/model-definitions.ts";
import { type ModelInstance, resolveModel } from "../../adapters/modbus/sunspec/model-instance.ts";
import { readRegisters } from "../../adapters/modbus/sunspec/read-registers.ts";
import { connect, NEVER } from "../adapters/modbus/sunspec/device.ts";
import { FakeUnit } from "../adapters/modbus/sunspec/fake-unit.ts";
import { recordingAt } from "./recordings.ts";

const DEVICES = recordingAt("devices");

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(`${DEVICES}/modbus/sunspec/${name}.json`, "utf8"));
}

type Value = number | string | null | Value[] | { [name: string]: Value };
type Values = { [name: string]: Value };

/** A device's models as the files give them: points by name, groups as objects and lists. */
function modelsOf(name: string): Values[] {
  return (fixture(name) as { models: Values[] }).models;
}

/** Names and values of a model's points by path, as `Crv.2.Pt.1.V`. */
function flatten(values: Values, prefix = ""): [path: string, value: number | string | null][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = prefix + name;
    if (Array.isArray(value)) return value.flatMap((each, index) => flatten(each as Values, `${path}.${index + 1}.`));
    if (typeof value === "object" && value !== null) return flatten(value, `${path}.`);
    return [[path, value]];
  });
}

/** What drafts of the 700 models called things that the released ones have under another name, by model and name. */
const RENAMED: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  701: { VL3N: "VL3" },
  702: { Vnom: "VNom" },
  704: {
    WMaxLimEna: "WMaxLimPctEna",
    WMaxLim: "WMaxLimPct",
    WMaxLimRvrt: "WMaxLimPctRvrt",
    WMaxLimEnaRvrt: "WMaxLimPctEnaRvrt",
    WMaxLimRvrtTms: "WMaxLimPctRvrtTms",
    WMaxLimRvrtRem: "WMaxLimPctRvrtRem",
    WMaxLim_SF: "WMaxLimPct_SF",
  },
  705: { VRefTms: "VRefAutoTms" },
  709: { Freq: "Hz", Freq_SF: "Hz_SF" },
  710: { Freq: "Hz", Freq_SF: "Hz_SF" },
  711: { AdptCrvReq: "AdptCtlReq", AdptCrvRslt: "AdptCtlRslt", RvrtCrv: "RvrtCtl" },
  714: { DCSt: "DCSta" },
};

/** The drafts' models by the names that were released. Their DC measurement was 713 and is 714. */
function released(model: Values): Values {
  const id = model["ID"] === 713 && "NPrt" in model ? 714 : Number(model["ID"]);
  const names = RENAMED[id] ?? {};
  const rename = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [names[name] ?? name, rename(each)]));
  };
  return { ...(rename(model) as Values), ID: id };
}

/** Not implemented, by SunSpec type. */
const SILENT: Readonly<Record<string, bigint>> = {
  int16: 0x8000n,
  int32: 0x8000_0000n,
  int64: 0x8000_0000_0000_0000n,
  sunssf: 0x8000n,
  pad: 0x8000n,
  acc16: 0n,
  acc32: 0n,
  acc64: 0n,
};

/** Puts a value into words, from the type's name alone. */
function encode(type: string, words: number, value: number | string | null): number[] {
  if (type === "string") {
    const bytes = Buffer.alloc(2 * words);
    bytes.write(String(value ?? ""));
    return Array.from({ length: words }, (_, index) => bytes.readUInt16BE(2 * index));
  }
  const bits = 16 * words;
  const silent = SILENT[type] ?? 2n ** BigInt(bits) - 1n;
  const raw = value === null ? silent : BigInt.asUintN(bits, BigInt(value));
  return Array.from({ length: words }, (_, index) => Number((raw >> BigInt(bits - 16 * (index + 1))) & 0xffffn));
}

const BASE = 40_000;

interface Built {
  readonly registers: Map<number, number>;
  /** Points of the file that the model, as it was released, does not have. */
  readonly unknown: string[];
}

/** The registers of a device that has these values. */
function build(models: readonly Values[], unknownLength: (model: Values) => number): Built {
  const registers = new Map<number, number>();
  const unknown: string[] = [];
  const put = (address: number, words: readonly number[]): void => {
    for (const [index, word] of words.entries()) registers.set(address + index, word);
  };
  put(BASE, [0x5375, 0x6e53]);
  let at = BASE + 2;
  for (const model of models) {
    const id = Number(model["ID"]);
    const definition = MODEL_DEFINITIONS.get(id);
    if (definition === undefined) {
      const length = unknownLength(model);
      put(at, [id, length, ...Array<number>(length).fill(0)]);
      at += 2 + length;
      continue;
    }
    // The counters of the groups come first: they say how long the model is.
    const counters = new Uint16Array(64);
    for (const { name, offset, words } of definition.points) {
      if (words === 1 && typeof model[name] === "number") counters[offset] = model[name];
    }
    const longest = resolveModel({ id, address: at, length: 2_000 }, definition, counters);
    const length = lengthOf(longest);
    put(at, [id, length]);
    for (const { address, definition: point } of longest.points.values()) {
      put(address, encode(point.type, point.words, null));
    }
    for (const [path, value] of flatten(model)) {
      if (path === "ID" || path === "L") continue;
      const point = longest.points.get(path);
      if (point === undefined) unknown.push(`${id}.${path}`);
      else put(point.address, encode(point.definition.type, point.definition.words, value));
    }
    at += 2 + length;
  }
  return { registers, unknown };
}

function lengthOf(instance: ModelInstance): number {
  const ends = [...instance.points.values()].map(({ address, definition }) => address + definition.words);
  return Math.max(...ends) - instance.address - 2;
}

/** All models of a device, each with all its registers. */
async function readDevice(unit: FakeUnit): Promise<ModelInstance[]> {
  const instances: ModelInstance[] = [];
  for (const found of await discoverModels(unit, NEVER)) {
    const definition = MODEL_DEFINITIONS.get(found.id);
    if (definition === undefined) continue;
    const image = await readRegisters(unit, found.address, 2 + found.length, NEVER);
    instances.push(resolveModel(found, definition, image));
  }
  return instances;
}

/** What a raw value of the file means, by the scale factor that the file gives. */
function meaning(instance: ModelInstance, path: string, raw: Value, model: Values): Value {
  const point = instance.points.get(path)?.definition;
  if (raw === null || (point?.type === "pad" && raw === 0x8000)) return null;
  if (point?.type.startsWith("acc") === true && raw === 0) return null;
  if (point?.sf === undefined || typeof raw !== "number") return raw;
  const scale = model[point.sf];
  return typeof scale === "number" ? Number(`${raw}e${scale}`) : null;
}

/** Compares every point of the file with what was read, and answers how many there were. */
async function compare(models: readonly Values[], unit: FakeUnit): Promise<number> {
  let compared = 0;
  const instances = await readDevice(unit);
  for (const instance of instances) {
    const model = models.find((each) => each["ID"] === instance.id) ?? {};
    for (const [path, raw] of flatten(model)) {
      if (!instance.points.has(path)) continue;
      const value = valueIn(instance, path, instance.image);
      expect([instance.id, path, value]).toEqual([instance.id, path, meaning(instance, path, raw, model)]);
      compared++;
    }
  }
  return compared;
}

describe("the IEEE 1547 device of pysunspec2", () => {
  const models = modelsOf("device_1547").map(released);
  const { registers, unknown } = build(models, () => 0);

  it("reads as its file says, point by point", async () => {
    expect(await compare(models, new FakeUnit(registers))).toBeGreaterThanOrEqual(370);
  });

  it("lacks only points that the released models do not have any more", () => {
    expect(unknown).toEqual([
      "702.VRefOfs",
      "704.RGra",
      ...[705, 706, 707, 708, 709, 710, 711, 712].map((id) => `${id}.CrvSt`),
    ]);
  });

  it("has the models, addresses and lengths that pysunspec2 asserts", async () => {
    const found = await discoverModels(new FakeUnit(registers), NEVER);
    expect(found.map(({ id }) => id)).toEqual([1, 701, 702, 703, 704, 705, 706, 707, 708, 709, 710, 711, 712, 714]);
    expect(found.slice(0, 3)).toEqual([
      { id: 1, address: 40_002, length: 66 },
      { id: 701, address: 40_070, length: 153 },
      { id: 702, address: 40_225, length: 50 },
    ]);
    expect(found.find(({ id }) => id === 704)?.length).toBe(67 - 2);
  });

  it("is a device with the power and the energy of its file", async () => {
    const device = await connect(registers);
    expect(device.map.identity).toEqual({
      manufacturer: "SunSpecTest",
      model: "Test-1547-1",
      serial: "sn-123456789",
      version: "1.2.3",
    });
    expect(await device.read()).toEqual({
      "inverter.power": 9800,
      "inverter.energy": 150_000,
      "inverter.powerLimit": 100,
    });
  });
});

describe("the inverter of pysunspec2 with model 129", () => {
  const models = modelsOf("inverter_123");
  const { registers } = build(models, (model) => Number(model["L"]));

  it("has its models where their lengths put them", async () => {
    expect(await discoverModels(new FakeUnit(registers), NEVER)).toEqual([
      { id: 1, address: 40_002, length: 66 },
      { id: 129, address: 40_070, length: 210 },
    ]);
  });

  it("reads as its file says, as far as its models are known", async () => {
    expect(await compare(models, new FakeUnit(registers))).toBe(7);
  });
});

/** The registers in the answers of a byte stream: unit 1, function 3, byte count, data, CRC. */
function rtuAnswers(name: string): number[][] {
  const { chunks_hex } = fixture(name) as { chunks_hex: string[] };
  const bytes = Buffer.from(chunks_hex.join(""), "hex");
  const answers: number[][] = [];
  for (let at = 0; at < bytes.length; ) {
    expect([bytes[at], bytes[at + 1]]).toEqual([1, 3]);
    const count = bytes.readUInt8(at + 2) / 2;
    answers.push(Array.from({ length: count }, (_, index) => bytes.readUInt16BE(at + 3 + 2 * index)));
    at += 3 + 2 * count + 2;
  }
  return answers;
}

describe("the byte streams of pysunspec2", () => {
  it("of a scan give the chain and model 1", async () => {
    const answers = rtuAnswers("pysunspec2_test_read_rtu_buffer_L64");
    const registers = new Map<number, number>();
    // Marker with the first ID; L; model 1; the next ID; its L; that model; the end mark.
    for (const [index, address] of [40_000, 40_003, 40_002, 40_070, 40_071, 40_070, 40_136].entries()) {
      for (const [offset, word] of (answers[index] ?? []).entries()) registers.set(address + offset, word);
    }
    expect(answers).toHaveLength(7);
    const unit = new FakeUnit(registers);
    expect(await discoverModels(unit, NEVER)).toEqual([
      { id: 1, address: 40_002, length: 66 },
      { id: 126, address: 40_070, length: 64 },
    ]);
    const [common] = await readDevice(unit);
    expect(valuesOf(common)).toEqual({
      Mn: "SunSpecTest",
      Md: "TestDevice-1",
      Opt: "opt_a_b_c",
      Vr: "1.2.3",
      SN: "sn-123456789",
      DA: 1,
      Pad: 0,
    });
  });

  it("of a group give model 1 up to its serial number, and the identity with it", async () => {
    const [answer = []] = rtuAnswers("pysunspec2_test_read_rtu_read_buffer_L394");
    const registers = new Map([0x5375, 0x6e53, ...answer].map((word, index) => [BASE + index, word]));
    const [found] = await discoverModels(new FakeUnit(registers), NEVER);
    expect(found).toEqual({ id: 1, address: 40_002, length: 66 });
    const definition = MODEL_DEFINITIONS.get(1);
    if (found === undefined || definition === undefined) throw new Error("no model 1");
    const instance = resolveModel(found, definition, await readRegisters(new FakeUnit(registers), 40_002, 66, NEVER));
    expect(valuesOf(instance)).toMatchObject({ SN: "sn-123456789", Vr: "1.2.3", DA: null });
  });

  it("are what pysunspec2's own assertions say", () => {
    const assertions = fixture("pysunspec2_assertions") as Record<string, string[]>;
    const said = new Set(Object.values(assertions).flat());
    for (const claim of [
      "client_model.model_addr == 40002",
      "client_model.model_len == 66",
      "d_rtu.common[0].SN.value == 'sn-123456789'",
      "d_rtu.common[0].Vr.value == '1.2.3'",
      "d_rtu.common[0].Opt.value == 'opt_a_b_c'",
      "d_rtu.common[0].DA.value == 1",
      "d.models['DERMeasureAC'][0].model_addr == 40070",
      "d.models['DERMeasureAC'][0].L.cvalue == 153",
      "d.models['DERCapacity'][0].L.cvalue == 50",
      "d.models['DERCtlAC'][0].len == 67",
    ]) {
      expect(said).toContain(claim);
    }
  });
});

function valuesOf(instance: ModelInstance | undefined): Record<string, Value> {
  if (instance === undefined) return {};
  return Object.fromEntries([...instance.points.keys()].map((path) => [path, valueIn(instance, path, instance.image)]));
}
