/** The import of a setup file in the API: `/local/setup/import`. Secrets of the file are in none of it. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import { Issue } from "../problem.ts";
import { LONGEST_SETUP_FILE } from "./setup-file.ts";

export const SetupImportBody = z
  .strictObject({
    text: z.string().min(1).max(LONGEST_SETUP_FILE).meta({
      description: "The file: YAML, or JSON. It is not kept, because it may have passwords.",
    }),
  })
  .meta({ id: "SetupImportBody" });

const StepResult = z
  .object({
    name: z.string().meta({ description: "Name or id of the device." }),
    outcome: z.enum(["added", "passed", "failed", "not-tested", "silent"]).meta({
      description: "`not-tested`: its test was refused. `silent`: it did not answer within two minutes.",
    }),
    reason: z.string().nullable().meta({
      description: "Code of a control test's `refusal` or `cause`; `null` if there is none.",
    }),
    detail: z.string().nullable().meta({ description: "The same in English; `null` if nothing is to be said." }),
  })
  .meta({ id: "SetupImportResult" });
export type SetupImportResult = z.infer<typeof StepResult>;

const IMPORT_FAILURES = ["none-found", "known", "several", "test-failed", "refused"] as const;

const StepFailure = z
  .object({
    code: z.enum(IMPORT_FAILURES).meta({
      description:
        "`none-found`: no new device was found. `known`: the gateway has the device already. `several`: more than one device fits. `test-failed`: a device failed its control test. `refused`: the gateway refused the step, as `status` and `issues` say.",
    }),
    status: z.int().meta({ description: "HTTP status with which the same request would be refused." }),
    detail: z.string().meta({ description: "What is wrong and what to do, in English." }),
    issues: z.array(Issue).meta({ description: "What is wrong with single values." }),
  })
  .meta({ id: "SetupImportFailure" });
export type SetupImportFailure = z.infer<typeof StepFailure>;

export const SetupImportStep = z
  .object({
    kind: z.enum(["site", "device", "answers", "control-tests", "person", "leave-out", "hand-over"]).meta({
      description:
        "`site`: set the limits of the connection. `device`: find a device and add it. `answers`: wait up to two minutes until the added devices answer. `control-tests`: run the control tests. `person`: make an account. `leave-out`: leave a step of the setup out. `hand-over`: hand the house over.",
    }),
    name: z.string().nullable().meta({
      description: "Name of the device, of the person, or of the step that is left out; `null` for the others.",
    }),
    values: z.record(z.string(), z.string()).meta({
      description:
        "What the file says, as text. Of a device's settings only their names (`set`), because they may be secrets.",
    }),
    state: z.enum(["open", "running", "done", "unchanged", "failed"]).meta({
      description: "`unchanged`: there is a device, or an account, of this name already, which is left alone.",
    }),
    results: z.array(StepResult).meta({ description: "What came of single devices." }),
    failure: StepFailure.nullable().meta({ description: "Why it ended the import; `null` if it did not." }),
  })
  .meta({ id: "SetupImportStep" });
export type SetupImportStep = z.infer<typeof SetupImportStep>;

const Mistake = z
  .object({
    line: z.int().min(1).meta({ description: "Line of the file." }),
    path: z.array(z.union([z.string(), z.number()])).meta({ description: "Path of the value; empty for the file." }),
    code: z.string().meta({ description: "Kind of mistake, such as `invalid_type`." }),
    message: z.string().meta({ description: "What is wrong and what to do, in English. Values are not quoted." }),
  })
  .meta({ id: "SetupFileMistake" });
export type SetupFileMistake = z.infer<typeof Mistake>;

export const SetupImportPreview = z
  .object({
    mistakes: z.array(Mistake).meta({ description: "All that is wrong with the file; empty: it can be imported." }),
    steps: z.array(SetupImportStep).meta({ description: "What would be done, in this order; empty with mistakes." }),
  })
  .meta({ id: "SetupImportPreview" });
export type SetupImportPreview = z.infer<typeof SetupImportPreview>;

export const SetupImportTask = z
  .object({
    state: z.enum(["running", "done", "failed", "stopped", "interrupted"]).meta({
      description:
        "`failed`: a step failed, and those after it are not done. `stopped`: a person ended it. `interrupted`: the gateway stopped meanwhile. What was done stays done; the same file can be imported again.",
    }),
    by: z.string().meta({ description: "Who began it, as called then." }),
    startedAt: Instant,
    endedAt: NullableInstant.meta({ description: "`null` while it runs." }),
    steps: z.array(SetupImportStep),
  })
  .meta({ id: "SetupImportTask" });
export type SetupImportTask = z.infer<typeof SetupImportTask>;

export const SetupImport = z
  .object({
    task: SetupImportTask.nullable().meta({
      description: "What runs now, else what ran last, also before a restart; `null` if nothing did.",
    }),
  })
  .meta({ id: "SetupImport" });
export type SetupImport = z.infer<typeof SetupImport>;
