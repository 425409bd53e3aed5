import { z } from "zod";
import { NullableInstant } from "../fields.ts";

const Count = z.int().min(0);

const Quota = z.object({
  name: z.string().meta({ description: "What the vendor counts, such as `requests-a-day`." }),
  subject: z.string().nullable().meta({
    description: "Site or device that the quota is for; `null` for the whole account.",
  }),
  limit: z.number().min(0).meta({ description: "Highest count that the vendor allows." }),
  left: z.number().min(0).meta({ description: "Remaining count." }),
  leftForPolls: z.number().min(0).meta({
    description: "Remaining count for polls; the rest is reserved for commands and the login.",
  }),
});

const Stream = z.object({
  isConnected: z.boolean().meta({
    description: "`false` while the stream is not connected; devices are then polled as often as without a stream.",
  }),
  since: NullableInstant.meta({
    description: "Time of the last change of `isConnected`; `null` if no device uses the stream.",
  }),
  lastMessageAt: NullableInstant.meta({
    description:
      "Time of the vendor's last message, heartbeats included; `null` if there was none since the gateway started.",
  }),
  problem: z
    .object({
      kind: z.string().meta({ description: "Kind of failure of the last connection, as in `failed`." }),
      text: z.string().meta({ description: "What is wrong, in English." }),
    })
    .nullable()
    .meta({ description: "Why the stream is not connected; `null` if it is, or during the first attempt." }),
});

/** An account with a vendor's cloud, as `GET /local/vendors` returns it. */
export const VendorAccountView = z
  .object({
    vendor: z.string().meta({ description: "Vendor code, such as `TESLA`." }),
    displayName: z.string().meta({ description: "Name of the brand." }),
    account: z.string().meta({ description: "Name of the account in the gateway." }),
    connected: Count.meta({ description: "Number of devices that are connected through the account now." }),
    isSignedIn: z.boolean().meta({
      description:
        "`false` if the vendor refuses the login; nothing is requested until the user links the account again.",
    }),
    answered: Count.meta({ description: "Number of successful requests in the last hour." }),
    failed: z.record(z.string(), Count).meta({
      description: "Number of failed requests in the last hour by kind of failure, such as `rate-limited`.",
    }),
    lastAnswerAt: NullableInstant.meta({
      description: "Time of the vendor's last response; `null` if there was none since the gateway started.",
    }),
    nextPollAt: NullableInstant.meta({
      description: "Time from which the quota allows the next poll; `null` if it allows one now.",
    }),
    quotas: z.array(Quota).meta({ description: "Limits of the vendor on the number of requests." }),
    stream: Stream.nullable().meta({
      description: "Connection on which the vendor sends changes; `null` if the vendor has none.",
    }),
  })
  .meta({ id: "VendorAccount", description: "An account with a vendor's cloud." });
export type VendorAccountView = z.infer<typeof VendorAccountView>;
