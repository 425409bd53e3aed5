/** A simulated home with Modbus devices that can be moved to other addresses. */
import { type ModbusImage, type ModbusServer, serveModbus } from "hemgate/testing";
import { httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import type { DeviceConfig } from "../../../src/config/config.ts";
import { PLATED, type PlatedDevice, platedImage } from "../../adapters/modbus/discovery/plated-devices.ts";
import { type Home, makeHome } from "../home.ts";

export const INVERTER = plated("sungrow-sh");
export const CHARGER = plated("keba-p30");
/** A meter behind an RTU-to-TCP gateway. */
export const METER = plated("eastron-sdm630");
/** An inverter with settings, whose controls are all unverified. */
export const HYBRID = plated("deye-1p");

export interface ModbusHome extends Home {
  /** Serves a device at an address and counts its connections. */
  place(device: PlatedDevice, host: string, options?: { readonly maxClients?: number }): Promise<PlacedDevice>;
  /** Serves an image with several units at an address. */
  placeImage(image: ModbusImage, host: string): Promise<PlacedDevice>;
  /** Moves the gateway to another network. */
  renumber(gateway: string): void;
}

export interface PlacedDevice extends AsyncDisposable {
  readonly server: ModbusServer;
  /** Returns the number of connections that were opened to it. */
  readonly opened: () => number;
}

export function makeModbusHome(discovery = { isListening: true, followsAddresses: true }): ModbusHome {
  const home = makeHome(1, { adapters: [modbusAdapter, httpJsonAdapter], discovery });
  const { world } = home;
  const renumber = (gateway: string): void => {
    world.net.interfaces = [{ address: gateway, prefixLength: 28, mac: "02:00:5e:10:00:01" }];
  };
  renumber("192.168.1.2");
  const serve = async (
    image: ModbusImage,
    address: { readonly host: string; readonly port: number },
    options: { readonly maxClients?: number },
  ): Promise<PlacedDevice> => {
    let opened = 0;
    const net = world.net.host();
    const counting = {
      listen: (...[address, accept]: Parameters<typeof net.listen>) =>
        net.listen(address, (stream) => {
          opened += 1;
          return accept(stream);
        }),
    };
    const server = await serveModbus({ clock: world.clock, net: counting }, image, address, options);
    return { server, opened: () => opened, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  };
  return {
    ...home,
    renumber,
    place: async (device, host, options = {}) =>
      await serve(await platedImage(device, world.clock), { host, port: device.port }, options),
    placeImage: (image, host) => serve(image, { host, port: 502 }, {}),
  };
}

/** Returns the configuration of a device at an address. */
export function entryFor(id: string, { profile, unit }: PlatedDevice, host: string): DeviceConfig {
  return { id, adapter: "modbus", host, profile, unit };
}

function plated(profile: string): PlatedDevice {
  const found = PLATED.find((device) => device.profile === profile);
  if (found === undefined) throw new Error(`no plate for ${profile}`);
  return found;
}
