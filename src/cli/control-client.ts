import { z } from "zod";
import {
  ClaimAnswer,
  ClientCredentials,
  ClientPin,
  ControlFailure,
  ControlState,
  type DiscoverQuestion,
  type PinQuestion,
  ResetAnswer,
  RevokeAnswer,
} from "../cli-socket/messages.ts";
import { CloudLinkView } from "../domain/cloud/cloud-link-view.ts";
import { NetworkSearch } from "../domain/discovery/discovery.ts";
import type { ExportQuery } from "../domain/export/export-query.ts";
import { ClientEntry, Person } from "../domain/people/account.ts";
import { UpdateReport } from "../domain/updates/update-report.ts";
import {
  askSocket,
  MAX_SOCKET_PATH_BYTES,
  type SocketAnswer,
  type SocketRequest,
  streamSocket,
  whyNoSocket,
} from "../platform/node/unix-socket.ts";
import { CliError, EXIT } from "./exit-code.ts";
import { controlSocketPath } from "./state-folder.ts";

const ANSWER_WITHIN_MS = 10_000;
/** Somebody else is asked for it, who may take his time. */
const ENROLLED_WITHIN_MS = 60_000;
/** Of a gateway that reads years of history from a slow card. */
const FILE_SILENCE_MS = 60_000;
const NO_BACKUPS = "the gateway that runs is of an older version, which makes no backups; restart it";
const NO_EXPORTS = "the gateway that runs is of an older version, which makes no exports; restart it";

/** What the gateway on this state folder says. Null: none runs there. */
export async function askState(folder: string, signal: AbortSignal): Promise<ControlState | null> {
  const answer = await ask(folder, { method: "GET", path: "/state" }, signal);
  return answer === null ? null : parsed(answer, ControlState);
}

/** Has the running gateway create a client. Null: none runs on this state folder. */
export async function askForClient(
  folder: string,
  client: {
    readonly name: string;
    readonly version?: string | undefined;
    readonly scopes?: readonly string[] | undefined;
  },
  signal: AbortSignal,
): Promise<ClientCredentials | null> {
  const answer = await ask(folder, { method: "POST", path: "/clients", body: client }, signal);
  return answer === null ? null : parsed(answer, ClientCredentials);
}

/** Has the running gateway pin a client to a version. Null: none runs on this state folder. */
export async function askForPin(folder: string, body: PinQuestion, signal: AbortSignal): Promise<ClientPin | null> {
  const answer = await ask(folder, { method: "POST", path: "/clients/pin", body }, signal);
  return answer === null ? null : parsed(answer, ClientPin);
}

/** The setup code of the running gateway; with `isNew` another one. Null: none runs on this state folder. */
export async function askForClaim(folder: string, isNew: boolean, signal: AbortSignal): Promise<ClaimAnswer | null> {
  const answer = await ask(folder, { method: "POST", path: "/claim", body: { isNew } }, signal);
  return answer === null ? null : parsed(answer, ClaimAnswer);
}

/** The people with an account at the running gateway. Null: none runs on this state folder. */
export async function askPeople(folder: string, signal: AbortSignal): Promise<readonly Person[] | null> {
  const answer = await ask(folder, { method: "GET", path: "/people" }, signal);
  return answer === null ? null : parsed(answer, z.array(Person));
}

/** A code for a new password of an account. Null: no gateway runs on this state folder. */
export async function askForReset(folder: string, name: string, signal: AbortSignal): Promise<ResetAnswer | null> {
  const answer = await ask(folder, { method: "POST", path: "/people/reset", body: { name } }, signal);
  return answer === null ? null : parsed(answer, ResetAnswer);
}

/** The clients of the running gateway. Null: none runs on this state folder. */
export async function askClients(folder: string, signal: AbortSignal): Promise<readonly ClientEntry[] | null> {
  const answer = await ask(folder, { method: "GET", path: "/clients" }, signal);
  return answer === null ? null : parsed(answer, z.array(ClientEntry));
}

/** Has the running gateway revoke a client. Null: none runs on this state folder. */
export async function askForRevocation(folder: string, id: string, signal: AbortSignal): Promise<RevokeAnswer | null> {
  const answer = await ask(folder, { method: "POST", path: "/clients/revoke", body: { id } }, signal);
  return answer === null ? null : parsed(answer, RevokeAnswer);
}

/** Has the running gateway search the house's network. Null: none runs on this state folder. */
export async function askForSearch(
  folder: string,
  question: DiscoverQuestion,
  signal: AbortSignal,
): Promise<NetworkSearch | null> {
  const answer = await ask(folder, { method: "POST", path: "/discovery", body: question }, signal);
  return answer === null ? null : parsed(answer, NetworkSearch);
}

/** How the search goes. Null: no gateway runs on this state folder. */
export async function askSearch(folder: string, signal: AbortSignal): Promise<NetworkSearch | null> {
  const answer = await ask(folder, { method: "GET", path: "/discovery" }, signal);
  return answer === null ? null : parsed(answer, NetworkSearch);
}

