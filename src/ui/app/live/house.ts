/** The house as it is now: the gateway's stream of events, taken up again by itself when it breaks. */
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { checkSession } from "../api.ts";
import type { Asset, AssetKind, HousePower, KnownAsset } from "./assets.ts";
import { usePolled } from "./poll.ts";

export interface House {
  /** False while the gateway does not answer. */
  readonly isConnected: boolean;
  /** Time of the last event by the clock of this device, ms; `null` before the first. */
  readonly lastEventAt: number | null;
  readonly assets: readonly KnownAsset[];
  /** The energy system of the house that measures most; `null` before it is known. */
  readonly power: HousePower | null;
  readonly systemId: string | null;
  /** The gateway's clock less this device's, ms. */
  readonly clockOffsetMs: number;
}

const KINDS: readonly AssetKind[] = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"];
const EMPTY: House = {
  isConnected: true,
  lastEventAt: null,
  assets: [],
  power: null,
  systemId: null,
  clockOffsetMs: 0,
};
/** The stream says something at least each half minute. */
const SILENCE_MS = 45_000;
const AGAIN_MS = 3_000;
const DEVICES_EACH_MS = 15_000;
/** Devices tell more often than people read. */
const SHOWN_EACH_MS = 250;

/** The gateway's stream while it is open. */
export interface HouseStream {
  /** What is known already. */
  readonly current: () => House;
  /** Calls `show` with each change from now on. */
  readonly watch: (show: (house: House) => void) => void;
  readonly close: () => void;
}

/** Follows the stream while the page is shown, then closes it. */
export function useHouse(stream: HouseStream): House {
  const [house, setHouse] = useState(stream.current);
  useLayoutEffect(() => {
    setHouse(stream.current());
    stream.watch(setHouse);
    return () => stream.close();
  }, [stream]);
  const devices = usePolled<readonly DeviceEntry[]>("/local/devices", DEVICES_EACH_MS).value;
  return useMemo(() => withDevices(house, devices ?? []), [house, devices]);
}

/** What the page reads of `/local/devices`. */
export interface DeviceEntry {
  readonly deviceId: string;
  readonly name: string | null;
  readonly lastSeen: string | null;
  readonly firmware: string | null;
  readonly assets: readonly { readonly assetId: string }[];
}

/**
 * Adds to each asset what only its device tells: a name where it has none, as chargers and vehicles, its firmware, and when it
 * answered last, because the stream reports nothing while nothing changes. Sorts by name, so that each visit shows the same order.
 */
export function withDevices(house: House, devices: readonly DeviceEntry[]): House {
  const byAsset = new Map(devices.flatMap((device) => device.assets.map(({ assetId }) => [assetId, device] as const)));
  const assets = house.assets.map((asset) => {
    const { name = null, lastSeen = null, firmware = null, deviceId = null } = byAsset.get(asset.id) ?? {};
    const isNewer = asset.isReachable && lastSeen !== null && lastSeen > asset.lastSeen;
    const seen = {
      ...asset,
      ...(isNewer && { lastSeen }),
      ...(firmware !== null && { firmware }),
      ...(deviceId !== null && { deviceId }),
    };
    const { displayName, siteName } = asset.information ?? {};
    if (name === null || displayName || siteName) return seen;
    return { ...seen, information: { ...asset.information, displayName: name } };
  });
  return { ...house, assets: assets.sort(byName) };
}

function byName(one: KnownAsset, other: KnownAsset): number {
  const name = ({ information }: KnownAsset) => information?.displayName || information?.siteName || "";
  return name(one).localeCompare(name(other)) || one.id.localeCompare(other.id);
}

/** Opens the stream. It is opened before anything is drawn, so that what is drawn first has values. */
export function openHouse(): HouseStream {
  const assets = new Map<string, KnownAsset>();
  const powers = new Map<string, HousePower>();
  let house = EMPTY;
  let show: (house: House) => void = () => undefined;
  let source: EventSource | undefined;
  let pending: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  const current = (): House => ({ ...house, assets: [...assets.values()] });
  const showNow = (): void => {
    clearTimeout(pending);
    pending = undefined;
    show(current());
  };
  const change = (part: Partial<House>): void => {
    house = { ...house, ...part };
    pending ??= setTimeout(showNow, SHOWN_EACH_MS);
  };
  const take = (event: StreamEvent): void => {
    for (const kind of KINDS) {
      const asset = event[kind];
      if (asset === undefined) continue;
      if (event.event === `user:${kind}:deleted`) assets.delete(asset.id);
      else assets.set(asset.id, { ...asset, kind });
    }
    takePower(powers, event);
    const [systemId = null, power = null] = richest(powers);
    const isFirst = house.power === null && power !== null;
    const offset = event.createdAt === undefined ? house.clockOffsetMs : Date.parse(event.createdAt) - Date.now();
    change({ isConnected: true, lastEventAt: Date.now(), power, systemId, clockOffsetMs: steady(house, offset) });
    // The house's power ends what a stream begins with: all of it is there.
    if (isFirst) showNow();
  };
  const open = (): void => {
    clearTimeout(again);
    source?.close();
    source = new EventSource("/local/events");
    source.addEventListener("snapshot", () => clear(assets, powers));
    source.addEventListener("message", ({ data }: MessageEvent<string>) => take(JSON.parse(data) as StreamEvent));
    source.addEventListener("open", () => change({ isConnected: true, lastEventAt: Date.now() }));
    source.addEventListener("error", () => {
      change({ isConnected: false });
      if (source?.readyState !== EventSource.CLOSED) return;
      // A request says whether the gateway is away or the session has ended.
      void checkSession();
      again = setTimeout(open, AGAIN_MS);
    });
  };
  const wake = (): void => {
    if (document.visibilityState === "visible" && Date.now() - (house.lastEventAt ?? 0) > SILENCE_MS) open();
  };
  const watch = setInterval(wake, AGAIN_MS);
  document.addEventListener("visibilitychange", wake);
  open();
  return {
    current,
    watch: (watcher) => {
      show = watcher;
    },
    close: () => {
      source?.close();
      clearTimeout(again);
      clearTimeout(pending);
      clearInterval(watch);
      document.removeEventListener("visibilitychange", wake);
    },
  };
}

type StreamEvent = { readonly [Kind in AssetKind]?: Asset } & {
  readonly event?: string;
  readonly createdAt?: string;
  readonly hemSystemId?: string;
  readonly hemSystem?: { readonly id: string };
  readonly power?: HousePower;
};

/** Keeps the newest power of each system that is there. */
function takePower(powers: Map<string, HousePower>, { event, hemSystem, hemSystemId, power }: StreamEvent): void {
  if (event === "user:hem-system:deleted" && hemSystem !== undefined) powers.delete(hemSystem.id);
  if (power !== undefined && hemSystemId !== undefined) powers.set(hemSystemId, power);
}

function clear(...maps: readonly Map<string, unknown>[]): void {
  for (const each of maps) each.clear();
}

/** The system of which most is known. */
function richest(powers: ReadonlyMap<string, HousePower>): readonly [string, HousePower] | readonly [] {
  const known = ({ load, grid, generation, battery }: HousePower): number =>
    [load, grid, generation, battery].filter((value) => value !== null).length;
  return [...powers].toSorted(([, a], [, b]) => known(b) - known(a))[0] ?? [];
}

/** Events arrive late and never early, so the largest difference is the nearest to the truth; it fades with the clocks. */
function steady({ lastEventAt, clockOffsetMs }: House, offset: number): number {
  return lastEventAt === null ? offset : Math.max(offset, clockOffsetMs - 1);
}
