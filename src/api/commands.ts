/** Which requests are commands: they reach a device, so they are limited more and may carry an Idempotency-Key. */
const COMMAND = /^\/(?:batteries|chargers|hvacs|inverters|vehicles)\/:[a-z]+Id\/(?!refresh-hint$)[a-z-]+$/;
const ID = /(?<=^\/[a-z]+\/)[^/:]+(?=\/)/;

/** Whether a route, by its method and pattern, sends a command to the device in its path. */
export function isCommand(method: string, pattern: string | undefined): boolean {
  return method === "POST" && pattern !== undefined && COMMAND.test(pattern);
}

/** Whether a request, by its method and path in the newest version, is a command. */
export function isCommandPath(method: string, path: string): boolean {
  return isCommand(method, path.split("?", 1)[0]?.replace(ID, ":anyId"));
}
