/** The units of the package as systemd runs them, and the API as another program sees it. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { runProgram } from "./programs.ts";

const GATEWAY = "hemgate.service";
const UPDATE = "hemgate-update.service";
const ANSWER_WITHIN_MS = 5_000;

/** Stops the gateway; resolves when its process has ended. */
export async function stopGatewayService(): Promise<void> {
  await runProgram("systemctl", ["stop", GATEWAY]);
}

/** Starts the gateway; does not wait until it is ready. */
export async function startGatewayService(): Promise<void> {
  await runProgram("systemctl", ["start", "--no-block", GATEWAY]);
}

/** Starts the unit that goes on with an update. */
export async function startUpdateService(): Promise<void> {
  await runProgram("systemctl", ["start", "--no-block", UPDATE]);
}

/** Stops that unit; the update goes on when it is started again. */
export async function stopUpdateService(): Promise<void> {
  await runProgram("systemctl", ["stop", UPDATE]);
}

export interface GatewayProcess {
  /** `null`: no process runs. */
  readonly pid: number | null;
  /** How often systemd started it again by itself since it was started. */
  readonly restarts: number;
}

/** The process of the gateway. */
export async function gatewayProcess(): Promise<GatewayProcess> {
  const text = await runProgram("systemctl", ["show", "--property=MainPID,NRestarts", GATEWAY]);
  const pid = Number(/^MainPID=(\d+)$/mu.exec(text)?.[1] ?? 0);
  return { pid: pid === 0 ? null : pid, restarts: Number(/^NRestarts=(\d+)$/mu.exec(text)?.[1] ?? 0) };
}

/** Returns true if something answers HTTP at the URL, whatever it answers. Its certificate may be its own. */
export function answersHttp(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { protocol } = new URL(url);
  const options = { agent: false, timeout: ANSWER_WITHIN_MS, rejectUnauthorized: false } as const;
  const call = (protocol === "https:" ? requestHttps : requestHttp)(url, options, (answer) => {
    answer.resume();
    resolve(true);
  });
  call.on("timeout", () => call.destroy(new Error("no answer")));
  call.on("error", () => resolve(false));
  call.end();
  return promise;
}
