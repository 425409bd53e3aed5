/** The assets that a question is about, with where their energy is kept and what it costs. */
import type { AssetTypes } from "../../domain/assets/asset.ts";
import { problem } from "../../domain/problem.ts";
import type { ConsumerKind } from "../../domain/statistics/statistics.ts";
import { type Costs, costsOf } from "../../domain/statistics/statistics-costs.ts";
import { clip, type Span } from "../../domain/statistics/statistics-reading.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import type { ChargeShifts } from "../contracts/control.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Prices } from "../contracts/places.ts";
import type { StatisticsQuery } from "../contracts/statistics.ts";
import type { Users } from "../contracts/users.ts";
import type { Stream } from "./energy-reader.ts";
import { wrongQuery } from "./wrong-query.ts";

export type MeasuredKind = "inverter" | ConsumerKind;

export interface MeasuredParts {
  readonly clock: Pick<Clock, "nowMs">;
  readonly store: Pick<Store, "energy" | "get">;
  readonly assets: Assets;
  readonly users: Pick<Users, "require">;
  readonly prices: Pick<Prices, "between">;
  readonly shifts: ChargeShifts;
}

export interface MeasuredAsset {
  readonly id: string;
  readonly locationId: string | null;
  readonly stream: Stream;
  /** The part of the asked time in which it was known here, until now. */
  readonly span: Span;
}

/** The assets of a question that have a history in its time. Throws `not-found` and `bad-request`. */
export function measuredAssets(parts: MeasuredParts, query: StatisticsQuery<MeasuredKind>): readonly MeasuredAsset[] {
  const { users, assets, store, clock } = parts;
  const { userId, kind, assetId, locationId } = query;
  users.require(userId);
  const own = assets.list(kind).filter(({ asset }) => asset.userId === userId);
  if (assetId !== undefined && !own.some(({ asset }) => asset.id === assetId)) throw assetNotFound(assetId);
  const asked = askedSpan(query, clock.nowMs());
  return own.flatMap(({ asset, createdAtMs }): MeasuredAsset[] => {
    const place = placeOf(asset);
    const deviceId = store.get("asset", asset.id)?.deviceId;
    const span = clip(asked, { fromMs: createdAtMs, toMs: clock.nowMs() });
    const isAsked = (assetId ?? asset.id) === asset.id && (locationId ?? place) === place;
    if (!isAsked || deviceId === undefined || span === null) return [];
    return [{ id: asset.id, locationId: place, stream: { deviceId, kind }, span }];
  });
}

/** Throws `bad-request` for a time that ends before it begins. */
function askedSpan(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs?: number | undefined },
  nowMs: number,
): Span {
  const endMs = toMs ?? Math.max(fromMs, nowMs);
  if (fromMs > endMs) throw wrongQuery("endDate", "`startDate` is after `endDate`.");
  return { fromMs, toMs: endMs };
}

export function assetNotFound(id: string): Error {
  return problem("not-found", `There is no asset "${id}" of this kind.`, { title: "Asset not found" });
}

/** What the energy of an asset cost over a time. */
export function costsFor({ prices, shifts }: MeasuredParts, asset: MeasuredAsset, span: Span): Costs {
  const isMovable = asset.stream.kind === "charger" || asset.stream.kind === "vehicle";
  const moves = isMovable ? shifts.between(asset.id, span.fromMs, span.toMs) : [];
  // What was moved into this time would have been paid before it.
  const fromMs = Math.min(span.fromMs, ...moves.map(({ pausedAtMs }) => pausedAtMs));
  return costsOf(prices.between(asset.locationId, fromMs, span.toMs), moves, span);
}

/** `costsFor` one time: assets at one place of which nothing was moved share what they cost. */
export function costsByPlace(parts: MeasuredParts, span: Span): (asset: MeasuredAsset) => Costs {
  const shared = new Map<string | null, Costs>();
  return (asset) => {
    if (parts.shifts.between(asset.id, span.fromMs, span.toMs).length > 0) return costsFor(parts, asset, span);
    const costs = shared.get(asset.locationId) ?? costsFor(parts, asset, span);
    shared.set(asset.locationId, costs);
    return costs;
  };
}

/** The location that an asset is at. */
function placeOf(asset: AssetTypes[MeasuredKind]): string | null {
  return asset.location.id;
}
