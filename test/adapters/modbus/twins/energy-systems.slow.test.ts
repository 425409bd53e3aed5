/** Houses with a foreign energy manager, from registers to the sums of the energy system, against what really flowed. */
import { serveModbus } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { modbusAdapter } from "../../../../adapters/modbus/modbus-adapter.ts";
import { makeHome, type Run } from "../../../engine/home.ts";
import { createTwin } from "../../../twins/registers/create-twin.ts";
import type { RegisterTwin } from "../../../twins/registers/register-twin.ts";

const MINUTE = 60_000;
const STEP_MS = 30_000;
const HOUR_MS = 60 * MINUTE;
const POLL = { fast: 15_000, normal: 30_000, slow: MINUTE };

/** W, and Wh since the beginning; the battery's power is positive when it charges, the grid's on import. */
interface Truth {
  pvW: number;
  loadW: number;
  batteryW: number;
  gridW: number;
  pvWh: number;
  loadWh: number;
  chargedWh: number;
  dischargedWh: number;
  importWh: number;
  exportWh: number;
}

interface Member {
  readonly id: Parameters<typeof createTwin>[0];
  /** Puts what really is into the registers, in the units and signs of the maker's list. */
  show(twin: RegisterTwin, truth: Truth): void;
}

const huawei: Member = {
  id: "huawei-sun2000-luna",
  show(twin, { pvW, batteryW, gridW, ...wh }) {
    twin.set("pv.power.dc", Math.round(pvW));
    twin.set("battery.power", Math.round(batteryW));
    twin.set("battery.soc", 50);
    twin.set("battery.energy.charged", 1_000 + wh.chargedWh / 1_000);
    twin.set("battery.energy.discharged", 900 + wh.dischargedWh / 1_000);
    twin.set("grid.power", Math.round(-gridW));
    twin.set("grid.energy.import", 2_000 + wh.importWh / 1_000);
    twin.set("grid.energy.export", 3_000 + wh.exportWh / 1_000);
  },
};
const emma: Member = {
  id: "huawei-emma",
  show(twin, { pvW, loadW, batteryW, gridW, ...wh }) {
    twin.set("pv.power", Math.round(pvW));
    twin.set("home.load", Math.round(loadW));
    twin.set("battery.power", Math.round(batteryW));
    twin.set("battery.soc", 50);
    twin.set("battery.energy.charged", 1_000 + wh.chargedWh / 1_000);
    twin.set("battery.energy.discharged", 900 + wh.dischargedWh / 1_000);
    twin.set("grid.power", Math.round(gridW));
    twin.set("grid.energy.import", 2_000 + wh.importWh / 1_000);
  },
};
const gx: Member = {
  id: "victron-gx",
  show(twin, { pvW, loadW, batteryW, gridW }) {
    twin.set("pv.dc.power", Math.round(pvW));
    for (const phase of ["l1", "l2", "l3"]) {
      twin.set(`home.load.${phase}`, Math.round(loadW / 3));
      twin.set(`grid.power.${phase}`, Math.round(gridW / 3));
    }
    twin.set("battery.power", Math.round(batteryW));
    twin.set("battery.soc", 50);
  },
};
const gridMeter: Member = {
  id: "victron-grid",
  show(twin, { gridW }) {
    for (const phase of ["l1", "l2", "l3"]) twin.set(`grid.ac.${phase}.power`, Math.round(gridW / 3));
  },
};
const homeManager: Member = {
  id: "sma-shm2",
  show(twin, { gridW, importWh, exportWh }) {
    twin.set("grid.power.import", Math.round(Math.max(0, gridW)));
    twin.set("grid.power.export", Math.round(Math.max(0, -gridW)));
    twin.set("grid.energy.import", Math.round(500_000 + importWh));
    twin.set("grid.energy.export", Math.round(700_000 + exportWh));
  },
};
const dataManager: Member = {
  id: "sma-data-manager",
  show(twin, { pvW, batteryW, gridW, pvWh, dischargedWh }) {
    twin.set("pv.power", Math.round(pvW));
    twin.set("pv.energy.total", Math.round(4_000_000 + pvWh));
    twin.set("battery.soc", 50);
    twin.set("battery.chargePower", Math.round(Math.max(0, batteryW)));
    twin.set("battery.dischargePower", Math.round(Math.max(0, -batteryW)));
    twin.set("battery.energy.discharged", Math.round(800_000 + dischargedWh));
    twin.set("grid.power", Math.round(-gridW));
  },
};

interface House extends AsyncDisposable {
  readonly run: Run;
  readonly truth: Truth;
  /** What had flowed, and when. */
  readonly past: readonly (Truth & { readonly atMs: number })[];
  readonly twins: readonly RegisterTwin[];
  live(ms: number): Promise<void>;
}

