import type { Intake } from "./bridge.ts";

/** Joins what several topics say about whether a device is there: its own last will, its gateway's, a state. */
export class Presence {
  readonly #parts = new Map<string, { readonly isPresent: boolean; readonly why: string }>();

  /** `part` is who says so. The device is there while none says that it is not. */
  tell(intake: Intake, part: string, isPresent: boolean, why: string): void {
    this.#parts.set(part, { isPresent, why });
    const absent = [...this.#parts.values()].find((each) => !each.isPresent);
    intake.present(absent === undefined, absent?.why ?? why);
  }
}
