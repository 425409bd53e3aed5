/** The connection, the limits and the limitations, as the API and the events show them: kW, kWh, ISO instants. */
import { z } from "zod";
import { csvCell } from "../csv.ts";
import { Instant, instant, instantOrNull, NullableInstant } from "../fields.ts";
import type { ActiveLimit } from "./cycle/energy-snapshot.ts";
import type { Limitation } from "./limits/limitation.ts";

const W_PER_KW = 1_000;
const MS_PER_S = 1_000;

export const Direction = z.enum(["import", "export"]).meta({
  description: "`import`: what is drawn from the grid. `export`: what is fed in.",
});
export const LimitScope = z.enum(["connection", "controllable"]).meta({
  description:
    "`connection`: the whole house. `controllable`: the net import of chargers, heat pumps, cooling and batteries together (§ 14a EnWG).",
});
export const LimitStateName = z.enum(["unknown", "free", "limited", "failsafe", "autonomous"]).meta({
  description:
    "`unknown`: started, and the source has not spoken yet; the failsafe value applies. `free`: the source sets no limit. `limited`: its limit applies. `failsafe`: the source is lost; the failsafe value applies. `autonomous`: the source is not waited for any more.",
});
const LimitKw = z.number().meta({ description: "Highest power, kW." });

export const ActiveLimitView = z
  .object({
    limitationId: z.string().meta({ description: "Id of its record under `/local/energy/limitations`." }),
    sourceId: z.string(),
    direction: Direction,
    scope: LimitScope,
    limit: LimitKw,
    until: NullableInstant.meta({ description: "Its end; `null` if none is known." }),
  })
  .meta({ id: "ActiveLimit" });
export type ActiveLimitView = z.infer<typeof ActiveLimitView>;

const kW = z.number().nullable();

export const LimitationView = z
  .object({
    id: z.string(),
    sourceId: z.string(),
    sourceName: z.string(),
    direction: Direction,
    scope: LimitScope,
    state: LimitStateName,
    limit: LimitKw,
    beganAt: Instant,
    endedAt: NullableInstant.meta({ description: "`null` while it lasts." }),
    endReason: z.enum(["released", "expired", "changed", "withdrawn", "restart"]).nullable().meta({
      description:
        "`released`: the source ended it. `expired`: its duration was over. `changed`: another value or state followed. `withdrawn`: the source gave up control. `restart`: the gateway was started again; what applied then is another record.",
    }),
    reaction: z.object({
      powerBefore: kW.meta({ description: "Power when it began, kW; `null` if it was not measured." }),
      devicesBefore: z
        .array(z.object({ id: z.string(), power: z.number().meta({ description: "kW." }) }))
        .meta({ description: "Power of single devices then." }),
      secondsToReach: z.number().nullable().meta({
        description: "Time until the power was first within the limit, s; `null` if it was not.",
      }),
      energy: z.number().meta({ description: "Measured energy meanwhile, kWh." }),
      highestPower: kW.meta({
        description: "Highest power since the limit was reached, kW; since it began while it is not reached.",
      }),
      measuredSeconds: z.number().meta({ description: "How long the power was measured, s." }),
    }),
  })
  .meta({ id: "Limitation" });
export type LimitationView = z.infer<typeof LimitationView>;

/** `nowMs` are the two clocks at the same moment. */
export function activeLimitView(limit: ActiveLimit, now: { wallMs: number; monotonicMs: number }): ActiveLimitView {
  const untilMs = limit.untilMs === null ? null : limit.untilMs - now.monotonicMs + now.wallMs;
  return {
    limitationId: limit.id,
    sourceId: limit.source,
    direction: limit.direction,
    scope: limit.scope,
    limit: limit.watts / W_PER_KW,
    // To the second: the two clocks are read one after the other, and the same end has to look the same each time.
    until: instantOrNull(untilMs === null ? null : Math.round(untilMs / MS_PER_S) * MS_PER_S),
  };
}

export function limitationView({ watts, beganAtMs, endedAtMs, reaction, ...rest }: Limitation): LimitationView {
  return {
    id: rest.id,
    sourceId: rest.sourceId,
    sourceName: rest.sourceName,
    direction: rest.direction,
    scope: rest.scope,
    state: rest.state,
    limit: watts / W_PER_KW,
    beganAt: instant(beganAtMs),
    endedAt: instantOrNull(endedAtMs),
    endReason: rest.endReason,
    reaction: {
      powerBefore: kwOf(reaction.powerBeforeW),
      devicesBefore: reaction.devicesBefore.map(({ id, powerW }) => ({ id, power: powerW / W_PER_KW })),
      secondsToReach: reaction.reachedAfterMs === null ? null : thousandths(reaction.reachedAfterMs / MS_PER_S),
      energy: thousandths(reaction.energyWh / W_PER_KW),
      highestPower: kwOf(reaction.highestW),
      measuredSeconds: thousandths(reaction.measuredMs / MS_PER_S),
    },
  };
}

const CSV_COLUMNS = [
  "id",
  "source",
  "direction",
  "scope",
  "state",
  "limit_kw",
  "began_at",
  "ended_at",
  "end_reason",
  "power_before_kw",
  "seconds_to_reach",
  "energy_kwh",
  "highest_power_kw",
  "measured_seconds",
] as const;

/** The limitations as lines of CSV (RFC 4180), with a header line. */
export function* limitationCsv(limitations: readonly Limitation[]): Generator<string> {
  yield `${CSV_COLUMNS.join(",")}\r\n`;
  for (const limitation of limitations) {
    const view = limitationView(limitation);
    const { reaction } = view;
    const cells = [
      view.id,
      view.sourceName,
      view.direction,
      view.scope,
      view.state,
      view.limit,
      view.beganAt,
      view.endedAt,
      view.endReason,
      reaction.powerBefore,
      reaction.secondsToReach,
      reaction.energy,
      reaction.highestPower,
      reaction.measuredSeconds,
    ];
    yield `${cells.map(csvCell).join(",")}\r\n`;
  }
}

function kwOf(watts: number | null): number | null {
  return watts === null ? null : thousandths(watts / W_PER_KW);
}

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
