/** A number with its unit, and how old it is. */
import type { ComponentChildren } from "preact";
import { age, type Quantity } from "../format.ts";
import { useLanguage } from "../texts.ts";

export type Freshness = "live" | "stale" | "unknown";

/** Devices in the house answer within seconds; vendors' clouds tell each quarter of an hour at least. */
const STALE_AFTER_MS = { local: 60_000, cloud: 30 * 60_000 } as const;
/** Devices that were read more often than this are in the house. */
const LOCAL_WITHIN_MS = 30_000;

/** Returns how far a reading can be believed. `isReachable` is what the gateway says of the device. */
export function freshness(ageMs: number | null, isReachable = true): Freshness {
  if (ageMs === null) return "unknown";
  return isReachable && ageMs <= STALE_AFTER_MS.cloud ? "live" : "stale";
}

/** The same for what is measured in the house each few seconds. */
export function localFreshness(ageMs: number | null): Freshness {
  if (ageMs === null) return "unknown";
  return ageMs <= STALE_AFTER_MS.local ? "live" : "stale";
}

interface ValueProps {
  readonly quantity: Quantity | null;
  readonly size?: "s" | "mid" | "big";
  readonly isEstimate?: boolean;
}

/** A dash stands for a value that is not there. */
export function Value({ quantity, size, isEstimate = false }: ValueProps) {
  const { texts } = useLanguage();
  if (quantity === null) {
    return (
      <span class={`v ${size ?? ""}`} data-s="stale">
        <span aria-hidden="true">–</span>
        <span class="sr">{texts.noValue}</span>
      </span>
    );
  }
  return (
    <span class={`v ${size ?? ""}`}>
      {isEstimate ? "≈ " : ""}
      {quantity.number}
      <small>{quantity.unit}</small>
    </span>
  );
}

export function Fresh({ ageMs, state }: { readonly ageMs: number | null; readonly state: Freshness }) {
  const { texts } = useLanguage();
  const words =
    ageMs === null ? texts.unknown : state === "live" && ageMs < LOCAL_WITHIN_MS ? age(ageMs) : texts.ago(age(ageMs));
  return (
    <span class="fresh" data-s={state}>
      {words}
    </span>
  );
}

/** A number with a name above it. */
export function Labelled({
  label,
  children,
  below,
}: {
  label: string;
  children: ComponentChildren;
  below?: ComponentChildren;
}) {
  return (
    <div class="kv">
      <dt>{label}</dt>
      <dd>{children}</dd>
      {below === undefined ? null : <dd class="sub">{below}</dd>}
    </div>
  );
}
