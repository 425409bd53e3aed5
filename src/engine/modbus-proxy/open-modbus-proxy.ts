import type { Config } from "../../config/config.ts";
import type { ModbusProxySettings } from "../../config/modbus-proxy-config.ts";
import { type ModbusProxyState, noCounts, type ProxyCounts } from "../../domain/modbus-proxy/proxy-state.ts";
import { ConnectionGate, type GatedSocket } from "../../platform/network/connection-gate.ts";
import { plainAddress } from "../../platform/network/ip-network.ts";
import type { Clock, Log, Net, StreamEvents, TcpListener, TcpStream } from "../../platform/ports/ports.ts";
import { TokenBuckets } from "../../platform/token-buckets.ts";
import type { ModbusProxy } from "../contracts/other-programs.ts";
import type { Audit } from "../contracts/people.ts";
import { ProxyAnswers } from "./proxy-answers.ts";
import { ProxyClients } from "./proxy-clients.ts";
import { ProxySession } from "./proxy-session.ts";
import type { SharedDevice } from "./shared-device.ts";

/** Connections at once, and those of one machine; the one that was unused for longest gives way. */
const LIMITS = { connections: 32, connectionsPerAddress: 8 } as const;
/** Lines about one machine that may not connect. */
const LINES = { capacity: 1, perMinute: 0.1, maxKeys: 100 } as const;
const NO_EVENTS: StreamEvents = { data: () => undefined, closed: () => undefined };

export interface ModbusProxyOptions {
  readonly net: Pick<Net, "listen">;
  readonly clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly log: Log;
  readonly config: Pick<Config, "modbusProxy">;
  readonly engine: {
    sharedDevice(deviceId: string): SharedDevice | null;
    readonly services: { readonly audit: Pick<Audit, "note"> };
  };
}

export interface OpenedModbusProxy extends ModbusProxy, AsyncDisposable {}

/**
 * Opens the Modbus TCP server for other programs; `null` if the configuration has none. Rejects with an `Error` that names
 * the address if it cannot listen there. Disposing it ends all connections.
 */
export async function openModbusProxy(options: ModbusProxyOptions): Promise<OpenedModbusProxy | null> {
  const { modbusProxy: settings } = options.config;
  if (settings === undefined) return null;
  await using listeners = new AsyncDisposableStack();
  const service = new ModbusProxyService(options, settings);
  for (const host of settings.hosts) {
    const address = { host, port: settings.port };
    service.listening.push(listeners.use(await options.net.listen(address, (stream) => service.accept(stream))));
  }
  return service.closeWith(listeners.move());
}

class ModbusProxyService implements OpenedModbusProxy {
  readonly listening: TcpListener[] = [];
  readonly #options: ModbusProxyOptions;
  readonly #settings: ModbusProxySettings;
  readonly #log: Log;
  readonly #clients: ProxyClients;
  readonly #answers: ProxyAnswers;
  readonly #gate: ConnectionGate;
  readonly #lines: TokenBuckets;
  readonly #sessions = new Set<ProxySession>();
  #listeners: AsyncDisposable | null = null;
  #refusedConnections = 0;

  constructor(options: ModbusProxyOptions, settings: ModbusProxySettings) {
    const { clock, engine } = options;
    this.#options = options;
    this.#settings = settings;
    this.#log = options.log.child({ part: "modbus proxy" });
    this.#clients = new ProxyClients(settings.clients);
    const sharedDevice = (deviceId: string): SharedDevice | null => engine.sharedDevice(deviceId);
    for (const { device, unit } of settings.devices) {
      if (sharedDevice(device) === null)
        this.#log.warn(
          { deviceId: device, unit },
          "modbusProxy names a device that is not there; its unit is answered with exception 10",
        );
    }
    this.#answers = new ProxyAnswers({ clock, log: this.#log, audit: engine.services.audit, settings, sharedDevice });
    this.#gate = new ConnectionGate({ limits: LIMITS, clock, log: this.#log, name: "Modbus proxy" });
    this.#lines = new TokenBuckets(LINES, clock);
  }

  closeWith(listeners: AsyncDisposable): this {
    this.#listeners = listeners;
    return this;
  }

  accept(stream: TcpStream): StreamEvents {
    const address = plainAddress(stream.remote.host);
    const client = this.#clients.admit(address);
    if (client === null) {
      this.#refusedConnections += 1;
      if (this.#lines.take(address).waitMs === 0) {
        this.#log.warn(
          { address },
          "connection to the Modbus proxy refused; modbusProxy.clients does not name the address",
        );
      }
      stream[Symbol.dispose]();
      return NO_EVENTS;
    }
    const gated = gatedSocket(stream, address);
    if (!this.#gate.admit(gated.socket)) return NO_EVENTS;
    const session: ProxySession = new ProxySession({
      stream,
      client,
      answers: this.#answers,
      used: () => this.#gate.use(gated.socket),
      closed: () => {
        this.#sessions.delete(session);
        gated.closed();
      },
    });
    this.#sessions.add(session);
    return session;
  }

  state(): ModbusProxyState {
    const { devices, maxAgeMs } = this.#settings;
    const clients = this.#clients.list();
    return {
      listening: this.listening.map(({ address }) => address),
      maxAgeMs,
      devices: devices.map(({ device, unit }) => {
        const { name = null, isReachable = false } = this.#options.engine.sharedDevice(device) ?? {};
        return { deviceId: device, name, unit, isReachable };
      }),
      clients,
      counts: sumOf(clients.map(({ counts }) => counts)),
      refusedConnections: this.#refusedConnections,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of [...this.#sessions]) session[Symbol.dispose]();
    await this.#listeners?.[Symbol.asyncDispose]();
  }
}

/** A stream as the gate sees it. */
function gatedSocket(stream: TcpStream, remoteAddress: string) {
  const closeListeners: (() => void)[] = [];
  const socket: GatedSocket = {
    remoteAddress,
    destroy: () => stream[Symbol.dispose](),
    once: (_event, listener) => closeListeners.push(listener),
  };
  return {
    socket,
    closed: () => {
      for (const listener of closeListeners.splice(0)) listener();
    },
  };
}

function sumOf(all: readonly ProxyCounts[]): ProxyCounts {
  const sum = noCounts();
  for (const counts of all) {
    for (const name of ["cached", "read", "written", "refused", "failed"] as const) sum[name] += counts[name];
  }
  return sum;
}
