/** A house cannot use less than nothing; what is above that is measured minutes apart, W. */
const MARGIN_W = 500;
/** The sun may come out between the inverters' answer and the meter's: once proves nothing, and seldom neither. */
const LEAST_SEEN = 3;
const SELDOM_PART = 1 / 3;

/**
 * Which way power flows at a meter. Huawei's inverters tell export as positive in their own registers (37113), and most
 * stations do so here, but not all. A flow that is more than the inverters give cannot be export, whatever its sign.
 */
export class MeterSign {
  readonly #seenAsImport = new Map<1 | -1, number>();

  /** `powerW` as the meter tells it; `inverterW` is what the inverters give to the house, at about the same time. */
  learn(powerW: number, inverterW: number): void {
    if (Math.abs(powerW) <= Math.max(0, inverterW) + MARGIN_W) return;
    const sign = powerW > 0 ? 1 : -1;
    this.#seenAsImport.set(sign, this.#seen(sign) + 1);
  }

  /** The sign of import. Null: it is in doubt, or there is more in the house than these inverters. */
  get ofImport(): 1 | -1 | null {
    const [usual, other] = [this.#seen(-1), this.#seen(1)];
    if (other <= usual * SELDOM_PART) return -1;
    return other >= LEAST_SEEN && usual <= other * SELDOM_PART ? 1 : null;
  }

  #seen(sign: 1 | -1): number {
    return this.#seenAsImport.get(sign) ?? 0;
  }
}
