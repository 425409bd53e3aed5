/** The tariff of the house: of the place of its owner that counts for the plan. */
import { useEffect, useState } from "preact/hooks";
import { ApiError, ask } from "../../api.ts";
import { offsetMinutesAt, planOf, type TariffEntry, type TariffPlan } from "./tariff-hours.ts";

/** The section `site` of the configuration. */
export interface SiteSection {
  readonly owner: string;
  readonly timezone: string;
  readonly place?: { readonly latitude: number; readonly longitude: number };
}

interface Place {
  readonly id: string;
  readonly name: string;
  readonly timezoneName: string;
}

export interface TariffState {
  /** `null`: there is no place yet, so there can be no tariff. */
  readonly place: Place | null;
  readonly places: number;
  /** `null`: the place has no tariff. */
  readonly plan: TariffPlan | null;
}

interface Read {
  readonly state: TariffState | null;
  readonly error: ApiError | null;
}

/** Reads the tariff now, and again by `refresh`. */
export function useTariff(site: SiteSection | null): Read & { readonly refresh: () => void } {
  const [read, setRead] = useState<Read>({ state: null, error: null });
  const [count, setCount] = useState(0);
  const owner = site?.owner ?? null;
  useEffect(() => {
    if (owner === null) return;
    let isOver = false;
    readTariff(owner)
      .then((state) => isOver || setRead({ state, error: null }))
      .catch((error: unknown) => {
        if (!isOver && error instanceof ApiError) setRead(({ state }) => ({ state, error }));
      });
    return () => {
      isOver = true;
    };
  }, [owner, count]);
  return { ...read, refresh: () => setCount((before) => before + 1) };
}

/** The plan takes the newest place that has prices; so does this. */
async function readTariff(owner: string): Promise<TariffState> {
  const { data } = await ask<{ data: readonly (Place & { userId: string })[] }>("GET", "/locations?pageSize=50");
  const places = data.filter(({ userId }) => userId === owner);
  for (const place of places) {
    const entries = await ask<readonly (TariffEntry & { tariffId: string })[]>("GET", `/locations/${place.id}/tariff`);
    const [first] = entries;
    if (first === undefined) continue;
    const rates = await ask<readonly { name: string; cost: string }[]>("GET", `/tariffs/${first.tariffId}`);
    const plan = planOf(entries, rates, offsetMinutesAt(place.timezoneName, Date.now()));
    return { place, places: places.length, plan };
  }
  return { place: places[0] ?? null, places: places.length, plan: null };
}

export interface NewPlace {
  readonly latitude: number;
  readonly longitude: number;
}

/** Makes a place for the house, which prices belong to. Returns its id. */
export async function createPlace({ owner, timezone }: SiteSection, name: string, at: NewPlace): Promise<string> {
  const body = { name, ...at, timezoneName: timezone };
  return (await ask<{ id: string }>("POST", `/users/${encodeURIComponent(owner)}/locations`, body)).id;
}
