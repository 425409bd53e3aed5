/** Commands to devices, followed until the device shows what was asked for. */
import { ask, PageError } from "../api.ts";

interface Action {
  readonly id: string;
  readonly state: "PENDING" | "CONFIRMED" | "FAILED" | "CANCELLED";
  readonly failureReason?: { readonly detail?: string } | null;
}

const LOOK_EACH_MS = 1_500;

/** Resolves when the device has it. Throws {@link PageError} with `failed` when it has not. */
export async function command(path: string, body: object | undefined, actions: string, failed: string): Promise<void> {
  let action = await ask<Action>("POST", path, body);
  while (action.state === "PENDING") {
    await new Promise((done) => setTimeout(done, LOOK_EACH_MS));
    action = await ask<Action>("GET", `${actions}/${action.id}`);
  }
  if (action.state !== "CONFIRMED")
    throw new PageError([failed, action.failureReason?.detail].filter(Boolean).join(" "));
}
