import type { AdapterContext, Random } from "hemgate/sdk";

/** What a bus needs of the world. */
export interface BusWorld extends Pick<AdapterContext, "clock" | "net" | "serial" | "udp"> {
  readonly random: Pick<Random, "next">;
}
