import type { Availability } from "./entity.ts";
import { applied } from "./template.ts";

/** What availability topics said last, in their order. */
export class Availabilities {
  readonly #told = new Map<string, { readonly text: string; readonly order: number }>();
  #order = 0;

  tell(topic: string, text: string): void {
    this.#order += 1;
    this.#told.set(topic, { text, order: this.#order });
  }

  /** Whether an entity is available; null while nothing said so. Without any topic it always is. */
  of({ mode, topics }: Availability): boolean | null {
    if (topics.length === 0) return true;
    const told = topics.flatMap(({ topic, available, notAvailable, template }) => {
      const last = this.#told.get(topic);
      if (last === undefined) return [];
      const state = applied(template, last.text, () => undefined);
      if (state !== available && state !== notAvailable) return [];
      return [{ isAvailable: state === available, order: last.order }];
    });
    if (told.length === 0) return null;
    if (mode === "any") return told.some(({ isAvailable }) => isAvailable);
    if (mode === "all") return told.length === topics.length && told.every(({ isAvailable }) => isAvailable);
    return told.toSorted((a, b) => b.order - a.order)[0]?.isAvailable ?? null;
  }
}
