/** A twin on a simulated net, and the real adapter connected to it. */
import { type DeviceProfile, type Driver, type PointName, type PointValue, partKeys } from "hemgate/sdk";
import { MemoryDisk, serveModbus, World } from "hemgate/testing";
import { modbusAdapter } from "../../../../adapters/modbus/modbus-adapter.ts";
import { createTwin } from "../../../twins/registers/create-twin.ts";
import { RegisterTwin, type TwinOptions } from "../../../twins/registers/register-twin.ts";
import { loadTwinTable } from "../../../twins/registers/twin-maps.ts";
import { calm } from "../bus/bus-world.ts";
import { type ProfileTwin, twinOf } from "./twin-of.ts";

const ADDRESS = { host: "device", port: 502 };
/** The longest that a call to a driver may take in virtual time. */
const CALL_LIMIT_MS = 120_000;
/** What the owner says where a profile asks for a power or a current. */
const REQUESTED = 2_000;

export interface TwinBench extends AsyncDisposable {
  readonly world: World;
  readonly twin: RegisterTwin;
  readonly driver: Driver;
  /** Everything the driver tells in one full read. */
  readAll(): Promise<ReadonlyMap<PointName, PointValue | null>>;
  write(point: Driver["controls"][number]["point"], value: PointValue): Promise<void>;
}

export interface BenchChange extends Pick<TwinOptions, "answerMs" | "outside"> {
  /** Before anybody is connected. */
  readonly prepare?: (twin: RegisterTwin) => void;
  /** It holds what the test puts there, and nothing falls back. */
  readonly isInert?: boolean;
}

/** The settings of a profile, as an owner who wants everything would fill them in. */
export function settingsOf({ settings = {} }: DeviceProfile): Record<string, number> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, { min, max, default: usual }]) => [
      name,
      usual ?? Math.max(min, Math.min(max, REQUESTED)),
    ]),
  );
}

export async function openBench(profile: DeviceProfile, change: BenchChange = {}): Promise<TwinBench> {
  const which = twinOf(profile);
  if (which === null) throw new Error(`${profile.id} has no twin`);
  const world = new World({ seed: 1 });
  const twin = await makeTwin(which, world, change);
  change.prepare?.(twin);
  const process = world.boot("gateway", new MemoryDisk());
  const server = await serveModbus({ clock: world.clock, net: world.net.host() }, twin, ADDRESS, {
    ...(profile.limits.maxClients === undefined ? {} : { maxClients: profile.limits.maxClients }),
    ...(profile.limits.idleCloseMs === undefined ? {} : { idleCloseMs: profile.limits.idleCloseMs }),
  });
  const adapter = modbusAdapter.start(process.adapterContext());
  const options = modbusAdapter.options.parse({
    ...ADDRESS,
    profile: profile.id,
    confirmUnverified: true,
    confirmNoFailsafe: true,
    settings: settingsOf(profile),
  });
  const resolve = <T>(promise: Promise<T>): Promise<T> => world.clock.resolve(promise, CALL_LIMIT_MS);
  const empty = change.prepare === undefined ? partRegisters(profile, twin) : [];
  for (const id of empty) setPresent(twin, id, true);
  const driver = await resolve(adapter.connect("device", options, calm));
  // What connecting read answers the first read.
  if (profile.parts !== undefined) await resolve(driver.read("all", calm));
  for (const id of empty) setPresent(twin, id, false);
  return {
    world,
    twin,
    driver,
    async readAll() {
      const readings = await resolve(driver.read("all", calm));
      return new Map(readings.map(({ point, value }) => [point, value]));
    },
    write: (point, value) => resolve(driver.write(point, value, calm)),
    async [Symbol.asyncDispose]() {
      const closing = async (): Promise<void> => {
        await driver[Symbol.asyncDispose]();
        await adapter[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      };
      await resolve(closing());
    },
  };
}

/** The registers by which the profile recognizes parts, as far as the twin holds nothing in them: benches have every part. */
function partRegisters({ parts = {}, points }: DeviceProfile, twin: RegisterTwin): readonly string[] {
  const addresses = partKeys(parts).map(
    (key) => points.find((each) => key === each.key || key === `raw.${each.key}`)?.address,
  );
  return twin.registers
    .filter(({ id, address }) => addresses.includes(address) && twin.words(id).every((word) => word === 0))
    .map(({ id }) => id);
}

function setPresent(twin: RegisterTwin, id: string, isPresent: boolean): void {
  const isFloat = twin.registers.find((each) => each.id === id)?.type.startsWith("float") === true;
  if (isFloat) twin.set(id, Number(isPresent));
  else twin.setRaw(id, BigInt(isPresent));
}

async function makeTwin(
  { id, behaviour = {} }: ProfileTwin,
  { clock }: World,
  { isInert = false, prepare: _prepare, ...wireChange }: BenchChange,
): Promise<RegisterTwin> {
  const twin = await createTwin(id, { clock, behaviour, ...wireChange });
  if (!isInert) return twin;
  const { reversion: _reversion, plug: _plug, mirrors: _mirrors, effect: _effect, ...rest } = twin.behaviour;
  const { show: _show, ...wire } = rest;
  return new RegisterTwin(await loadTwinTable(id), { clock, behaviour: wire, ...wireChange });
}
