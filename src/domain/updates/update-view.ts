/** Updates in the API: the responses of `/local/update`. */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";

const Version = z.string().nullable();

export const UpdateTaskView = z
  .object({
    kind: z.enum(["check", "install"]).meta({
      description: "`check`: a look for a later version. `install`: an update to it.",
    }),
    isScheduled: z.boolean().meta({
      description: "`true` if a time of the configuration began it, `false` if a person or a program did.",
    }),
    step: z.enum(["requested", "prepared", "installed"]).meta({
      description:
        "How far it is, or was: `requested` of the program that updates the package; `prepared`: the later version is on disk, and the gateway is stopped while it is installed; `installed`: the later version runs, and is watched until it has proved itself.",
    }),
    state: z.enum(["running", "done", "failed"]),
    outcome: z
      .enum(["newest", "available", "kept", "rolled-back", "skipped", "failed"])
      .nullable()
      .meta({
        description:
          "How it ended, `null` while it runs. `newest`: there is no later version; `available`: there is one; `kept`: the later version stays; `rolled-back`: the version before is back, with its state; `skipped`: nothing was installed, for the reason given; `failed`: nothing was changed.",
        examples: ["kept"],
      }),
    from: Version.meta({ description: "The version before; `null` if not known.", examples: ["1.0.0"] }),
    to: Version.meta({ description: "The later version; `null` if none, or if not known.", examples: ["1.1.0"] }),
    startedAt: Instant,
    endedAt: NullableInstant.meta({ description: "`null` while it runs." }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: "Why it ended so, in English, with what to do; `null` if nothing went wrong.",
        examples: [null],
      }),
  })
  .meta({ id: "UpdateTask" });
export type UpdateTaskView = z.infer<typeof UpdateTaskView>;

export const UpdateView = z
  .object({
    version: Version.meta({
      description: "The version of the gateway that runs; `null` if it is part of a program without one.",
      examples: ["1.0.0"],
    }),
    isUpdatable: z.boolean().meta({
      description:
        "`true` if the gateway was installed as the Debian package, whose updates can be asked for here. Otherwise the person who installed it updates it.",
    }),
    available: z
      .object({
        version: z.string(),
        isAutomatic: z.boolean().meta({ description: "`update.window` of the configuration has a time for it." }),
      })
      .nullable()
      .meta({ description: "The later version that the last look found; `null` if none is known." }),
    task: UpdateTaskView.nullable().meta({
      description: "What runs now, else what ran last, also before a restart; `null` if nothing did.",
    }),
  })
  .meta({ id: "Update" });
export type UpdateView = z.infer<typeof UpdateView>;
