/** What tests of the gateway and of third parties' adapters build a world from. */
export { adapterContract, type ContractCase, type ContractDevice, type ContractSubject } from "./adapter-contract.ts";
export { EventLog } from "./event-log.ts";
export { type FakeCall, FakeDevice, type FakeDeviceOptions, fakeAdapter } from "./fake-adapter.ts";
export { FaultPlan, type FaultSpec, type FaultWindow, NET_FAULTS, type NetFault } from "./fault-plan.ts";
export { MemoryAccountNotes } from "./memory-account-notes.ts";
export { type BrokerClient, MemoryBroker } from "./memory-broker.ts";
export { MemoryDisk, type WriteFault } from "./memory-disk.ts";
export { MemoryNotes } from "./memory-notes.ts";
export { type ModbusLineOptions, modbusLine } from "./modbus-line.ts";
export {
  type ModbusImage,
  type ModbusReply,
  type ModbusServer,
  type ModbusServerOptions,
  serveModbus,
} from "./modbus-server.ts";
export type { Mqtt5Behaviour } from "./network/mqtt5-behaviour.ts";
export { SimMdns, type SimMdnsHost } from "./network/sim-mdns.ts";
export { SimMqtt, type SimMqttHost } from "./network/sim-mqtt.ts";
export { SimMqtt5, type SimMqtt5Host } from "./network/sim-mqtt5.ts";
export { type SimHost, SimNet } from "./network/sim-net.ts";
export { type SimLine, SimSerial, type SimSerialHost, type SimSerialOptions } from "./network/sim-serial.ts";
export type { SimHubEvents, SimHubSocket } from "./network/sim-socket.ts";
export { SimUdp, type SimUdpHost } from "./network/sim-udp.ts";
export {
  SimWeb,
  type SimWebAnswer,
  type SimWebConnect,
  type SimWebRequest,
  type SimWebServer,
} from "./network/sim-web.ts";
export { type SimHub, SimWebSockets, type SimWebSocketsHost } from "./network/sim-websockets.ts";
export { SeededRandom } from "./seeded-random.ts";
export { SimulatedPrices, type SimulatedPricesOptions } from "./simulated-prices.ts";
export { type LogLevel, type LogLine, TestLog } from "./test-log.ts";
export { VIRTUAL_START_MS, VirtualClock, type VirtualClockOptions } from "./virtual-clock.ts";
export { type SimProcess, World } from "./world.ts";
