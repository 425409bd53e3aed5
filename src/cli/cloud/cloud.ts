import type { CloudLinkView } from "../../domain/cloud/cloud-link-view.ts";
import { ProblemError } from "../../domain/problem.ts";
import { nodeDisk } from "../../platform/node/files/node-disk.ts";
import { makePrivateFolder, readTextFile } from "../../platform/node/files/text-file.ts";
import { nodeHttp } from "../../platform/node/http/node-http.ts";
import { nodeClock } from "../../platform/node/node-clock.ts";
import { nodeLog } from "../../platform/node/node-log.ts";
import { nodeRandom as random } from "../../platform/node/node-random.ts";
import { packageFacts } from "../../platform/node/package-root.ts";
import type { Log } from "../../platform/ports/ports.ts";
import { openStore } from "../../store/open-store.ts";
import type { OpenedStore } from "../../store/store.ts";
import { OwnersCloudLink } from "../../sync/identity/cloud-link.ts";
import { ConfiguredAccounts } from "../../sync/identity/configured-accounts.ts";
import { EnrolmentService } from "../../sync/identity/enrolment-service.ts";
import { Identities } from "../../sync/identity/identities.ts";
import { configurationText } from "../configuration-text.ts";
import type { CliContext } from "../context.ts";
import { askCloud, askForCut, askForEnrolment } from "../control-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-code.ts";
import { type KeySource, presentKeys, startKeys } from "../secret-keys.ts";
import { startFailure } from "../start-failure.ts";
import { type FileProvision, fileProvision, provisionText } from "./cloud-provision.ts";

export interface CloudOptions {
  readonly folder: string;
  /** The configuration file, for a gateway that does not run; absent: where `hemgate start` looks. */
  readonly config?: string | undefined;
  readonly keys: KeySource;
  readonly isJson: boolean;
}

/** As the view says it. */
const NOT_ENROLLED = "not enrolled";
const LEFT = "what waits is for a cloud service that is not known here; name the gateway's configuration with --config";

type Context = Pick<CliContext, "environment" | "out" | "err" | "stop">;

/** What is shown of the link. */
interface ShownLink {
  readonly view: CloudLinkView;
  /** By the gateway itself, and not by what is on its disk. */
  readonly isRunning: boolean;
  /** Of a gateway that does not run and that a configuration file provisions; null: of any other. */
  readonly provision: FileProvision | null;
}

/** `hemgate cloud enroll`: by the running gateway, or in its store when none runs. */
export async function cloudEnroll(token: string, options: CloudOptions, context: Context): Promise<ExitCode> {
  const running = await askForEnrolment(options.folder, token, context.stop);
  const work = (link: OwnersCloudLink): Promise<void> => link.enroll(token, context.stop);
  return show(ofRunning(running) ?? (await inStore(options, startKeys, context, work)), options, context);
}

/** `hemgate cloud status`. */
export async function cloudStatus(options: CloudOptions, context: Context): Promise<ExitCode> {
  const running = await askCloud(options.folder, context.stop);
  return show(ofRunning(running) ?? (await inStore(options, presentKeys, context)), options, context);
}

/** `hemgate cloud cut`. */
export async function cloudCut(options: CloudOptions, context: Context): Promise<ExitCode> {
  const running = await askForCut(options.folder, context.stop);
  // What waits goes with the link, as it does beside a running gateway.
  const work = async (link: OwnersCloudLink, { outbox }: OpenedStore): Promise<void> => {
    await link.cut();
    if (outbox.meta !== null) await outbox.close();
  };
  return show(ofRunning(running) ?? (await inStore(options, presentKeys, context, work)), options, context);
}

function ofRunning(view: CloudLinkView | null): ShownLink | null {
  return view === null ? null : { view, isRunning: true, provision: null };
}

/** A key that is made is sealed from the first moment on: `startKeys` makes what seals it. */
async function inStore(
  options: CloudOptions,
  keysOf: (source: KeySource) => Promise<readonly Uint8Array[]>,
  context: Context,
  work: (link: OwnersCloudLink, store: OpenedStore) => Promise<void> = async () => undefined,
): Promise<ShownLink> {
  const { folder, keys } = options;
  try {
    const provision = await fileProvision(options, context);
    await makePrivateFolder(folder);
    const clock = nodeClock(() => "restored");
    const disk = nodeDisk({ stateFolder: folder });
    const log = nodeLog({ level: "error", isPretty: true, fd: 2 });
    await using store = await openStore({ disk, clock, random, log, secretKeys: await keysOf(keys) });
    const service = new EnrolmentService({ clock, http: nodeHttp(), software: `hemgate/${packageFacts().version}` });
    const identities = new Identities({ store, clock, random, log, service });
    const configured = provision === null ? null : await readAccounts(provision, log);
    const link = new OwnersCloudLink({ store, clock, identities, configured, session: () => null });
    await work(link, store);
    return { view: atRest(await link.view(), provision), isRunning: false, provision };
  } catch (error) {
    if (error instanceof ProblemError) throw new CliError(EXIT.failed, error.message, { cause: error });
    throw startFailure(error, folder) ?? error;
  }
}

