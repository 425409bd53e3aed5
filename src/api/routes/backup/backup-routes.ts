/** Backups of the whole gateway, for its owners. */
import { Readable } from "node:stream";
import { z } from "zod";
import { BackupsView, BackupTaskView, UploadedBackupsView } from "../../../domain/backup/backup-view.ts";
import { instant, instantOrNull } from "../../../domain/fields.ts";
import { problem } from "../../../domain/problem.ts";
import type { Backups, BackupTask } from "../../../engine/contracts/backup.ts";
import type { Api, RouteParts } from "../../api.ts";
import { emptyResponse, jsonResponse, problemResponses } from "../../responses.ts";
import { requireManager } from "../people/asker.ts";

const URL = "/local/backups";
/** The pattern of the download, which the audit log has although nothing changes by it. */
export const BACKUP_FILE_PATH = `${URL}/:name`;
const TAGS = ["installation"];
const WHO = "For owners, and for clients with the scope `people:manage`.";
const LONG =
  "The answer comes at once; `task` of `GET /local/backups` shows how far it is and how it ended. It goes on when nobody asks, and there is one at a time.";
const FILE_TYPE = "application/octet-stream";
type LastBackup = NonNullable<NonNullable<ReturnType<Backups["state"]>["schedule"]>["last"]>;
const MAX_NAME_CHARACTERS = 255;
const MAX_PASSPHRASE_CHARACTERS = 1_000;

function passphraseBody(description: string) {
  const passphrase = z.string().min(1).max(MAX_PASSPHRASE_CHARACTERS).optional();
  return z.strictObject({
    passphrase: passphrase.meta({ description, examples: ["four words that nobody guesses"] }),
  });
}

const CreateBody = passphraseBody(
  "Encrypts the backup, at least 12 characters; default `backup.passphrase` of the configuration. It is kept nowhere.",
);
const VerifyBody = passphraseBody(
  "The one that the backup was made with; default `backup.passphrase` of the configuration.",
);

const Path = z.object({
  name: z.string().max(MAX_NAME_CHARACTERS).meta({ description: "Name of the file, as the list has it." }),
});

export function backupRoutes(api: Api, parts: RouteParts): void {
  listRoute(api, parts);
  uploadedRoute(api, parts);
  createRoute(api, parts);
  verifyRoute(api, parts);
  downloadRoute(api, parts);
  removeRoute(api, parts);
}

function listRoute(api: Api, { callerOf, backups }: RouteParts): void {
  api.route({
    method: "GET",
    url: URL,
    schema: {
      operationId: "listBackups",
      summary: "List the backups, with the schedule and what runs now",
      description: `${WHO} A backup is restored by the command line, on the machine itself: \`hemgate backup restore\`. It replaces the store, the configuration and the keys that a running gateway has open, and the people by whose rights this API decides, so it needs a stopped gateway and somebody who may stop it.`,
      tags: TAGS,
      response: { 200: jsonResponse("The backups.", BackupsView), ...problemResponses("service-unavailable") },
    },
    handler: async (request): Promise<BackupsView> => {
      requireManager(callerOf(request));
      return await backupsView(required(backups));
    },
  });
}

function uploadedRoute(api: Api, { callerOf, backups }: RouteParts): void {
  api.route({
    method: "GET",
    url: `${URL}/uploaded`,
    schema: {
      operationId: "listUploadedBackups",
      summary: "Ask the WebDAV server for the backups there",
      description: `${WHO} The gateway asks when it is asked, so the answer also says whether address, account and certificate of \`backup.webdav\` are right: 503 has what to do.`,
      tags: TAGS,
      response: {
        200: jsonResponse("The backups there.", UploadedBackupsView),
        ...problemResponses("not-found", "service-unavailable"),
      },
    },
    handler: async (request): Promise<UploadedBackupsView> => {
      requireManager(callerOf(request));
      return { backups: [...(await required(backups).listUploaded())] };
    },
  });
}

