import type { ActionOrigin, DesiredSetting } from "../../domain/actions/action.ts";
import { isSameDesiredSetting, settingOf } from "../../domain/actions/desired-setting.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import { ProblemError } from "../../domain/problem.ts";
import type { CommandProgress } from "../../domain/smart/vehicle-smart-rules.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Actions } from "../contracts/engine.ts";

/** A command that failed is sent again after these times, ms; then after the last. An action tries for minutes itself. */
const RETRY_AFTER_MS = [MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 15 * MINUTE_MS] as const;
const LONGEST_RETRY_MS = 15 * MINUTE_MS;

interface Command {
  readonly setting: DesiredSetting;
  /** Null while it has not been sent, or was refused. */
  readonly actionId: string | null;
  readonly failures: number;
  /** Monotonic ms of the last failure; null while it has not failed. */
  readonly failedAtMs: number | null;
}

export interface FeatureCommandsOptions {
  readonly actions: Actions;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Log;
  readonly origin: ActionOrigin;
}

/** What a feature wants of its targets, as actions of its origin: one setting a target, followed until it is forgotten. */
export class FeatureCommands {
  readonly #options: FeatureCommandsOptions;
  readonly #commands = new Map<string, Command>();

  constructor(options: FeatureCommandsOptions) {
    this.#options = options;
  }

  /** How far a setting is; an action of an earlier run that wants the same is taken up again. */
  progress(targetId: string, setting: DesiredSetting): CommandProgress {
    const command = this.#of(targetId, setting) ?? this.#adopted(targetId, setting);
    if (command === null) return "none";
    if (command.failedAtMs !== null) return "failed";
    if (command.actionId === null) return "none";
    const action = this.#options.actions.get(setting.targetType, command.actionId);
    if (action?.state === "PENDING") return "pending";
    if (action?.state === "CONFIRMED" || action?.failureReason?.type === "UNNECESSARY") return "done";
    this.#failed(targetId, command);
    return "failed";
  }

  /** Failures of the setting since it was first sent. */
  failures(targetId: string): number {
    return this.#commands.get(targetId)?.failures ?? 0;
  }

  /** Monotonic ms from which on a failed command may be sent again; infinite when none failed. */
  retryAtMs(targetId: string): number {
    const command = this.#commands.get(targetId);
    if (command === undefined || command.failedAtMs === null) return Number.POSITIVE_INFINITY;
    return command.failedAtMs + (RETRY_AFTER_MS[command.failures - 1] ?? LONGEST_RETRY_MS);
  }

  /** Sends the setting. A refusal counts as a failure. Never rejects. */
  async send(targetId: string, setting: DesiredSetting): Promise<void> {
    const { actions, log, origin } = this.#options;
    const failures = this.#of(targetId, setting)?.failures ?? 0;
    const command: Command = { setting, actionId: null, failures, failedAtMs: null };
    try {
      const action = await actions.start(targetId, setting, origin);
      this.#commands.set(targetId, { ...command, actionId: action.id });
    } catch (error) {
      const reason = errorText(error);
      if (!(error instanceof ProblemError)) log.error({ err: error, targetId }, "smart command not sent");
      else log.info({ targetId, reason }, "smart command refused");
      this.#failed(targetId, command);
    }
  }

  /** True when a failed command may be sent again; nobody knows any more when those of an earlier run failed. */
  isRetryDue(targetId: string): boolean {
    return !this.#commands.has(targetId) || this.#options.clock.monotonicMs() >= this.retryAtMs(targetId);
  }

  /** The failed command is to be sent again; its failures stay counted. */
  renew(targetId: string): void {
    const command = this.#commands.get(targetId);
    if (command !== undefined) this.#commands.set(targetId, { ...command, actionId: null, failedAtMs: null });
  }

  /** Nothing is wanted any more; a pending action goes on. */
  forget(targetId: string): void {
    this.#commands.delete(targetId);
  }

  /** Nothing is wanted any more, and what is pending is taken back. Never rejects. */
  async withdraw(targetId: string): Promise<void> {
    const { actions, origin, log } = this.#options;
    this.#commands.delete(targetId);
    if (actions.pendingOf(targetId)?.origin !== origin) return;
    await actions
      .withdraw(targetId, origin)
      .catch((err: unknown) => log.warn({ err, targetId }, "smart command not taken back"));
  }

  /** True while an action of this feature that wants this is on its way. */
  isPending(targetId: string, setting: DesiredSetting): boolean {
    const pending = this.#options.actions.pendingOf(targetId);
    return pending?.origin === this.#options.origin && isSameDesiredSetting(settingOf(pending.action), setting);
  }

  #of(targetId: string, setting: DesiredSetting): Command | null {
    const command = this.#commands.get(targetId);
    return command !== undefined && isSameDesiredSetting(command.setting, setting) ? command : null;
  }

  #adopted(targetId: string, setting: DesiredSetting): Command | null {
    const pending = this.#options.actions.pendingOf(targetId);
    if (pending === null || !this.isPending(targetId, setting)) return null;
    const command: Command = { setting, actionId: pending.action.id, failures: 0, failedAtMs: null };
    this.#commands.set(targetId, command);
    return command;
  }

  #failed(targetId: string, command: Command): void {
    const failedAtMs = this.#options.clock.monotonicMs();
    this.#commands.set(targetId, { ...command, actionId: null, failures: command.failures + 1, failedAtMs });
  }
}
