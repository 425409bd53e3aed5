/** Picks by chance so that each comes once before any comes again. */
import type { SeededRandom } from "hemgate/testing";

export class Deck<Card> {
  readonly #cards: readonly Card[];
  readonly #random: SeededRandom;
  #rest: readonly Card[] = [];

  constructor(cards: Iterable<Card>, random: SeededRandom) {
    this.#cards = [...cards];
    this.#random = random;
  }

  next(): Card {
    const drawn: Card[] = [];
    this.draw((card) => drawn.push(card) > 0);
    const [card] = drawn;
    if (card === undefined) throw new Error("the deck is empty");
    return card;
  }

  /** Draws one that `isTaken` takes; one that it does not stays for later. Answers whether one was drawn. */
  draw(isTaken: (card: Card) => boolean): boolean {
    if (this.#rest.length === 0) this.#rest = this.#cards;
    const [first, ...others] = this.#rest;
    if (first === undefined) return false;
    const card = this.#random.pick([first, ...others]);
    if (!isTaken(card)) return false;
    this.#rest = this.#rest.filter((each) => each !== card);
    return true;
  }
}
