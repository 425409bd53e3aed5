import { z } from "zod";
import { CONTACT_NAMES } from "../domain/energy/limits/contact-input.ts";
import { HourMinute } from "../domain/hour-minute.ts";
import { isTopicName } from "../platform/mqtt/topic-filter.ts";

const MAX_ENTRIES = 100;
const MAX_KW = 10_000;
const Kw = z.number().min(0).max(MAX_KW);
const Scope = z.enum(["connection", "controllable"]);

const Topic = z
  .string()
  .min(1)
  .max(500)
  .refine((topic) => isTopicName(topic), { error: "no MQTT topic; expected one such as box/w4" });

const CONTACT_POINTS = ["contact.1", "contact.2", "contact.3", "contact.4"] as const;

/** An input of a device that the gateway reads itself, over Modbus or HTTP. */
const DeviceContactConfig = z.strictObject({
  device: z.string().min(1).max(100).meta({ description: "Id of the device that has the input." }),
  point: z.enum(CONTACT_POINTS).meta({ description: "The input, as the device's profile names it." }),
  closedWhen: z.boolean().default(true).meta({
    description:
      "The state of the input that demands the limit; false for wiring that is closed while nothing is limited, so that a broken wire limits.",
  }),
});

const TopicContactConfig = z.strictObject({
  topic: Topic.meta({ description: "MQTT topic on which the input is published." }),
  path: z
    .string()
    .regex(/^[A-Za-z0-9_:-]{1,100}(\.[A-Za-z0-9_:-]{1,100}){0,9}$/)
    .optional()
    .meta({
      description: "Where the value is in a JSON message, such as state or input.0; default the whole message.",
    }),
  closed: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(10)
    .default(["1", "on", "true", "closed"])
    .meta({ description: "Values that mean that the contact demands its limit, whatever their case." }),
});

const ContactConfig = z.union([TopicContactConfig, DeviceContactConfig]);

const ContactsConfig = z.strictObject({
  debounceMs: z.int().min(100).max(1_000).default(500).meta({ description: "How long a change has to last, ms." }),
  deadSeconds: z.int().min(5).max(3_600).default(30).meta({
    description: "An input without a message or reading for this long is dead, and counts as dimmed, s.",
  }),
  alive: Topic.optional().meta({
    description:
      "A topic whose messages show that the input device lives, where the inputs are published on a change only.",
  }),
  dimKw: Kw.optional().meta({
    description: "What W4 leaves, kW; default what § 14a EnWG leaves to the devices under controllable.",
  }),
  inputs: z
    .partialRecord(z.enum(CONTACT_NAMES), ContactConfig)
    .refine((inputs) => Object.keys(inputs).length > 0, { error: "no input; name at least one of W3, S2, S1, W4" })
    .meta({ description: "The contacts of the box: W3 feed-in 0 %, S2 30 %, S1 60 %, W4 dims." }),
});

const ControllableConfig = z.strictObject({
  device: z.string().min(1).max(100).meta({ description: "Id of the device." }),
  kind: z.enum(["charger", "heat-pump", "cooling", "battery"]).meta({ description: "What it is." }),
  kw: z.number().min(0.1).max(MAX_KW).meta({ description: "Power of its connection to the house, kW." }),
});

const ScheduleEntry = z
  .strictObject({
    name: z.string().min(1).max(255).optional().meta({ description: "Name shown to people." }),
    direction: z.enum(["import", "export"]).meta({ description: "What is limited." }),
    scope: Scope.default("connection").meta({ description: "The whole house, or the controllable devices together." }),
    kw: Kw.meta({ description: "Highest power, kW." }),
    from: HourMinute.default("00:00").meta({ description: "HH:MM on the house's clock, inclusive." }),
    to: HourMinute.default("24:00").meta({ description: "HH:MM, exclusive; before from, it is that of the next day." }),
    weekdays: z
      .array(z.int().min(0).max(6))
      .min(1)
      .optional()
      .meta({ description: "0 is Monday, 6 is Sunday; default all days." }),
  })
  .superRefine(({ from, to }, context) => {
    if (from !== to) return;
    const message = `${to} is not after ${from}; leave both out for the whole day`;
    context.addIssue({ code: "custom", path: ["to"], message, input: to });
  });

/** Limits of the grid operator: what applies when a source of them is lost, and the sources of the house itself. */
export const GridLimitsConfig = z.strictObject({
  controllable: z.array(ControllableConfig).max(MAX_ENTRIES).default([]).meta({
    description:
      "Devices that the grid operator may dim; the power that they may always draw follows from them. A heat pump or cooling among them that has the states of SG Ready is blocked while it does not fit into the limit.",
  }),
  failsafe: z
    .strictObject({
      importKw: Kw.optional().meta({
        description:
          "Import while a source is lost, kW; default what § 14a EnWG leaves to the devices under controllable.",
      }),
      feedInKw: Kw.optional().meta({
        description: "Feed-in while a source is lost, kW; default as the source sets it.",
      }),
      hours: z.number().min(2).max(24).default(2).meta({ description: "How long it applies at least, h." }),
      after: z.enum(["hold", "release"]).default("hold").meta({
        description: "hold: until the source sets another limit. release: after the hours the autonomous values apply.",
      }),
    })
    .prefault({}),
  autonomous: z
    .strictObject({
      importKw: Kw.optional().meta({ description: "Import while no source is waited for, kW; default no limit." }),
      feedInKw: Kw.optional().meta({ description: "Feed-in then, kW; default no limit." }),
    })
    .prefault({}),
  contacts: ContactsConfig.optional().meta({ description: "Relay contacts of a control box; none when absent." }),
  schedule: z.array(ScheduleEntry).max(MAX_ENTRIES).default([]).meta({ description: "Limits at fixed times." }),
});
export type GridLimitsSettings = z.infer<typeof GridLimitsConfig>;
