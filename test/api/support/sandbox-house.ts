/** A real house whose environment is a sandbox: devices are made up through the API. */
import { simulatedAdapter } from "../../../adapters/simulated/device/simulated-adapter.ts";
import { sandboxVendors } from "../../../src/cli/sandbox/sandbox-vendors.ts";
import { type Home, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "./real-house.ts";

function makeSandboxHome(seed = 1): Home {
  return makeHome(seed, { adapters: [simulatedAdapter(sandboxVendors())], sandbox: { isEnabled: true } });
}

export function openSandbox(home: Home = makeSandboxHome()): Promise<RealHouse> {
  return openRealHouse({ home, config: { sandbox: { isEnabled: true } } });
}

/** Sends a request whose answer must have a status; answers its body. */
export async function send(
  house: RealHouse,
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
  url: string,
  payload?: object,
  status = 200,
) {
  const answer = await house.ask({ method, url, ...(payload === undefined ? {} : { payload }) });
  if (answer.statusCode !== status) {
    throw new Error(`${method} ${url}: ${answer.statusCode} instead of ${status}: ${answer.body}`);
  }
  return answer.body === "" ? null : answer.json();
}
