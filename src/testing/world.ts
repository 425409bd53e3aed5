import { InProcessOptimizer } from "../platform/optimizer/in-process-optimizer.ts";
import type { Disk, MqttLink, MqttServer, Platform } from "../platform/ports/ports.ts";
import { DeviceError } from "../points/device-error.ts";
import type { AdapterContext } from "../sdk/driver.ts";
import { EventLog } from "./event-log.ts";
import { MemoryAccountNotes } from "./memory-account-notes.ts";
import { MemoryMailer } from "./memory-mailer.ts";
import { MemoryNotes } from "./memory-notes.ts";
import { SimHttpStreams } from "./network/sim-http-streams.ts";
import { SimMdns, type SimMdnsHost } from "./network/sim-mdns.ts";
import { SimMqtt, type SimMqttHost } from "./network/sim-mqtt.ts";
import { SimMqtt5, type SimMqtt5Host } from "./network/sim-mqtt5.ts";
import { type SimHost, SimNet } from "./network/sim-net.ts";
import { SimSerial, type SimSerialHost } from "./network/sim-serial.ts";
import { SimUdp, type SimUdpHost } from "./network/sim-udp.ts";
import { SimWeb, type SimWebHost } from "./network/sim-web.ts";
import { SimWebSockets, type SimWebSocketsHost } from "./network/sim-websockets.ts";
import { ProcessClock } from "./process-clock.ts";
import { SeededRandom } from "./seeded-random.ts";
import { SimCron } from "./sim-cron.ts";
import { SimFiles } from "./sim-files.ts";
import { TestLog } from "./test-log.ts";
import { VirtualClock, type VirtualClockOptions } from "./virtual-clock.ts";

/** Where all processes of a world live. */
const GATEWAY_ADDRESS = "192.168.1.2";

/** What a dead process waits for. */
const NEVER_ANSWERED = new Promise<never>(() => undefined);

/** A process in a simulated world, with its own platform until it ends. */
export class SimProcess {
  readonly platform: Platform;
  readonly log: TestLog;
  readonly #clock: ProcessClock;
  readonly #net: SimHost;
  readonly #serial: SimSerialHost;
  readonly #udp: SimUdpHost;
  readonly #mdns: SimMdnsHost;
  readonly #web: SimWebHost;
  readonly #httpStreams: SimHttpStreams;
  readonly #webSockets: SimWebSocketsHost;
  readonly #mqtt: SimMqttHost;
  readonly #mqtt5: SimMqtt5Host;
  #isDead = false;