/** The files are read as the gateway reads them before each connection; what is wrong with them is part of the view. */
async function readAccounts({ provision }: FileProvision, log: Log): Promise<ConfiguredAccounts> {
  const accounts = new ConfiguredAccounts({ provision, files: { read: readTextFile }, log });
  await accounts.offered().catch(() => undefined);
  return accounts;
}

/** Adds the reason why a gateway that does not run sends nothing. */
function atRest(view: CloudLinkView, provision: FileProvision | null): CloudLinkView {
  if (view.state === "ENROLLED" && view.remedy === null) return { ...view, reason: "the gateway does not run" };
  const isLeft = view.identity === null && view.streams.length > 0 && provision === null;
  return isLeft ? { ...view, reason: LEFT } : view;
}

/** Prints the link. The exit code is `failed` if the owner has something to do. */
function show(link: ShownLink, { isJson }: CloudOptions, { out }: Context): ExitCode {
  out(isJson ? JSON.stringify(link.view) : cloudText(link));
  return link.view.remedy === null ? EXIT.ok : EXIT.failed;
}

/** One line a fact. */
export function cloudText({ view, isRunning, provision }: ShownLink): string {
  const { identity, state, reason, remedy, streams, commands, farewells: deregistrations } = view;
  const facts: readonly (readonly [string, string | null])[] = [
    ["state", stateText(view)],
    ["reason", state === "CONNECTED" || reason === NOT_ENROLLED ? null : reason],
    ["to do", remedy],
    ["gateway", identity?.gateway ?? null],
    ["service", identity === null ? null : (identity.service ?? "as the configuration says")],
    ["files", provision === null ? null : provisionText(provision)],
    ["key", identity?.fingerprint ?? null],
    ["expires", identity === null ? null : (identity.expiresAt ?? "never")],
    ...view.ways.map((way) => [`by ${way.uplink}`, wayText(way)] as const),
    ["last contact", view.lastContactAt],
    ...streams.map((each) => [`waiting ${each.stream}`, streamText(each)] as const),
    ["oldest", view.oldestWaitingAt],
    ["rate", view.recordsPerSecond === null ? null : `${view.recordsPerSecond.toFixed(1)} records a second`],
    ["remaining", view.remainingSeconds === null ? null : `${view.remainingSeconds} s`],
    ["refused", refusedText(view.refused)],
    ["commands", commands.length === 0 ? null : commands.map(({ at, outcome }) => `${at} ${outcome}`).join(", ")],
    ["configured", configurationText(view.configuration, isRunning)],
    ["to deregister", deregistrations === 0 ? null : `${keysText(deregistrations)}, when the service can be reached`],
  ];
  const shown = facts.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}

function refusedText(refused: CloudLinkView["refused"]): string | null {
  if (refused === null) return null;
  const { count, at, numbers, reason } = refused;
  const what = numbers === null ? "a message" : `${numbers.stream} ${numbers.from} to ${numbers.through}`;
  return `${count}, the last at ${at}: ${what}: ${reason}`;
}

function keysText(count: number): string {
  return count === 1 ? "1 key" : `${count} keys`;
}

function streamText({ waiting, ...stream }: CloudLinkView["streams"][number]): string {
  if (waiting === 0) return "0";
  const { oldestWaitingAt, recordsPerSecond, remainingSeconds } = stream;
  const facts = [
    oldestWaitingAt === null ? [] : [`since ${oldestWaitingAt}`],
    recordsPerSecond === null ? [] : [`${recordsPerSecond.toFixed(1)} a second`],
    remainingSeconds === null ? [] : [`${remainingSeconds} s left`],
  ];
  return [String(waiting), ...facts.flat()].join(", ");
}

function wayText({ servers, isInUse, failedAt, failure }: CloudLinkView["ways"][number]): string {
  const use = isInUse ? "in use" : failure === null ? "not in use" : `not in use, failed ${failedAt}: ${failure}`;
  return `${use} (${servers.join(", ")})`;
}

function stateText({ state, uplink, identity }: CloudLinkView): string {
  const isProvisioned = state === "ENROLLED" && identity?.service === null;
  const name = isProvisioned ? "provisioned" : state.toLowerCase().replace("_", " ");
  const by = uplink === null ? "" : ` by ${uplink}`;
  return `${name}${by}${identity?.isRenewing === true ? ", a renewed key is tried next" : ""}`;
}
