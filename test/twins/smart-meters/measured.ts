/** What a metering twin measures. */
export interface Measured {
  /** W of the three phases; positive is import. */
  readonly powerW: readonly [number, number, number];
  readonly voltageV: readonly [number, number, number];
  /** A, without a sign, as meters give them. */
  readonly currentA: readonly [number, number, number];
  /** Wh by tariff. */
  readonly importWh: readonly [number, number];
  readonly exportWh: readonly [number, number];
  readonly frequencyHz: number;
}

export const SOME_MEASURED: Measured = {
  powerW: [820, -310, 45],
  voltageV: [231.4, 229.8, 230.2],
  currentA: [4, 1, 0],
  importWh: [4_000_647, 1_154_948],
  exportWh: [312_501, 8_004],
  frequencyHz: 49.98,
};

/** W of all phases; positive is import. */
export function netW({ powerW: [a, b, c] }: Measured): number {
  return a + b + c;
}
