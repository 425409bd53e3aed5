import type { Clock } from "../../../src/platform/ports/ports.ts";
import { CloudTwin } from "../clouds/cloud-twin.ts";
import type { MarketBook } from "./market-book.ts";

/** A price source in memory: it has the troubles of a cloud, and the prices of a book. */
export abstract class MarketTwin extends CloudTwin {
  readonly book: MarketBook;

  constructor(clock: Clock, book: MarketBook) {
    super(clock);
    this.book = book;
  }
}
