import type { CloudLinkView } from "../domain/cloud-link-view.ts";
import { ProblemError } from "../domain/problem.ts";
import { nodeClock } from "../platform/node/node-clock.ts";
import { nodeDisk } from "../platform/node/node-disk.ts";
import { nodeHttp } from "../platform/node/node-http.ts";
import { nodeLog } from "../platform/node/node-log.ts";
import { nodeRandom as random } from "../platform/node/node-random.ts";
import { packageFacts } from "../platform/node/package-root.ts";
import { makePrivateFolder } from "../platform/node/text-file.ts";
import { openStore } from "../store/open-store.ts";
import { OwnersCloudLink } from "../sync/identity/cloud-link.ts";
import { EnrolmentService } from "../sync/identity/enrolment-service.ts";
import { Identities } from "../sync/identity/identities.ts";
import { configurationText } from "./configuration-text.ts";
import type { CliContext } from "./context.ts";
import { askCloud, askForCut, askForEnrolment } from "./control-client.ts";
import { CliError, EXIT, type ExitCode } from "./exit-code.ts";
import { type KeySource, presentKeys, startKeys } from "./secret-keys.ts";
import { startFailure } from "./start-failure.ts";

export interface CloudOptions {
  readonly folder: string;
  readonly keys: KeySource;
  readonly isJson: boolean;
}

type Context = Pick<CliContext, "out" | "stop">;

/** `hemgate cloud enroll`: by the running gateway, or in its store when none runs. */
export async function cloudEnroll(token: string, options: CloudOptions, context: Context): Promise<ExitCode> {
  const running = await askForEnrolment(options.folder, token, context.stop);
  const view =
    running ??
    (await inStore(options, startKeys, async (link) => {
      await link.enroll(token, context.stop);
      return await link.view();
    }));
  return told(view, options, context);
}

/** `hemgate cloud status`. */
export async function cloudStatus(options: CloudOptions, context: Context): Promise<ExitCode> {
  const view =
    (await askCloud(options.folder, context.stop)) ?? (await inStore(options, presentKeys, (link) => link.view()));
  return told(view, options, context);
}

/** `hemgate cloud cut`. */
export async function cloudCut(options: CloudOptions, context: Context): Promise<ExitCode> {
  const running = await askForCut(options.folder, context.stop);
  const view =
    running ??
    (await inStore(options, presentKeys, async (link) => {
      await link.cut();
      return await link.view();
    }));
  return told(view, options, context);
}

/** A key that is made is sealed from the first moment on: `startKeys` makes what seals it. */
async function inStore(
  { folder, keys }: CloudOptions,
  keysOf: (source: KeySource) => Promise<readonly Uint8Array[]>,
  work: (link: OwnersCloudLink) => Promise<CloudLinkView>,
): Promise<CloudLinkView> {
  try {
    await makePrivateFolder(folder);
    const clock = nodeClock(() => "restored");
    const disk = nodeDisk({ stateFolder: folder });
    const log = nodeLog({ level: "error", isPretty: true, fd: 2 });
    await using store = await openStore({ disk, clock, random, log, secretKeys: await keysOf(keys) });
    const service = new EnrolmentService({ clock, http: nodeHttp(), software: `hemgate/${packageFacts().version}` });
    const identities = new Identities({ store, clock, random, log, service });
    return await work(new OwnersCloudLink({ store, clock, identities, configured: null, session: () => null }));
  } catch (error) {
    if (error instanceof ProblemError) throw new CliError(EXIT.failed, error.message, { cause: error });
    throw startFailure(error, folder) ?? error;
  }
}

/** A link that needs its owner ends with the code for what is not right. */
function told(view: CloudLinkView, { isJson }: CloudOptions, { out }: Context): ExitCode {
  out(isJson ? JSON.stringify(view) : cloudText(view));
  return view.remedy === null ? EXIT.ok : EXIT.failed;
}

/** One line a fact. */
function cloudText(view: CloudLinkView): string {
  const { identity, state, reason, remedy, streams, commands } = view;
  const facts: readonly (readonly [string, string | null])[] = [
    ["state", stateText(view)],
    ["reason", state === "CONNECTED" || state === "NOT_ENROLLED" ? null : reason],
    ["to do", remedy],
    ["gateway", identity?.gateway ?? null],
    ["service", identity === null ? null : (identity.service ?? "as the configuration says")],
    ["key", identity?.fingerprint ?? null],
    ["expires", identity === null ? null : (identity.expiresAt ?? "never")],
    ...view.ways.map((way) => [`by ${way.uplink}`, wayText(way)] as const),
    ["last contact", view.lastContactAt],
    ...streams.map((each) => [`waiting ${each.stream}`, streamText(each)] as const),
    ["oldest", view.oldestWaitingAt],
    ["rate", view.recordsPerSecond === null ? null : `${view.recordsPerSecond.toFixed(1)} records a second`],
    ["remaining", view.remainingSeconds === null ? null : `${view.remainingSeconds} s`],
    ["commands", commands.length === 0 ? null : commands.map(({ at, outcome }) => `${at} ${outcome}`).join(", ")],
    ["configured", configurationText(view.configuration)],
    ["to tell", view.farewells === 0 ? null : `the end of ${view.farewells} keys, when the service can be reached`],
  ];
  const shown = facts.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
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
  const name = state.toLowerCase().replace("_", " ");
  const by = uplink === null ? "" : ` by ${uplink}`;
  return `${name}${by}${identity?.isRenewing === true ? ", a renewed key is tried next" : ""}`;
}
