import type { Availability } from "./entity.ts";
import { applied } from "./template.ts";

/** What availability topics said last, in their order. */
export class Availabilities {
  readonly #reported = new Map<string, { readonly text: string; readonly order: number }>();
  #order = 0;

  tell(topic: string, text: string): void {
    this.#order += 1;
    this.#reported.set(topic, { text, order: this.#order });
  }

  /** Whether an entity is available; null while nothing said so. Without any topic it always is. */
  of({ mode, topics }: Availability): boolean | null {
    if (topics.length === 0) return true;
    const states = topics.flatMap(({ topic, available, notAvailable, template }) => {
      const last = this.#reported.get(topic);
      if (last === undefined) return [];
      const state = applied(template, last.text, () => undefined);
      if (state !== available && state !== notAvailable) return [];
      return [{ isAvailable: state === available, order: last.order }];
    });
    if (states.length === 0) return null;
    if (mode === "any") return states.some(({ isAvailable }) => isAvailable);
    if (mode === "all") return states.length === topics.length && states.every(({ isAvailable }) => isAvailable);
    return states.toSorted((a, b) => b.order - a.order)[0]?.isAvailable ?? null;
  }
}
