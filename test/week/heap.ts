/** What the process keeps for good. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { MemoryDisk } from "hemgate/testing";

const MB = 1024 * 1024;
/** A disk in memory holds each byte twice, as text keys and arrays. */
const DISK_COPIES = 4;

/** Bytes that are left after a full collection, without what a disk in memory holds, MB. */
export function retainedMb(disk: MemoryDisk): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return Math.round((heapUsed + arrayBuffers - DISK_COPIES * disk.bytes) / MB);
}
