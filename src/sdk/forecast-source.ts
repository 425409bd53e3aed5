/** A service that forecasts what panels will give, as a description: how it is asked, and how its answers are read. */

/** Modules that look the same way, at a place. */
export interface ForecastPlane {
  /** Degrees north. */
  readonly latitude: number;
  /** Degrees east. */
  readonly longitude: number;
  /** Degrees from the horizontal: 0 lies flat, 90 stands. */
  readonly tilt: number;
  /** Where the plane looks, degrees from north over east: 90 is east, 180 south, 270 west. */
  readonly azimuth: number;
  /** Power of the modules under standard test conditions, kW. */
  readonly peakKw: number;
  /** Share of the power that is lost between the cells and the house, 0 to 1; null: what is usual. */
  readonly lossesFraction: number | null;
  /** Nominal operating cell temperature, °C; null: what is usual. */
  readonly noct: number | null;
  /** What the power changes by with each degree of the cells, % per K, below 0; null: what is usual. */
  readonly temperatureCoefficient: number | null;
}

/** Mean power from one instant to another. */
export interface ForecastSlot {
  /** Wall-clock ms. */
  readonly fromMs: number;
  /** Wall-clock ms; excluded. */
  readonly toMs: number;
  /** W. */
  readonly powerW: number;
  /** What is exceeded in nine of ten cases, W; null when the source does not tell. */
  readonly p10W: number | null;
  /** What is exceeded in one of ten cases, W; null when the source does not tell. */
  readonly p90W: number | null;
}

/** A GET request. Nothing of its address or headers goes into logs, errors or answers of the API. */
export interface ForecastRequest {
  /** `https:`, at one of the source's hosts. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is not the forecast. */
export interface ForecastRefusal {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As JSON; null when it is none. */
  readonly body: unknown;
}

interface SourceBasics {
  /** How a configuration names it. */
  readonly id: string;
  /** As people write it. */
  readonly name: string;
  /** Who has to be named where the forecast is shown, and the licence or the terms. */
  readonly credit: string;
  /** Requests go nowhere else. */
  readonly hosts: readonly string[];
  readonly key: "needed" | "optional" | "none";
  /** The most requests in any time of this length. */
  readonly limit: { readonly requests: number; readonly windowMs: number };
  /** How often there is something new, ms. */
  readonly everyMs: number;
  /** When a 429 may be followed by a request, wall-clock ms; null when it does not say. `Retry-After` is heeded without this. */
  restUntilMs?(refusal: ForecastRefusal, nowMs: number): number | null;
}

/** It is told of each plane, in a request of its own. */
export interface PlaneForecastSource extends SourceBasics {
  readonly panels: "planes";
  /** True: it tells the weather, and the power is reckoned here from a plane's losses and temperatures. */
  readonly isEstimated: boolean;
  request(plane: ForecastPlane, key: string | null): ForecastRequest;
  /** Ascending, without overlaps; gaps are unknown. Null: the answer is not what the source documents. */
  read(body: unknown, plane: ForecastPlane): readonly ForecastSlot[] | null;
}

/** It knows the panels from an account there, as sites with ids. */
export interface SiteForecastSource extends SourceBasics {
  readonly panels: "sites";
  request(siteId: string, key: string | null): ForecastRequest;
  /** As of planes. */
  read(body: unknown): readonly ForecastSlot[] | null;
}

export type ForecastSource = PlaneForecastSource | SiteForecastSource;