function createRoute(api: Api, { callerOf, backups }: RouteParts): void {
  api.route({
    method: "POST",
    url: URL,
    schema: {
      operationId: "createBackup",
      summary: "Begin to make a backup of configuration, keys and history",
      description: `${WHO} It is read to its end when it is written; then the oldest beyond \`backup.keep\` are removed, and it is uploaded where \`backup.webdav\` is set. It opens with its passphrase alone; nobody can open it without. ${LONG}`,
      tags: TAGS,
      body: CreateBody,
      response: {
        202: jsonResponse("The task, which runs.", BackupTaskView),
        ...problemResponses("conflict", "service-unavailable"),
      },
    },
    handler: async (request, reply) => {
      requireManager(callerOf(request));
      const task = required(backups).create(request.body.passphrase ?? null);
      return await reply.code(202).send(taskView(task));
    },
  });
}

function verifyRoute(api: Api, { callerOf, backups }: RouteParts): void {
  api.route({
    method: "POST",
    url: `${BACKUP_FILE_PATH}/verify`,
    schema: {
      operationId: "verifyBackup",
      summary: "Begin to read a backup to its end, as a restore would",
      description: `${WHO} Nothing is written. Another passphrase than the backup's fails, and says nothing about the file. ${LONG}`,
      tags: TAGS,
      params: Path,
      body: VerifyBody,
      response: {
        202: jsonResponse("The task, which runs.", BackupTaskView),
        ...problemResponses("not-found", "conflict", "service-unavailable"),
      },
    },
    handler: async (request, reply) => {
      requireManager(callerOf(request));
      const { passphrase = null } = request.body;
      const task = await required(backups).verify(request.params.name, passphrase);
      return await reply.code(202).send(taskView(task));
    },
  });
}

function downloadRoute(api: Api, { callerOf, backups }: RouteParts): void {
  api.route({
    method: "GET",
    url: BACKUP_FILE_PATH,
    schema: {
      operationId: "downloadBackup",
      summary: "Download a backup",
      description: `${WHO} The file as it is, encrypted. The audit log has who got it.`,
      tags: TAGS,
      params: Path,
      response: {
        200: { description: "The file.", content: { [FILE_TYPE]: { schema: z.string() } } },
        ...problemResponses("not-found", "service-unavailable"),
      },
    },
    handler: async (request, reply) => {
      requireManager(callerOf(request));
      const { name } = request.params;
      const { bytes, content } = await required(backups).read(name);
      return await reply
        .type(FILE_TYPE)
        .header("content-length", bytes)
        .header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
        .header("cache-control", "no-store")
        .send(Readable.from(content));
    },
  });
}

function removeRoute(api: Api, { callerOf, backups }: RouteParts): void {
  api.route({
    method: "DELETE",
    url: BACKUP_FILE_PATH,
    schema: {
      operationId: "removeBackup",
      summary: "Remove a backup from the folder for good",
      description: WHO,
      tags: TAGS,
      params: Path,
      response: {
        204: emptyResponse("It is gone."),
        ...problemResponses("not-found", "conflict", "service-unavailable"),
      },
    },
    handler: async (request, reply) => {
      requireManager(callerOf(request));
      await required(backups).remove(request.params.name);
      return await reply.code(204).send();
    },
  });
}

function required(backups: Backups | null): Backups {
  if (backups !== null) return backups;
  throw problem("service-unavailable", "This gateway is part of a program that makes no backups.");
}

async function backupsView(service: Backups): Promise<BackupsView> {
  const { schedule, task, ...state } = service.state();
  const backups = await service.list();
  return {
    ...state,
    schedule: schedule === null ? null : scheduleView(schedule),
    task: task === null ? null : taskView(task),
    backups: backups.map(({ writtenAtMs, verified, ...backup }) => {
      const shown =
        verified === null ? null : { at: instant(verified.atMs), failure: verified.failure, cause: verified.cause };
      return { ...backup, writtenAt: instant(writtenAtMs), verified: shown };
    }),
  };
}

function scheduleView({
  nextAtMs,
  last,
  ...time
}: NonNullable<ReturnType<Backups["state"]>["schedule"]>): BackupsView["schedule"] {
  return {
    ...time,
    nextAt: instant(nextAtMs),
    last: last === null ? null : lastView(last),
  };
}

function lastView({ atMs, failure, cause = null, isStored = failure === null }: LastBackup) {
  return { at: instant(atMs), failure, cause, isStored };
}

function taskView({ startedAtMs, endedAtMs, ...task }: BackupTask): BackupTaskView {
  return { ...task, startedAt: instant(startedAtMs), endedAt: instantOrNull(endedAtMs) };
}
