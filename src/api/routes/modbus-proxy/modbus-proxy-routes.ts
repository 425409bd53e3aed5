/** What other programs do with devices through the gateway's Modbus TCP server. */
import { ModbusProxyState, noCounts } from "../../../domain/modbus-proxy/proxy-state.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";
import { requireInstaller } from "../people/asker.ts";

const OFF: ModbusProxyState = {
  listening: [],
  maxAgeMs: 0,
  devices: [],
  clients: [],
  counts: noCounts(),
  refusedConnections: 0,
};

export function modbusProxyRoutes(api: Api, { proxy, callerOf }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/modbus-proxy",
    schema: {
      operationId: "getModbusProxy",
      summary: "Show which programs reach devices over Modbus TCP through the gateway",
      description:
        "For owners and installers, and for clients with the scope `people:manage`. The section `modbusProxy` of the configuration has the devices and who may connect; `docs/modbus-proxy.md` says what is answered and what is refused. Writes are in `GET /local/audit`.",
      tags: ["modbus-proxy"],
      response: { 200: jsonResponse("The proxy as it is now.", ModbusProxyState), ...problemResponses() },
    },
    handler: (request): ModbusProxyState => {
      requireInstaller(callerOf(request));
      return proxy?.state() ?? OFF;
    },
  });
}