/** Has the running gateway enrol with a cloud service. Null: none runs on this state folder. */
export async function askForEnrolment(
  folder: string,
  token: string,
  signal: AbortSignal,
): Promise<CloudLinkView | null> {
  const question = {
    method: "POST",
    path: "/cloud/enrolment",
    body: { token },
    timeoutMs: ENROLLED_WITHIN_MS,
  } as const;
  const answer = await ask(folder, question, signal);
  return answer === null ? null : parsed(answer, CloudLinkView);
}

/** How the link to the cloud service does. Null: no gateway runs on this state folder. */
export async function askCloud(folder: string, signal: AbortSignal): Promise<CloudLinkView | null> {
  const answer = await ask(folder, { method: "GET", path: "/cloud" }, signal);
  return answer === null ? null : parsed(answer, CloudLinkView);
}

/** Has the running gateway cut that link. Null: none runs on this state folder. */
export async function askForCut(folder: string, signal: AbortSignal): Promise<CloudLinkView | null> {
  const answer = await ask(folder, { method: "POST", path: "/cloud/cut" }, signal);
  return answer === null ? null : parsed(answer, CloudLinkView);
}

/** Reports to the running gateway how its update went. Returns false if none runs on this state folder. */
export async function askForUpdateReport(folder: string, body: UpdateReport, signal: AbortSignal): Promise<boolean> {
  const answer = await ask(folder, { method: "POST", path: "/updates", body }, signal);
  if (answer === null) return false;
  parsed(answer, UpdateReport);
  return true;
}

/** The encrypted backup of the running gateway, as it is made. Null: no gateway runs on this state folder. */
export async function askForBackup(
  folder: string,
  passphrase: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | null> {
  return await askForFile(folder, { path: "/backups", body: { passphrase }, old: NO_BACKUPS }, signal);
}

/** The history of the running gateway as a file, as it is made. Null: no gateway runs on this state folder. */
export async function askForExport(
  folder: string,
  query: z.input<typeof ExportQuery>,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | null> {
  return await askForFile(folder, { path: "/export", body: query, old: NO_EXPORTS }, signal);
}

/** `old`: what is wrong with a gateway that does not know the path. */
async function askForFile(
  folder: string,
  { path, body, old }: { readonly path: string; readonly body: unknown; readonly old: string },
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | null> {
  const socketPath = controlSocketPath(folder);
  requireShortPath(folder, socketPath);
  const question: SocketRequest = { socketPath, method: "POST", path, body, timeoutMs: FILE_SILENCE_MS };
  const answer = await streamSocket(question, signal);
  if (answer === null) return await nobody(folder, socketPath);
  if (answer.status === 200) return answer.body;
  const parts: Uint8Array[] = [];
  for await (const part of answer.body) parts.push(part);
  const failure = ControlFailure.safeParse(JSON.parse(Buffer.concat(parts).toString("utf8")));
  throw new CliError(EXIT.failed, failure.success ? failure.data.error : old);
}

/** The end of a command that only a running gateway can answer. */
export function notRunning(folder: string): CliError {
  return new CliError(
    EXIT.notRunning,
    `no gateway runs on the state folder ${folder}\n` +
      "start one with `hemgate start --config FILE` (or `hemgate start --sandbox`), or name its folder with --state",
  );
}

interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

async function ask(folder: string, question: Question, signal: AbortSignal): Promise<SocketAnswer | null> {
  const socketPath = controlSocketPath(folder);
  requireShortPath(folder, socketPath);
  const answer = await askSocket({ timeoutMs: ANSWER_WITHIN_MS, ...question, socketPath }, signal);
  return answer ?? (await nobody(folder, socketPath));
}

function requireShortPath(folder: string, socketPath: string): void {
  if (Buffer.byteLength(socketPath) <= MAX_SOCKET_PATH_BYTES) return;
  const problem = `the path of the state folder ${folder} is too long for a socket in it`;
  throw new CliError(EXIT.unavailable, `${problem} (at most ${MAX_SOCKET_PATH_BYTES} bytes)`);
}

/** Nobody listens there. Throws a `CliError` if a gateway runs all the same. */
async function nobody(folder: string, socketPath: string): Promise<null> {
  const why = await whyNoSocket(socketPath);
  if (why === null) return null;
  throw new CliError(
    EXIT.unavailable,
    `the gateway (process ${why.pid}) runs without a socket for the command line: ${why.reason}\n` +
      `the file system of ${folder} may hold none, as FAT and some network shares; give the gateway a state folder on another`,
  );
}

function parsed<Answer>({ status, text }: SocketAnswer, schema: z.ZodType<Answer>): Answer {
  const content: unknown = JSON.parse(text);
  if (status === 200) return schema.parse(content);
  const failure = ControlFailure.safeParse(content);
  throw new CliError(EXIT.failed, failure.success ? failure.data.error : `the gateway answered ${status}`);
}
