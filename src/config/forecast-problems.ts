import type { z } from "zod";
import type { ForecastSource } from "../sdk/forecast-source.ts";
import type { ForecastConfig } from "./forecast-config.ts";

export type ForecastSettings = z.infer<typeof ForecastConfig>;

/** Something that does not fit the source that is named. */
export interface ForecastMismatch {
  /** Within the settings. */
  readonly path: readonly (string | number)[];
  readonly problem: string;
}

/** The fields of a plane that only sources whose power the gateway calculates use. */
const CALCULATED = ["lossesFraction", "noct", "temperatureCoefficient"] as const;

/** Tells what the chosen source lacks or does not take. */
export function checkForecast(
  settings: ForecastSettings | undefined,
  sources: readonly ForecastSource[],
  context: z.RefinementCtx,
): void {
  for (const { path, problem } of forecastMismatches(settings, sources)) {
    const [field] = path;
    const candidates = field === "source" ? sources.map(({ id }) => id) : [];
    // A key is shown nowhere.
    const input = field === "source" ? settings?.source : undefined;
    context.addIssue({ code: "custom", path: [...path], message: problem, input, params: { candidates } });
  }
}

/** None when a forecast can be fetched. */
export function forecastMismatches(
  settings: ForecastSettings | undefined,
  sources: readonly ForecastSource[],
): readonly ForecastMismatch[] {
  if (settings === undefined) return [];
  const source = sources.find(({ id }) => id === settings.source);
  if (source === undefined) {
    const known = sources.map(({ id }) => id).join(", ") || "none";
    return [{ path: ["source"], problem: `there is no such source of forecasts; there are ${known}` }];
  }
  return [...ofKey(settings, source), ...ofPanels(settings, source), ...ofQuota(settings, source)];
}

function ofKey({ key }: ForecastSettings, { id, key: wanted }: ForecastSource): readonly ForecastMismatch[] {
  if (wanted === "needed" && key === null) return [{ path: ["key"], problem: `${id} needs the key of your account` }];
  return wanted === "none" && key !== null ? [{ path: ["key"], problem: `${id} takes none` }] : [];
}

function ofPanels({ planes, sites }: ForecastSettings, source: ForecastSource): readonly ForecastMismatch[] {
  const { id } = source;
  const tell = (path: ForecastMismatch["path"], problem: string): ForecastMismatch => ({ path, problem });
  if (source.panels === "sites") {
    return [
      ...(sites.length === 0 ? [tell(["sites"], `${id} needs the ids of your sites there`)] : []),
      ...(planes.length > 0 ? [tell(["planes"], `${id} knows them from your account; name its sites`)] : []),
    ];
  }
  const own = planes.flatMap((plane, index) =>
    CALCULATED.filter((field) => !source.isEstimated && plane[field] !== undefined).map((field) =>
      tell(["planes", index, field], `${id} calculates with its own value; leave it out`),
    ),
  );
  return [
    ...(planes.length === 0 ? [tell(["planes"], `${id} needs a description of the panels`)] : []),
    ...(sites.length > 0 ? [tell(["sites"], `${id} knows none; describe the panels in planes`)] : []),
    ...own,
  ];
}

/** Each plane, or site, is a request. */
function ofQuota({ planes, sites }: ForecastSettings, source: ForecastSource): readonly ForecastMismatch[] {
  const { id, panels, limit } = source;
  const entries = panels === "planes" ? planes : sites;
  if (entries.length <= limit.requests) return [];
  return [{ path: [panels], problem: `${id} answers no more than ${limit.requests} requests at once` }];
}
