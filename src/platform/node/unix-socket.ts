import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { codeOf } from "../error-text.ts";

/** The kernel keeps a socket's path in 108 bytes with a zero at the end; Node would cut a longer one silently. */
export const MAX_SOCKET_PATH_BYTES = 107;
const MAX_ANSWER_BYTES = 16_000_000;
const OWNER_ONLY = 0o600;

export interface SocketRequest {
  readonly socketPath: string;
  readonly method: string;
  readonly path: string;
  /** Sent as JSON; nothing when undefined. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface SocketAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks an HTTP server behind a Unix domain socket. Null: nobody listens there. */
export async function askSocket(question: SocketRequest, signal: AbortSignal): Promise<SocketAnswer | null> {
  try {
    return await exchange(question, AbortSignal.any([signal, AbortSignal.timeout(question.timeoutMs)]));
  } catch (error) {
    signal.throwIfAborted();
    if (isNobody(error)) return null;
    throw new Error(`no answer from ${question.socketPath}`, { cause: error });
  }
}

/** ENOENT, ENOTDIR: never started here, or stopped in order. ECONNREFUSED: the file is left from a process that was killed. */
function isNobody(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ECONNREFUSED"].includes(codeOf(error) ?? "");
}

export interface SocketStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Rejects when the server ends before it sent everything. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The same for a long answer, which is read as it comes. `timeoutMs` is the longest silence. */
export async function streamSocket(question: SocketRequest, signal: AbortSignal): Promise<SocketStream | null> {
  const { promise, resolve, reject } = Promise.withResolvers<SocketStream>();
  const { socketPath, method, path, body, timeoutMs } = question;
  const headers = { ...(body !== undefined && { "content-type": "application/json" }), ...question.headers };
  const call = request({ socketPath, method, path, headers, signal, agent: false }, (answer) => {
    const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    resolve({ status: answer.statusCode ?? 0, headers: Object.fromEntries(fields), body: answer });
  });
  call.setTimeout(timeoutMs, () => call.destroy(new Error(`no answer from ${socketPath}`)));
  call.on("error", reject);
  call.end(body === undefined ? undefined : JSON.stringify(body));
  try {
    return await promise;
  } catch (error) {
    signal.throwIfAborted();
    if (isNobody(error)) return null;
    throw new Error(`no answer from ${socketPath}`, { cause: error });
  }
}

function exchange({ socketPath, method, path, body }: SocketRequest, signal: AbortSignal): Promise<SocketAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SocketAnswer>();
  const payload = body === undefined ? null : JSON.stringify(body);
  const headers = payload === null ? {} : { "content-type": "application/json" };
  const call = request({ socketPath, method, path, headers, signal, agent: false }, (answer) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    answer.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) answer.destroy(new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`));
      else parts.push(part);
    });
    answer.on("error", reject);
    answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }));
  });
  call.on("error", reject);
  call.end(payload ?? undefined);
  return promise;
}

/** Removes the socket file that a killed process left. Only the process that has the folder's lock may call it. */
export async function clearSocketPath(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Says beside a socket's path why a process that runs has no socket there: not every file system can hold one. */
export async function noteNoSocket(path: string, reason: string): Promise<void> {
  await writeFile(noteOf(path), `${process.pid} ${reason}\n`, { mode: OWNER_ONLY });
}

export async function clearNote(path: string): Promise<void> {
  await rm(noteOf(path), { force: true });
}

/** Why a process that runs has no socket there; null when there is none, or it can have one. */
export async function whyNoSocket(path: string): Promise<{ readonly pid: number; readonly reason: string } | null> {
  const text = await readFile(noteOf(path), "utf8").catch(() => "");
  const [, digits, reason = ""] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  const pid = Number(digits);
  return digits !== undefined && isRunning(pid) ? { pid, reason } : null;
}

function noteOf(path: string): string {
  return `${path}.failed`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and another user's.
    return codeOf(error) === "EPERM";
  }
}

/** Lets only the owner connect. */
export async function protectSocket(path: string): Promise<void> {
  await chmod(path, OWNER_ONLY);
}
