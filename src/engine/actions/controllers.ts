import type { ControllerKind } from "../../domain/actions/action.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Controller, Controllers } from "../contracts/control.ts";
import { withLock } from "../with-lock.ts";

/** Which feature is in charge of which target. */
export class ControllerRegistry implements Controllers {
  readonly #hooks: { readonly controllers: readonly Controller[] };
  readonly #mutex = new KeyedMutex();

  constructor(hooks: { readonly controllers: readonly Controller[] }) {
    this.#hooks = hooks;
  }

  inChargeOf(targetId: string): ControllerKind | null {
    return this.#hooks.controllers.find((controller) => controller.controls(targetId))?.kind ?? null;
  }

  async takeOver<T>(targetId: string, by: ControllerKind, enable: () => Promise<T>): Promise<T> {
    return await withLock(this.#mutex, `what controls ${targetId}`, async () => {
      for (const controller of this.#hooks.controllers) if (controller.kind !== by) await controller.release(targetId);
      return await enable();
    });
  }
}
