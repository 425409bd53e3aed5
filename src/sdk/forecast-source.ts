/** A solar forecast service as a description: how it is requested, and how its responses are parsed. */

/** Solar modules with the same orientation at a location. */
export interface ForecastPlane {
  /** Degrees, positive north. */
  readonly latitude: number;
  /** Degrees, positive east. */
  readonly longitude: number;
  /** Tilt from the horizontal, degrees: 0 is flat, 90 is vertical. */
  readonly tilt: number;
  /** Azimuth, degrees clockwise from north: 90 is east, 180 south, 270 west. */
  readonly azimuth: number;
  /** Peak power under standard test conditions, kW. */
  readonly peakKw: number;
  /** Fraction of the power that is lost between the cells and the house, 0 to 1; `null` for the usual one. */
  readonly lossesFraction: number | null;
  /** Nominal operating cell temperature, °C; `null` for the usual one. */
  readonly noct: number | null;
  /** Temperature coefficient of the power, % per K, below 0; `null` for the usual one. */
  readonly temperatureCoefficient: number | null;
}

/** A mean power between two instants. */
export interface ForecastSlot {
  /** Wall-clock ms. */
  readonly fromMs: number;
  /** Wall-clock ms, exclusive. */
  readonly toMs: number;
  /** W. */
  readonly powerW: number;
  /** Power that is exceeded with a probability of 90 %, W; `null` if the source does not forecast it. */
  readonly p10W: number | null;
  /** Power that is exceeded with a probability of 10 %, W; `null` if the source does not forecast it. */
  readonly p90W: number | null;
}

/** A GET request. Its URL and headers never appear in logs, errors or responses of the API. */
export interface ForecastRequest {
  /** An `https:` URL with one of the source's hosts. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response without a forecast. */
export interface ForecastRefusal {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; `null` if the body is not JSON. */
  readonly body: unknown;
}

interface SourceBasics {
  /** The name in the configuration. */
  readonly id: string;
  /** The name for users. */
  readonly name: string;
  /** The author and the licence to show wherever the forecast is shown. */
  readonly credit: string;
  /** The only hosts to which requests are sent. */
  readonly hosts: readonly string[];
  /** Whether requests need an API key. */
  readonly key: "needed" | "optional" | "none";
  /** The highest number of requests in a sliding window of this length. */
  readonly limit: { readonly requests: number; readonly windowMs: number };
  /** How often the source publishes a new forecast, ms. */
  readonly everyMs: number;
  /** Returns when the next request after a 429 is allowed, wall-clock ms; `null` if not known. Not needed for `Retry-After`. */
  restUntilMs?(refusal: ForecastRefusal, nowMs: number): number | null;
}

/** A source that gets the data of each plane in a separate request. */
export interface PlaneForecastSource extends SourceBasics {
  readonly panels: "planes";
  /** True if the source forecasts the weather and the power is calculated here from losses and temperatures of the plane. */
  readonly isEstimated: boolean;
  /** Returns the request for a plane. */
  request(plane: ForecastPlane, key: string | null): ForecastRequest;
  /** Returns the slots of a response, ascending without overlaps; `null` if it is not as the source documents it. */
  read(body: unknown, plane: ForecastPlane): readonly ForecastSlot[] | null;
}

/** A source with an account in which the solar panels are configured as sites with ids. */
export interface SiteForecastSource extends SourceBasics {
  readonly panels: "sites";
  /** Returns the request for a site. */
  request(siteId: string, key: string | null): ForecastRequest;
  /** Returns the slots of a response, ascending without overlaps; `null` if it is not as the source documents it. */
  read(body: unknown): readonly ForecastSlot[] | null;
}

export type ForecastSource = PlaneForecastSource | SiteForecastSource;
