/** A house cannot use less than nothing; what is above that is measured minutes apart, W. */
const MARGIN_W = 500;

/**
 * Which way power flows at a meter. Huawei's inverters tell export as positive in their own registers (37113), and most
 * stations do so here, but not all. A flow that is more than the inverters give cannot be export, whatever its sign.
 */
export class MeterSign {
  readonly #seenAsImport = new Set<1 | -1>();

  /** `powerW` as the meter tells it; `inverterW` is what the inverters give to the house, at about the same time. */
  learn(powerW: number, inverterW: number): void {
    const isImport = Math.abs(powerW) > Math.max(0, inverterW) + MARGIN_W;
    if (isImport) this.#seenAsImport.add(powerW > 0 ? 1 : -1);
  }

  /** The sign of import. Null: both were seen, so that there is more in the house than these inverters. */
  get ofImport(): 1 | -1 | null {
    const [seen = -1, ...others] = this.#seenAsImport;
    return others.length === 0 ? seen : null;
  }
}