async function openHouse(members: readonly Member[]): Promise<House> {
  const home = makeHome(1, { adapters: [modbusAdapter] });
  const { clock, net } = home.world;
  const twins = await Promise.all(members.map(({ id }) => createTwin(id, { clock, behaviour: {} })));
  const truth: Truth = {
    ...{ pvW: 0, loadW: 0, batteryW: 0, gridW: 0 },
    ...{ pvWh: 0, loadWh: 0, chargedWh: 0, dischargedWh: 0, importWh: 0, exportWh: 0 },
  };
  const past: (Truth & { readonly atMs: number })[] = [];
  let elapsedMs = 0;
  const step = (): void => {
    past.push({ ...truth, atMs: clock.nowMs() });
    const hours = elapsedMs / HOUR_MS;
    truth.pvW = 2_600 + 1_800 * Math.sin(hours * 2.4);
    truth.loadW = 1_500 + 700 * Math.sin(hours * 3.1 + 1);
    truth.batteryW = 1_200 * Math.sin(hours * 1.7);
    truth.gridW = truth.loadW + truth.batteryW - truth.pvW;
    const share = STEP_MS / HOUR_MS;
    truth.pvWh += truth.pvW * share;
    truth.loadWh += truth.loadW * share;
    truth.chargedWh += Math.max(0, truth.batteryW) * share;
    truth.dischargedWh += Math.max(0, -truth.batteryW) * share;
    truth.importWh += Math.max(0, truth.gridW) * share;
    truth.exportWh += Math.max(0, -truth.gridW) * share;
    for (const [index, member] of members.entries()) {
      const twin = twins[index];
      if (twin !== undefined) member.show(twin, truth);
    }
  };
  for (const [index, twin] of twins.entries()) {
    await serveModbus({ clock, net: net.host() }, twin, { host: `device-${index}`, port: 502 });
  }
  step();
  const devices = members.map(({ id }, index) => {
    const reach = { host: `device-${index}`, port: 502, profile: id, pollMs: POLL };
    return { id: `${id}-${index}`, adapter: "modbus", ...reach };
  });
  const run = await home.start({ devices });
  return {
    run,
    truth,
    past,
    twins,
    async live(ms) {
      for (const untilMs = elapsedMs + ms; elapsedMs < untilMs; elapsedMs += STEP_MS) {
        step();
        await clock.advance(STEP_MS);
      }
    },
    [Symbol.asyncDispose]: () => run.close(),
  };
}

function systemOf(run: Run) {
  const [entry, ...others] = run.engine.services.hemSystems.list();
  if (entry === undefined || others.length > 0) throw new Error(`${others.length + 1} systems`);
  return entry.system;
}

/** Within a part of what flowed until the last sum, kWh. */
function expectSums({ run, past }: House): void {
  const { today } = systemOf(run).status.energy;
  const truth = past.findLast(({ atMs }) => atMs <= Date.parse(today.lastUpdated ?? ""));
  if (truth === undefined) throw new Error("nothing was summed");
  const near = (value: number | null, wh: number): void => {
    expect(value).not.toBeNull();
    expect(Math.abs((value ?? 0) - wh / 1_000)).toBeLessThan(0.06 + 0.015 * (wh / 1_000));
  };
  near(today.generation, truth.pvWh);
  near(today.consumption, truth.loadWh);
  near(today.import, truth.importWh);
  near(today.export, truth.exportWh);
  near(today.charge, truth.chargedWh);
  near(today.discharge, truth.dischargedWh);
}

function power(run: Run) {
  return run.engine.services.housePowers.list()[0];
}

describe("the energy system of a house with", () => {
  test.each([
    {
      with: "an EMMA and its inverter",
      members: [huawei, emma],
      vendor: "HUAWEI",
      name: "Huawei EMMA",
      from: "manager",
    },
    {
      with: "a GX and its grid meter",
      members: [gx, gridMeter],
      vendor: "MODBUS",
      name: "Victron GX",
      from: "manager",
    },
    {
      with: "a Home Manager and a Data Manager",
      members: [homeManager, dataManager],
      vendor: "SMA",
      name: "SMA Data Manager",
      from: "balance",
    },
  ])("$with is the manager's, and counts what really flowed once", async ({ members, vendor, name, from }) => {
    await using house = await openHouse(members);
    const { run, truth } = house;
    await house.live(75 * MINUTE);
    expect(systemOf(run).information).toMatchObject({ vendor, name });
    expectSums(house);
    expect(power(run)?.loadFrom).toBe(from);
    expect(Math.abs((power(run)?.loadW ?? 0) - truth.loadW)).toBeLessThan(120);
    expect(Math.abs((power(run)?.batteryW ?? 0) - truth.batteryW)).toBeLessThan(60);
  });

  test("an EMMA that dies goes on by what the inverter tells; when that dies too, nothing is known", async () => {
    await using house = await openHouse([huawei, emma]);
    const { run, truth, twins } = house;
    const [inverter, manager] = twins;
    await house.live(40 * MINUTE);
    manager?.sleep("silent");
    await house.live(60 * MINUTE);
    expectSums(house);
    expect(power(run)?.loadFrom).toBe("balance");
    expect(Math.abs((power(run)?.loadW ?? 0) - truth.loadW)).toBeLessThan(120);
    inverter?.sleep("silent");
    await house.live(5 * MINUTE);
    const before = systemOf(run).status.energy.today;
    expect(power(run)).toMatchObject({ gridW: null, generationW: null, batteryW: null, loadW: null, loadFrom: null });
    await house.live(30 * MINUTE);
    const after = systemOf(run).status.energy.today;
    for (const flow of ["generation", "import", "export", "charge", "discharge"] as const) {
      expect((after[flow] ?? 0) - (before[flow] ?? 0)).toBeLessThan(0.1);
    }
  });
});