  constructor(parts: {
    clock: ProcessClock;
    net: SimHost;
    serial: SimSerialHost;
    udp: SimUdpHost;
    mdns: SimMdnsHost;
    web: SimWebHost;
    httpStreams: SimHttpStreams;
    webSockets: SimWebSocketsHost;
    mqtt: SimMqttHost;
    mqtt5: SimMqtt5Host;
    random: SeededRandom;
    log: TestLog;
    disk: Disk;
    files: SimFiles;
    mailer: MemoryMailer;
  }) {
    this.#clock = parts.clock;
    this.#net = parts.net;
    this.#serial = parts.serial;
    this.#udp = parts.udp;
    this.#mdns = parts.mdns;
    this.#web = parts.web;
    this.#httpStreams = parts.httpStreams;
    this.#webSockets = parts.webSockets;
    this.#mqtt = parts.mqtt;
    this.#mqtt5 = parts.mqtt5;
    this.log = parts.log;
    this.platform = {
      clock: parts.clock,
      cron: new SimCron(parts.clock),
      random: parts.random,
      net: parts.net,
      serial: parts.serial,
      udp: parts.udp,
      mdns: parts.mdns,
      http: parts.web,
      httpStreams: parts.httpStreams,
      webSockets: parts.webSockets,
      mqtt: parts.mqtt,
      mqtt5: parts.mqtt5,
      disk: {
        copy: {
          read: () => (this.#isDead ? NEVER_ANSWERED : parts.disk.copy.read()),
          write: (bytes) => (this.#isDead ? NEVER_ANSWERED : parts.disk.copy.write(bytes)),
          moveAside: () => (this.#isDead ? NEVER_ANSWERED : parts.disk.copy.moveAside()),
        },
        open: (name) => (this.#isDead ? NEVER_ANSWERED : parts.disk.open(name)),
        rebuild: (name, work) => (this.#isDead ? NEVER_ANSWERED : parts.disk.rebuild(name, work)),
        moveAside: (name) => (this.#isDead ? NEVER_ANSWERED : parts.disk.moveAside(name)),
        freeBytes: () => (this.#isDead ? NEVER_ANSWERED : parts.disk.freeBytes()),
      },
      files: parts.files,
      mailer: parts.mailer,
      optimizer: new InProcessOptimizer(),
      log: parts.log,
      openBroker: (settings, access) => parts.mqtt.openBroker(settings, access),
    };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** What the process holds of the world; after an orderly close all of it is 0. */
  get resources(): { readonly streams: number; readonly listeners: number; readonly timers: number } {
    return {
      streams:
        this.#net.openStreams +
        this.#serial.openPorts +
        this.#web.underWay +
        this.#httpStreams.openStreams +
        this.#webSockets.openConnections +
        this.#mqtt.open +
        this.#mqtt5.openConnections,
      listeners: this.#net.openListeners + this.#udp.openSockets + this.#mdns.browsing,
      timers: this.#clock.liveTimers,
    };
  }

  /** What the gateway would hand an adapter; `broker` stands for the one of the configuration. */
  adapterContext(broker: MqttServer | null = null): AdapterContext {
    const { mqtt } = this.platform;
    const link = (server: MqttServer | null): MqttLink => {
      const target = server ?? broker;
      if (target === null) throw new DeviceError("rejected", "no MQTT broker is configured");
      return mqtt.connect(target);
    };
    return { ...this.platform, mqtt: { link }, notes: new MemoryNotes(), accounts: new MemoryAccountNotes() };
  }

  /** Ends the process as SIGKILL does: no line of its code runs again. Its disk is the caller's to crash. */
  kill(): void {
    this.#isDead = true;
    this.#clock.kill();
    this.#net.kill();
    this.#serial.kill();
    this.#udp.kill();
    this.#mdns.kill();
    this.#web.kill();
    this.#httpStreams.kill();
    this.#webSockets.kill();
    this.#mqtt.kill();
    this.#mqtt5.kill();
  }
}

interface WorldOptions extends VirtualClockOptions {
  readonly seed: number;
  /** As `lumpBytes` of a serial line. */
  readonly serialLumpBytes?: number;
}

/**
 * A world in which a gateway and its devices live: one clock that moves by hand, chance from one seed, a LAN in memory,
 * and a log of all that happens. The same seed and the same calls give the same log.
 */
export class World {
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly net: SimNet;
  readonly serial: SimSerial;
  /** Datagrams on the same LAN, with the faults of `net`. */
  readonly udp: SimUdp;
  /** What is announced on it. */
  readonly mdns: SimMdns;
  /** Servers beyond the house, which requests by HTTP reach. */
  readonly web: SimWeb;
  /** What is open to those servers by WebSocket, and its faults. */
  readonly webSockets: SimWebSockets;
  /** MQTT brokers, in the house and beyond. */
  readonly mqtt: SimMqtt;
  /** How those brokers speak MQTT 5. */
  readonly mqtt5: SimMqtt5;
  /** What the configuration names, the same for all processes. */
  readonly files = new SimFiles();
  /** The mail server of all processes. */
  readonly mailer = new MemoryMailer();
  readonly events: EventLog;
  #booted = 0;

  constructor(options: WorldOptions) {
    this.seed = options.seed;
    this.clock = new VirtualClock(options);
    this.random = new SeededRandom(options.seed);
    this.net = new SimNet(this.clock, this.random.fork("net"));
    this.serial = new SimSerial(this.clock, { isTimed: true, lumpBytes: options.serialLumpBytes ?? 1 });
    this.udp = new SimUdp(this.clock, this.random.fork("udp"), this.net.faults);
    this.mdns = new SimMdns(this.clock);
    this.web = new SimWeb(this.clock, this.random.fork("web"));
    this.webSockets = new SimWebSockets(this.web);
    this.mqtt = new SimMqtt();
    this.mqtt5 = new SimMqtt5(this.mqtt, this.clock);
    this.events = new EventLog(this.clock);
  }

  /** Starts a process on a disk. What it logs stands in the event log; debug lines are kept out of it. */
  boot(name: string, disk: Disk): SimProcess {
    this.#booted += 1;
    const number = this.#booted;
    this.events.add("boot", { name, number });
    const log = new TestLog((line) => {
      if (!process.isDead && line.level !== "debug") this.events.add(line.level, { text: line.text, ...line.fields });
    });
    const clock = new ProcessClock(this.clock);
    const random = this.random.fork(`process ${number}`);
    const process = new SimProcess({
      clock,
      net: this.net.host(),
      serial: this.serial.host(),
      udp: this.udp.host(GATEWAY_ADDRESS),
      mdns: this.mdns.host(GATEWAY_ADDRESS),
      web: this.web.host(),
      httpStreams: new SimHttpStreams(this.web, clock),
      webSockets: this.webSockets.host(clock),
      mqtt: this.mqtt.host({ clock, random: random.fork("mqtt"), log }),
      mqtt5: this.mqtt5.host({ clock, random: random.fork("mqtt5") }),
      random,
      log,
      disk,
      files: this.files,
      mailer: this.mailer,
    });
    return process;
  }
}
