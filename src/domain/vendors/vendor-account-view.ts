import { z } from "zod";
import { NullableInstant } from "../fields.ts";

const Count = z.int().min(0);

const Quota = z.object({
  name: z.string().meta({ description: "What the vendor counts, such as `requests-a-day`." }),
  subject: z
    .string()
    .nullable()
    .meta({ description: "The site or device that it counts for; null: the whole account." }),
  limit: z.number().min(0),
  left: z.number().min(0),
  leftForPolls: z.number().min(0).meta({ description: "The rest is kept for commands and the login." }),
});

const Stream = z.object({
  isConnected: z.boolean().meta({ description: "False: devices are read as often as without a stream." }),
  since: NullableInstant.meta({ description: "Since when it is connected, or is not; null: no device listens." }),
  lastMessageAt: NullableInstant.meta({
    description: "When the vendor last sent something, signs of life included; null: not since the gateway started.",
  }),
  problem: z
    .object({
      kind: z.string().meta({ description: "What ended the last connection or attempt, in words as in `failed`." }),
      text: z.string().meta({ description: "In English." }),
    })
    .nullable()
    .meta({ description: "Why it is not connected; null: it is, or the first attempt is under way." }),
});

/** An account with a vendor's cloud, as `GET /local/vendors` shows it. */
export const VendorAccountView = z
  .object({
    vendor: z.string().meta({ description: "Vendor code." }),
    displayName: z.string().meta({ description: "The brand as people write it." }),
    account: z.string().meta({ description: "The gateway's name for the account." }),
    connected: Count.meta({ description: "Devices that are connected by it now." }),
    isSignedIn: z.boolean().meta({
      description: "False: the vendor refuses the login. Nothing is asked until the account is linked anew.",
    }),
    answered: Count.meta({ description: "Requests of the last hour that were answered." }),
    failed: z.record(z.string(), Count).meta({
      description: "Requests of the last hour that were not, by what became of them, such as `rate-limited`.",
    }),
    lastAnswerAt: NullableInstant.meta({ description: "Null: none since the gateway started." }),
    nextPollAt: NullableInstant.meta({
      description: "When the quota lets the next request for values go; null: at once.",
    }),
    quotas: z.array(Quota),
    stream: Stream.nullable().meta({
      description: "The connection on which the vendor tells what changes; null: there is none with this vendor.",
    }),
  })
  .meta({ id: "VendorAccount" });
export type VendorAccountView = z.infer<typeof VendorAccountView>;
