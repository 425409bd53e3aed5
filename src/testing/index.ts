/** What tests of the gateway and of third parties' adapters build a world from. */
export { type ModbusImage, type ModbusReply, type ModbusServer, serveModbus } from "./modbus-server.ts";
export { SeededRandom } from "./seeded-random.ts";
export { type LogLevel, type LogLine, TestLog } from "./test-log.ts";
export { VIRTUAL_START_MS, VirtualClock, type VirtualClockOptions } from "./virtual-clock.ts";
