/** Which gateway the restored box is from now on. The command line asks before it loads the rest of a restore. */
export const RESTORED_AS = ["this-gateway", "copy"] as const;
export type RestoredAs = (typeof RESTORED_AS)[number];
