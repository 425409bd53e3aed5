import type { ControllerKind } from "../../domain/actions/action.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Controller, Controllers } from "../contracts/control.ts";
import { inTurn } from "../places/in-turn.ts";

/** Which feature is in charge of which target. Features register once, when the engine is made. */
export class ControllerRegistry implements Controllers {
  readonly #controllers: Controller[] = [];
  readonly #mutex = new KeyedMutex();

  register(controller: Controller): void {
    this.#controllers.push(controller);
  }

  inChargeOf(targetId: string): ControllerKind | null {
    return this.#controllers.find((controller) => controller.controls(targetId))?.kind ?? null;
  }

  async takeOver<T>(targetId: string, by: ControllerKind, enable: () => Promise<T>): Promise<T> {
    return await inTurn(this.#mutex, `what controls ${targetId}`, async () => {
      for (const controller of this.#controllers) if (controller.kind !== by) await controller.release(targetId);
      return await enable();
    });
  }
}
